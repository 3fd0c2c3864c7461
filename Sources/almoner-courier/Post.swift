import Journal
import Secrets

/// The courier's end of the channel to the daemon.
struct Post {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func send(_ message: FromCourier) throws {
    try Channel.send(try Freight.encode(message), on: descriptor)
  }

  /// The next message; throws when none comes within so many milliseconds, or the daemon is gone.
  func receive(within milliseconds: Int32) throws -> ToCourier {
    try Freight.toCourier(try Channel.receive(on: descriptor, within: milliseconds))
  }
}
