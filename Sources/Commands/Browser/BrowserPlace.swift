/// Where the browser runs that can be opened from here, as far as the environment tells.
package enum BrowserPlace: String, Sendable {
  case here
  case elsewhere

  /// A display, or a browser of the person's own choice, is here; without both, who came over SSH has theirs at the other
  /// end. Nil when nothing tells.
  package init?(_ environment: Environment) {
    if ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0] != nil }) {
      self = .here
    } else if ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].contains(where: { environment[$0] != nil }) {
      self = .elsewhere
    } else {
      return nil
    }
  }
}
