/// Where a person's files lie (XDG Base Directory Specification 0.8), taken from an environment.
package struct BaseDirectories: Equatable, Sendable {
  /// `$XDG_CONFIG_HOME`, or `~/.config`.
  package let configuration: String
  /// `$XDG_STATE_HOME`, or `~/.local/state`.
  package let state: String
  /// `$XDG_DATA_DIRS`, or `/usr/local/share` and `/usr/share`, the most important first.
  package let data: [String]

  /// Nil when neither the variables nor `HOME` say where. A relative path counts as unset, as the specification demands.
  package init?(environment: [String: String]) {
    func absolute(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let home = absolute("HOME")
    guard let configuration = absolute("XDG_CONFIG_HOME") ?? home.map({ $0 + "/.config" }),
      let state = absolute("XDG_STATE_HOME") ?? home.map({ $0 + "/.local/state" })
    else { return nil }
    self.configuration = configuration
    self.state = state
    let data = (environment["XDG_DATA_DIRS"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    self.data = data.isEmpty ? ["/usr/local/share", "/usr/share"] : data
  }
}
