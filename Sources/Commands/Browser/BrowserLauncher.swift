/// Opens a page in the person's own browser: each command of a ``BrowserChoice`` in turn until one keeps running or ends
/// well.
package struct BrowserLauncher: ~Copyable {
  /// How opening stands.
  package enum Progress: Equatable, Sendable {
    /// A command runs, or ended well.
    case opened
    /// No command is left: the person has to open the page.
    case failed
  }

  private var left: ArraySlice<[String]>
  private let environment: Environment
  private var running: Child?

  package init(_ choice: BrowserChoice, _ environment: Environment) {
    left = choice.commands[...]
    self.environment = environment
  }

  /// Turns readable when the command that runs has ended; nil when none runs.
  package var ending: Int32? {
    switch running {
    case .some(let child): child.ending.number
    case .none: nil
    }
  }

  /// Opens the page, or nothing when it is not wanted.
  package mutating func open(when isWanted: Bool) -> Progress { isWanted ? open() : .failed }

  /// Starts the next command that can be started.
  package mutating func open() -> Progress {
    while let command = left.popFirst() {
      guard let path = SearchPath.find(command[0], environment) else { continue }
      // Everything of ours: a browser needs its display, bus and desktop, and nothing of it comes from the daemon.
      var program = Program(path, Array(command.dropFirst()), environment: environment.entries { _ in true })
      program.isDetached = true
      do {
        running = try program.start()
        return .opened
      } catch {
        continue
      }
    }
    running = nil
    return .failed
  }

  /// Looks at the command after ``ending`` turned readable; goes on to the next one when it failed.
  package mutating func review() -> Progress {
    guard let end = lastEnd() else { return .opened }
    guard end == .exited(0) else { return open() }
    running = nil
    return .opened
  }

  private func lastEnd() -> Child.End? {
    switch running {
    case .some(let child): child.end()
    case .none: nil
    }
  }
}
