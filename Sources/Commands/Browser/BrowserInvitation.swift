/// What a person is told of a page that is to be opened in their browser.
struct BrowserInvitation {
  private let console: Console
  private let url: String
  private let purpose: String
  private let there: String

  /// `purpose` completes "Open this address in your browser …", `there` is what to do on the page.
  init(_ console: Console, _ url: String, _ purpose: String, there: String) {
    self.console = console
    self.url = PlainText.line(url)
    self.purpose = purpose
    self.there = there
  }

  func show(_ progress: BrowserLauncher.Progress) {
    switch progress {
    case .opened:
      console.note("Your browser opens. \(there); Ctrl-C gives up.")
      console.note("If it does not open, go to:\n  \(url)")
    case .failed: ask()
    }
  }

  func ask() { console.note("Open this address in your browser \(purpose):\n  \(url)") }
}
