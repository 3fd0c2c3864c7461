/// The header of a group: `[refresh]`, or `[account work]` with a label.
package struct GroupName: Hashable, Sendable, CustomStringConvertible {
  package let kind: String
  package let label: String?

  package init(kind: String, label: String? = nil) {
    self.kind = kind
    self.label = label
  }

  package var description: String { label.map { "[\(kind) \($0)]" } ?? "[\(kind)]" }
}
