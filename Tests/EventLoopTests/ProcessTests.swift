import EventLoop
import Glibc
import Testing

@Suite struct ProcessTests {
  @Test func `a child's exit status arrives without a wait`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let child = try ChildWatch(start("exit 7"), on: thread.loop)
    #expect(try await child.exit() == .exited(7))
  }

  @Test func `a child that was killed says by which signal`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let child = try ChildWatch(start("exec sleep 600"), on: thread.loop)
    #expect(child.kill(SIGKILL))
    #expect(try await child.exit() == .killed(SIGKILL))
    #expect(!child.kill(SIGKILL))
  }

  @Test func `a child that its tracer still holds is looked for again until it can be had`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let looks = Shared(0)
    let child = try ChildWatch(start("exit 7"), on: thread.loop) { pidfd in
      let count = looks.change {
        $0 += 1
        return $0
      }
      return count < 3 ? nil : ChildWatch.reap(pidfd)
    }
    #expect(try await child.exit() == .exited(7))
    #expect(looks.value == 3)
  }

  @Test func `a signal becomes an event of the loop`() async throws {
    let thread = try LoopThread(name: "test")
    defer { thread.stop() }
    let loop = thread.loop
    let heard = Latch<Int32>()
    // Blocked and sent in the loop's own thread, so that no other thread of the tests is hit.
    let source = try await Task(executorPreference: loop) {
      let source = try SignalSource([SIGUSR2], on: loop) { heard.settle($0) }
      pthread_kill(pthread_self(), SIGUSR2)
      return source
    }.value
    #expect(try await heard.wait() == SIGUSR2)
    withExtendedLifetime(source) {}
  }

  private func start(_ script: String) throws -> pid_t {
    var process: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("sh"), strdup("-c"), strdup(script), nil]
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    let failure = unsafe posix_spawn(&process, "/bin/sh", nil, nil, &arguments, nil)
    guard failure == 0 else { throw SystemError("posix_spawn", failure) }
    return process
  }
}
