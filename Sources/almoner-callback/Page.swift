import Exchange

/// What a person is told at the end, by the address it is served under.
enum Page: String, CaseIterable {
  /// The answer was handed over.
  case done
  /// The sign-in was cancelled or refused.
  case denied
  /// The answer belongs to no attempt that waits; another still does.
  case refused
  /// No attempt waits any more.
  case again
  /// Nothing to be had at this address.
  case closed

  init(_ verdict: CallbackFrame.Verdict) {
    switch verdict {
    case .accepted: self = .done
    case .rejected: self = .refused
    case .lost: self = .again
    case .denied: self = .denied
    }
  }

  /// A bare address without a query: that is what stays in the tab's history instead of the code.
  func path(under path: String) -> String { (path.hasSuffix("/") ? path : path + "/") + rawValue }

  /// What is shown at this page's address: good or bad news only when it is true.
  func shown(after ending: Page?) -> Page {
    switch self {
    case .done, .denied: ending == self ? self : .closed
    case .refused, .again, .closed: self
    }
  }
}
