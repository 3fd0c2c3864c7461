import CLinux
import EventLoop
import Glibc
import LocalSocket
import Server
import Testing
import Time

/// Case E7 with the kernel's own limit, in a process of its own.
@Suite struct DescriptorLimitTests {
  @Test func `E7 without a descriptor left the door neither spins nor stays shut`() async {
    await #expect(processExitsWith: .success) {
      let harness = try Harness { $0.acceptPause = .milliseconds(50) }
      let place = try Place()
      try await harness.server.serve(place.listener)
      // Sockets made before the limit falls; connecting them takes no descriptor on this side.
      var clients = (0..<100).map { _ in RawClient(clinux_socket()) }
      let highest = try #require(clients.map(\.descriptor).max())
      var limit = rlimit(rlim_cur: rlim_t(highest) + 11, rlim_max: rlim_t(highest) + 11)
      try #require(unsafe setrlimit(__rlimit_resource_t(7), &limit) == 0)
      for client in clients { try place.connect(client) }
      while await harness.server.connectionCount < 9 { await Task.yield() }
      let before = harness.thread.loop.pollCount
      try await harness.thread.loop.sleep(until: harness.thread.loop.now + .milliseconds(300))
      // Six pauses and what belongs to them; a spinning door would poll many thousand times.
      #expect(harness.thread.loop.pollCount - before < 200)
      clients.removeAll()
      // Who is let in while the others are still leaving may be told to come again.
      var answer: String?
      repeat { answer = try place.connect().call("GetAccessToken") } while answer?.contains("Busy") == true
      #expect(answer?.contains("token-1") == true)
    }
  }
}
