import Glibc
import JSON
import Secrets
import Wire

extension FuzzTarget {
  /// However the bytes of a connection are cut, the daemon reads the same calls, and never holds more than a frame; what
  /// a client reads of a reply it writes back the same.
  static let frames = FuzzTarget(name: "frames") { bytes in
    var choices = Choices(bytes)
    let cut = choices.number(UInt64.self)
    let stream = choices.rest()
    let whole = Reception(stream, cut: nil).entries
    let pieces = Reception(stream, cut: cut).entries
    require(whole == pieces, "cutting the bytes changes nothing")
    require(whole == expected(stream), "each frame is read as what it is, up to the last that can be trusted")
    for frame in stream.split(separator: 0) { checkReply(Array(frame)) }
  }

  /// What the frames say, found without looking at them one after the other.
  private static func expected(_ stream: [UInt8]) -> [String] {
    var entries: [String] = []
    let frames = stream.split(separator: 0, omittingEmptySubsequences: false)
    for (index, frame) in frames.enumerated() {
      if frame.count > Reception.limit { return entries + [Reception.tooLarge] }
      if index == frames.count - 1 { return entries }
      do throws(CallError) {
        let call = unsafe try Call(Array(frame).span.bytes)
        checkCall(call)
        entries.append(Reception.text(.call(call)))
      } catch {
        switch error {
        case .malformed: return entries + [Reception.text(.refusal(error.reply, isLast: true))]
        case .invalid: entries.append(Reception.text(.refusal(error.reply, isLast: false)))
        }
      }
    }
    return entries
  }

  /// A call's parameters are read as its method has them; what passes is written and read as the same.
  private static func checkCall(_ call: Call) {
    guard let method = Wire.methods.first(where: { $0.qualifiedName == call.method }) else { return }
    checkParameters(call, of: method)
  }

  private static func checkParameters<Method: VarlinkMethod>(_ call: Call, of: Method.Type) {
    do throws(JSONMemberError) {
      let parameters = try Method.Parameters(strict: call.parameters)
      var buffer = WipedBuffer()
      buffer.appendCall(Method.self, parameters, mode: call.mode)
      let text = buffer.revealed
      guard let again = callOf(text.dropLast()) else { return require(false, "a call that is written can be read") }
      require(again.method == call.method && again.mode == call.mode, "a call keeps its method and mode")
      var second = WipedBuffer()
      second.appendCall(Method.self, try Method.Parameters(strict: again.parameters), mode: again.mode)
      require(second.revealed == text, "a call that is written reads back the same")
    } catch {
      _ = ErrorReply(error)
    }
  }

  private static func callOf(_ frame: ArraySlice<UInt8>) -> Call? {
    do throws(CallError) { return unsafe try Call(Array(frame).span.bytes) } catch { return nil }
  }

  private static func checkReply(_ frame: [UInt8]) {
    do throws(ReplyError) {
      guard case .error(let error) = unsafe try ReplyMessage(frame.span.bytes) else { return }
      var buffer = WipedBuffer()
      buffer.appendError(error)
      let text = buffer.revealed
      require(
        unsafe try ReplyMessage(Array(text.dropLast()).span.bytes) == .error(error), "an error reads back the same")
    } catch {
      return
    }
  }
}

/// A connection's inbox at work on a real socket, as the server works it.
struct Reception {
  static let limit = 1024
  static let tooLarge = text(
    .refusal(.almoner(.badRequest(field: "", message: "The message is too large.", help: "")), isLast: true))

  /// What came, in words that can be compared.
  private(set) var entries: [String] = []
  private var isOver = false
  /// Bytes of each frame with its NUL, and how many of them all were received and not yet understood.
  private let frames: [Int]
  private var held = 0

  /// Feeds `stream` at once, or in pieces whose sizes follow from `cut`.
  init(_ stream: [UInt8], cut: UInt64?) {
    frames = stream.split(separator: 0, omittingEmptySubsequences: false).map { $0.count + 1 }
    var inbox = Inbox(limit: Self.limit)
    var spare = WipedBuffer()
    var rest = stream[...]
    var state = cut ?? 0
    while !rest.isEmpty && !isOver {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let size = cut == nil ? rest.count : Int(state >> 33) % (state >> 60 == 0 ? 2048 : 24) + 1
      let piece = Array(rest.prefix(min(size, Pair.capacity)))
      rest = rest.dropFirst(piece.count)
      Pair.shared.send(piece)
      inbox.borrow(&spare)
      receive(&inbox, atMost: cut == nil ? .max : Int(state >> 20 & 0x3ff) + 1, unread: state >> 40 & 1 == 1)
      inbox.lend(&spare)
    }
    Pair.shared.drain()
  }

  private mutating func receive(_ inbox: inout Inbox, atMost most: Int, unread: Bool) {
    while !isOver {
      let before = Pair.shared.waiting
      let arrival = inbox.read(Pair.shared.ours, atMost: most)
      let count = before - Pair.shared.waiting
      require(count <= most, "no more is read than is wanted")
      held += count
      require(held <= Self.limit + 1, "no more is held than one frame and its NUL")
      while !isOver, let taken = inbox.take(unread: unread) {
        let entry = if case .frame(let frame) = taken { frame.read() } else { taken }
        if case .refusal(_, isLast: true) = entry { isOver = true }
        held -= frames[entries.count]
        entries.append(Self.text(entry))
      }
      switch arrival {
      case .bytes: break
      case .nothing: return require(Pair.shared.waiting == 0 || isOver, "all that is there is read")
      case .end, .broken: return require(false, "the connection is whole")
      }
    }
  }

  static func text(_ entry: Conversation.Entry) -> String {
    switch entry {
    case .frame: return "not read"
    case .call(let call):
      var writer = JSONWriter()
      writer.value(.object(call.parameters))
      return "\(call.method) \(call.mode) \(String(decoding: writer.finish().revealed, as: UTF8.self))"
    case .refusal(let error, let isLast): return "\(error) \(isLast)"
    }
  }
}

/// Two ends of a connection, made once.
struct Pair {
  static let shared = Pair()
  static let capacity = 32 << 10

  let ours: Int32
  private let theirs: Int32

  private init() {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0, "a socket pair can be had")
    (ours, theirs) = (ends[0], ends[1])
  }

  /// Bytes that were sent and not received.
  var waiting: Int {
    var count: Int32 = 0
    _ = unsafe ioctl(ours, UInt(FIONREAD), &count)
    return Int(count)
  }

  func send(_ bytes: [UInt8]) {
    require(unsafe Glibc.send(theirs, bytes, bytes.count, 0) == bytes.count, "a piece fits the socket")
  }

  func drain() {
    var room = [UInt8](repeating: 0, count: Self.capacity)
    while unsafe recv(ours, &room, room.count, 0) > 0 {}
  }
}
