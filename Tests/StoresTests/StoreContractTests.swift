import Glibc
import SecretService
import Secrets
import Stores
import Testing
import Vault

/// What every store promises, asked of every store.
@Suite(.serialized) struct StoreContractTests {
  @Test(arguments: Backend.present)
  func `a store that holds nothing answers nothing`(_ backend: Backend) async throws {
    let bench = try await Bench(backend)
    #expect(try await bench.store.load(bench.account("1")) == nil)
    await bench.clear()
  }

  @Test(arguments: Backend.present)
  func `what was saved is loaded byte by byte`(_ backend: Backend) async throws {
    let bench = try await Bench(backend)
    let bytes = Array("first\u{0}line\n".utf8) + [UInt8](0...255)
    let record = unsafe SecretBox(try SecretBytes(copying: bytes.span.bytes))
    try await bench.store.save(record, for: bench.account("1"))
    #expect(try await bench.store.load(bench.account("1"))?.isEqual(to: record) == true)
    await bench.clear()
  }

  @Test(arguments: Backend.present)
  func `saving replaces the record whole`(_ backend: Backend) async throws {
    let bench = try await Bench(backend)
    try await bench.store.save(try bench.record("generation 1, which is longer"), for: bench.account("1"))
    try await bench.store.save(try bench.record("generation 2"), for: bench.account("1"))
    #expect(try await bench.store.load(bench.account("1"))?.text == "generation 2")
    await bench.clear()
  }

  @Test(arguments: Backend.present)
  func `a long record is kept`(_ backend: Backend) async throws {
    let bench = try await Bench(backend)
    let record = try bench.record(String(repeating: "0123456789abcdef", count: 3000))
    try await bench.store.save(record, for: bench.account("1"))
    #expect(try await bench.store.load(bench.account("1"))?.isEqual(to: record) == true)
    await bench.clear()
  }

  @Test(arguments: Backend.present)
  func `accounts do not see each other`(_ backend: Backend) async throws {
    let bench = try await Bench(backend)
    try await bench.store.save(try bench.record("of 1"), for: bench.account("1"))
    try await bench.store.save(try bench.record("of 2"), for: bench.account("2"))
    try await bench.store.remove(bench.account("1"))
    #expect(try await bench.store.load(bench.account("2"))?.text == "of 2")
    await bench.clear()
  }

  @Test(arguments: Backend.present)
  func `after removing nothing is found`(_ backend: Backend) async throws {
    let bench = try await Bench(backend)
    try await bench.store.save(try bench.record("gone"), for: bench.account("1"))
    try await bench.store.remove(bench.account("1"))
    #expect(try await bench.store.load(bench.account("1")) == nil)
    await bench.clear()
  }

  @Test(arguments: Backend.present)
  func `what is kept is told, whoever it is of`(_ backend: Backend) async throws {
    let bench = try await Bench(backend)
    #expect(try await bench.store.kept() == [])
    try await bench.store.save(try bench.record("kept"), for: bench.account("1"))
    let kept = try await bench.store.kept()
    #expect(kept.map(\.account) == [try bench.account("1").id.text])
    #expect(kept.allSatisfy { !$0.label.isEmpty })
    #expect(try await bench.store.remove(bench.account("1")))
    #expect(try await bench.store.kept() == [])
  }

  @Test(arguments: Backend.present)
  func `removing nothing is no error`(_ backend: Backend) async throws {
    let bench = try await Bench(backend)
    #expect(try await !bench.store.remove(bench.account("1")))
    #expect(await bench.store.availability() == .available)
  }

  @Test(arguments: Backend.present)
  func `a record of another issuer is not handed out`(_ backend: Backend) async throws {
    let bench = try await Bench(backend)
    try await bench.store.save(try bench.record("theirs"), for: bench.account("1"))
    let other = try Samples.account("1", issuer: "https://other.example", backend: bench.store.backend)
    await #expect { _ = try await bench.store.load(other) } throws: { isDamage($0) }
    await bench.clear()
  }

  @Test(arguments: Backend.present)
  func `a record that cannot be read is not written over`(_ backend: Backend) async throws {
    let bench = try await Bench(backend)
    try await bench.store.save(try bench.record("sound"), for: bench.account("1"))
    try await bench.spoil(bench.account("1"))
    await #expect { try await bench.store.save(try bench.record("new"), for: bench.account("1")) } throws: {
      isDamage($0)
    }
    await #expect { _ = try await bench.store.load(bench.account("1")) } throws: { isDamage($0) }
    await bench.clear()
  }

  @Test(arguments: Backend.present)
  func `a damaged record can be removed`(_ backend: Backend) async throws {
    let bench = try await Bench(backend)
    try await bench.store.save(try bench.record("sound"), for: bench.account("1"))
    try await bench.spoil(bench.account("1"))
    try await bench.store.remove(bench.account("1"))
    #expect(try await bench.store.load(bench.account("1")) == nil)
  }

  @Test(arguments: Backend.present)
  func `twenty saves at once leave one of the twenty`(_ backend: Backend) async throws {
    let bench = try await Bench(backend)
    let account = try bench.account("1")
    let all = (1...20).map { "generation \($0)" }
    await withTaskGroup { group in
      for text in all {
        group.addTask {
          do { try await bench.store.save(try bench.record(text), for: account) } catch { Issue.record(error) }
        }
      }
    }
    let held = try await bench.store.load(account)?.text ?? ""
    #expect(all.contains(held))
    await bench.clear()
  }
}
