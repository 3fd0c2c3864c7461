import Wire

/// What a site says of us, in words.
enum AssociationText {
  static let unreachable = "unreachable"

  /// A line for each client that comes back to the site, and one for what could not be asked.
  static func lines(_ reply: Wire.CheckAssociation.Reply) -> String {
    let domain = PlainText.line(reply.domain)
    let age = reply.checkedAgo <= 1 ? "just now" : "\(DurationText.words(Int(reply.checkedAgo))) ago"
    if reply.state == unreachable { return "\(domain) could not be asked\(why(reply)).\n" }
    let lines = reply.clients.map { client in
      "\(domain) \(client.listed ? "lists" : "does NOT list") \(PlainText.line(client.name)), asked \(age).\n"
    }
    return lines.joined() + (reply.detail == nil ? "" : "It could not be asked anew\(why(reply)).\n")
  }

  private static func why(_ reply: Wire.CheckAssociation.Reply) -> String {
    reply.detail.map { ": \(PlainText.line($0))" } ?? ""
  }
}
