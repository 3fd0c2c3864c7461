package import Wire

extension CommandContext {
  /// Writes a reply of the daemon as it is, as JSON.
  package func answer(_ reply: some WireStruct) throws(Failure) {
    try answer { writer in reply.write(to: &writer) }
  }
}
