import Confinement
import Exchange
import Glibc
import HTTPServer

/// The life of the child: bind, confine itself, say so, serve until the attempt is over.
enum CallbackProgram {
  /// Returns the exit status: 0 when the wait ended in order, 1 when there was no listener.
  static func run(_ listen: CallbackFrame.Listen, _ channel: DaemonChannel) -> Int32 {
    do {
      let sockets = try CallbackSockets(listen)
      let gate = CallbackGate(listen, port: sockets.port)
      let service = CallbackService(gate, PeerTable(), channel, deadline: .seconds(Int64(listen.deadline)))
      let limits = HTTPLimits(target: CallbackFrame.maximumQuery + 2048, body: 0, connections: 32)
      let server = try HTTPServer(polledOn: sockets.descriptors, limits: limits, handler: service)
      _ = try Confinement.callback()
      // From here on bytes of strangers are read.
      guard channel.send(.listening(port: sockets.port)) else { return 0 }
      service.run(server)
      return 0
    } catch LoopbackListener.Failure.portBusy {
      _ = channel.send(.portBusy)
    } catch LoopbackListener.Failure.system(let code) {
      _ = channel.send(.failed(errno: code))
    } catch let error as ConfinementError {
      _ = channel.send(.failed(errno: error.code))
    } catch {
      _ = channel.send(.failed(errno: ENOMEM))
    }
    return 1
  }

  /// For whoever starts it by hand.
  static func explain() {
    let text = "almoner-callback waits for a browser on behalf of almonerd, which starts it. It does nothing else.\n"
    let bytes = Array(text.utf8)
    _ = unsafe write(2, bytes, bytes.count)
  }
}
