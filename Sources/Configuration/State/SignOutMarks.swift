import Glibc
import Vault

/// `signing-out` in the state directory: room for the marks of sign-outs that was taken while there was some.
///
/// Where the disk is too full to replace the index, a sign-out writes its mark here, in place, and is as durable as
/// elsewhere. Marks go when the index has been written; the file goes with the last account.
struct SignOutMarks {
  static let name = "signing-out"
  /// Each mark is an account's id and a newline at the start of a slot. No slot lies across two sectors.
  private static let slot = 64
  private static let slots = 64
  private static let idCount = 32

  let directory: PrivateDirectory

  /// The accounts that are marked; none when there is no file.
  func read() throws(StateError) -> Set<AccountID> {
    Set(Self.ids(try directory.readFile(Self.name, upTo: Self.slots * Self.slot) ?? []).compactMap(\.self))
  }

  /// Adds marks, durable when it returns. Throws when there is no room: nothing is made for it now.
  func add(_ accounts: [AccountID]) throws(StateError) {
    var ids = Self.ids(try directory.readFile(Self.name, upTo: Self.slots * Self.slot) ?? [])
    var writes: [(Int, [UInt8])] = []
    for account in accounts where !ids.contains(account) {
      guard let free = ids.firstIndex(of: nil) else {
        throw .storage(path: "\(directory.path)/\(Self.name)", why: "there is no room for a mark")
      }
      ids[free] = account
      writes.append((free * Self.slot, Array(account.text.utf8) + [UInt8(ascii: "\n")]))
    }
    try directory.overwrite(Self.name, writes)
  }

  /// After the index was written: keeps room for marks, empty, while there are accounts.
  ///
  /// A disk that has no room for it is no reason to fail what was done.
  func settle(isNeeded: Bool) {
    do throws(StateError) {
      guard isNeeded else { return try directory.removeFile(Self.name) }
      let bytes = try directory.readFile(Self.name, upTo: Self.slots * Self.slot)
      if bytes?.count != Self.slots * Self.slot {
        try directory.replaceFile(Self.name, with: [UInt8](repeating: 0, count: Self.slots * Self.slot))
      } else if let bytes, bytes.contains(where: { $0 != 0 }) {
        try directory.overwrite(Self.name, [(0, [UInt8](repeating: 0, count: bytes.count))])
      }
    } catch {
      return
    }
  }

  /// What is in each whole slot.
  private static func ids(_ bytes: [UInt8]) -> [AccountID?] {
    (0..<bytes.count / slot).map { AccountID(String(decoding: bytes[$0 * slot..<$0 * slot + idCount], as: UTF8.self)) }
  }
}
