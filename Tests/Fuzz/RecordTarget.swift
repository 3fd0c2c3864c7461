import Secrets
import Sodium
import Time
import Vault

extension FuzzTarget {
  /// What a store holds: a record is read back as it was written, its bytes mean one record only, and bytes of
  /// somebody else's are refused by whichever layer meets them.
  static let record = FuzzTarget(name: "record") { bytes in
    var choices = Choices(bytes)
    switch choices.byte() % 4 {
    case 0: checkBytes(choices.rest())
    case 1: checkRoundTrip(&choices)
    case 2: checkKeyringItem(&choices)
    default: checkSealedFile(&choices)
    }
  }

  // MARK: The record

  private static func checkBytes(_ bytes: [UInt8]) {
    do throws(RecordError) {
      let record = try RecordCodec.decode(SecretBox(fuzzed: bytes))
      require(encoded(record) == bytes, "a record has one spelling only")
    } catch {
      return
    }
  }

  private static func checkRoundTrip(_ choices: inout Choices) {
    let record = record(&choices)
    let bytes = encoded(record)
    do throws(RecordError) {
      let again = try RecordCodec.decode(SecretBox(fuzzed: bytes))
      require(encoded(again) == bytes, "a record is read as it was written")
      require(again.account == record.account && again.issuer == record.issuer, "it keeps whose it is")
      require(again.machine == record.machine && again.user == record.user, "it keeps for whom it is")
      require(again.generation == record.generation && again.identity == record.identity, "it keeps its generation")
      require(again.tokens?.refreshToken?.revealed == record.tokens?.refreshToken?.revealed, "it keeps its token")
      require(again.tokens?.lifetime == record.tokens?.lifetime, "it keeps its lifetime")
    } catch {
      require(false, "what was written can be read")
    }
    let cut = Int(choices.number(UInt16.self)) % bytes.count
    do throws(RecordError) {
      _ = try RecordCodec.decode(SecretBox(fuzzed: Array(bytes[..<cut])))
      require(false, "a record that is cut off is none")
    } catch {
      return
    }
  }

  private static func encoded(_ record: StoredRecord) -> [UInt8] {
    do { return try RecordCodec.encode(record).revealed } catch { preconditionFailure("a record fits the arena") }
  }

  private static func record(_ choices: inout Choices) -> StoredRecord {
    guard let account = AccountID(String(repeating: "0f", count: 16)) else { preconditionFailure("it is an id") }
    return StoredRecord(
      account: account, issuer: choices.text(), machine: choices.text(), user: choices.number(),
      generation: choices.number(), journalKey: SecretBox(fuzzed: [UInt8](repeating: choices.byte(), count: 32)),
      tokens: choices.optional(tokens), identity: choices.optional(identity),
      nonce: choices.optional { SecretBox(fuzzed: $0.chunk()) })
  }

  private static func tokens(_ choices: inout Choices) -> TokenSet {
    TokenSet(
      accessToken: SecretBox(fuzzed: choices.chunk()), refreshToken: choices.optional { SecretBox(fuzzed: $0.chunk()) },
      idToken: choices.optional { SecretBox(fuzzed: $0.chunk()) }, tokenType: choices.text(),
      scope: choices.optional { $0.text() }, lifetime: .nanoseconds(choices.number(Int64.self)),
      receivedAt: BootInstant(nanoseconds: choices.number()),
      receivedBoot: BootID(high: choices.number(), low: choices.number()),
      receivedWall: WallInstant(seconds: choices.number()))
  }

  private static func identity(_ choices: inout Choices) -> VerifiedIdentity {
    let claims = (0..<choices.byte() % 8).map { _ in
      VerifiedIdentity.Claim(name: choices.text(), value: choices.text())
    }
    return VerifiedIdentity(issuer: choices.text(), subject: choices.text(), claims: claims)
  }

  // MARK: What is around it

  /// A keyring item holds what we put there, or it is not ours.
  private static func checkKeyringItem(_ choices: inout Choices) {
    do throws(StoreError) {
      let record = choices.chunk()
      let ours = try CheckedRecord.make(SecretBox(fuzzed: record)).revealed
      let opened = try CheckedRecord.open(SecretBox(fuzzed: ours))?.revealed
      require(opened == record || record.isEmpty, "an item is read as it was written")
      let changed = mutated(ours, &choices)
      let found = try CheckedRecord.open(SecretBox(fuzzed: changed))
      require(found == nil || changed == ours, "an item that was changed is not ours")
    } catch {
      require(false, "there is memory for an item")
    }
  }

  private static let key = SealingKey(keyFile: bytes(of: 7))

  private static func bytes(of byte: UInt8) -> SecretBytes {
    do throws(SecretMemoryExhausted) {
      return unsafe try SecretBytes(copying: [UInt8](repeating: byte, count: 32).span.bytes)
    } catch {
      preconditionFailure("there is memory for a key")
    }
  }

  /// A sealed file opens when nothing was changed in it, and for its own account only.
  private static func checkSealedFile(_ choices: inout Choices) {
    let record = choices.chunk()
    let context = choices.chunk()
    let ours = key.seal(SecretBox(fuzzed: record), for: context)
    let changed = mutated(ours, &choices)
    let other = choices.optional { $0.chunk() } ?? context
    do throws(SealedFileDamage) {
      let opened = try key.open(changed, for: other).revealed
      require(changed == ours && other == context && opened == record, "only what was sealed for it opens")
    } catch {
      require(changed != ours || other != context, "what was sealed opens")
    }
    checkHeader(choices.rest())
  }

  /// A header whose checksum holds is one we know, and asks for no more work than is allowed.
  private static func checkHeader(_ bytes: [UInt8]) {
    let checked = SealingHeader.magic + bytes.prefix(72) + [UInt8](repeating: 0, count: max(0, 72 - bytes.count))
    let file = checked + SHA256.digest(checked).prefix(SealingHeader.count - checked.count)
    do throws(SealedFileDamage) {
      let header = try SealingHeader(reading: file)
      require(header.bytes == file && file[8] == SealingHeader.version, "a header is read as it is")
      guard case .passphrase(_, let cost) = header.derivation else { return }
      require(cost.memory <= 1 << 30 && cost.operations <= 16, "no file asks for more work than is allowed")
    } catch {
      require(error != .truncated && error != .changed, "its checksum holds")
    }
  }

  /// The bytes with some of them changed, or cut off, or followed by more.
  static func mutated(_ bytes: [UInt8], _ choices: inout Choices) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<choices.byte() % 4 {
      let place = Int(choices.number(UInt16.self)) % max(1, bytes.count)
      switch choices.byte() % 4 {
      case 0: bytes = Array(bytes[..<place])
      case 1: bytes += choices.chunk()
      default: if !bytes.isEmpty { bytes[place] ^= choices.byte() }
      }
    }
    return bytes
  }
}
