import Glibc
import Secrets
import Stores
import Testing
import Vault

/// C7: every truncation and every flipped bit is told, and the file stays as it is.
@Suite struct SealedFileDamageTests {
  let state: TemporaryState
  let account: Account
  let store: SealedFileStore

  init() async throws {
    state = try TemporaryState()
    account = try Samples.account("a")
    store = try await Samples.openSealedFile(state)
    try await store.save(try Samples.secret("generation 1"), for: account)
  }

  private var path: String { state.file(account.id.text + ".sealed") }

  @Test func `a file cut at any byte is damaged`() async throws {
    let whole = try TemporaryState.bytes(of: path)
    for count in 0..<whole.count {
      try TemporaryState.write(Array(whole[..<count]), to: path)
      await #expect("cut to \(count) bytes") { _ = try await store.load(account) } throws: { isDamage($0) }
    }
  }

  @Test func `a file with any bit flipped is damaged`() async throws {
    let whole = try TemporaryState.bytes(of: path)
    for bit in 0..<whole.count * 8 {
      var changed = whole
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      try TemporaryState.write(changed, to: path)
      await #expect("bit \(bit) flipped") { _ = try await store.load(account) } throws: { isDamage($0) }
    }
  }

  @Test func `a file with anything behind it is damaged`() async throws {
    try TemporaryState.write(try TemporaryState.bytes(of: path) + [0], to: path)
    await #expect { _ = try await store.load(account) } throws: { isDamage($0) }
  }

  @Test func `a damaged file is neither moved nor changed by load, save and unlock`() async throws {
    let spoilt = Array("spoilt".utf8)
    try TemporaryState.write(spoilt, to: path)
    await #expect { _ = try await store.load(account) } throws: { isDamage($0) }
    await #expect { try await store.save(try Samples.secret("new"), for: account) } throws: { isDamage($0) }
    await store.forget()
    await #expect { try await store.unlock(passphrase: try Samples.secret("correct horse")) } throws: { isDamage($0) }
    #expect(try TemporaryState.bytes(of: path) == spoilt)
  }

  @Test func `a header that asks for a terabyte of memory is damaged, not obeyed`() async throws {
    let whole = try TemporaryState.bytes(of: path)
    try TemporaryState.write(Forged.header(whole, memory: 1 << 40), to: path)
    let next = try Samples.sealedFile(state)
    await #expect { try await next.unlock(passphrase: try Samples.secret("correct horse")) } throws: { isDamage($0) }
  }

  @Test func `a header that passes its own checksum is still authenticated with the record`() async throws {
    let whole = try TemporaryState.bytes(of: path)
    try TemporaryState.write(Forged.header(whole, memory: 20 << 20), to: path)
    await #expect { _ = try await store.load(account) } throws: { isDamage($0) }
  }

  @Test func `a file longer than any record is not read`() async throws {
    try TemporaryState.write([UInt8](repeating: 0, count: 300 << 10), to: path)
    await #expect { _ = try await store.load(account) } throws: { isDamage($0) }
  }
}
