import Commands
import Glibc
import Testing

@Suite struct LaunchTests {
  @Test func `the end of a program is told`() throws {
    let program = Program("/bin/sh", ["-c", "exit 7"], environment: [])
    #expect(try program.start().end(within: 10_000) == .exited(7))
  }

  @Test func `a program that cannot run is an error of the start`() {
    #expect(throws: LaunchError(number: ENOENT)) { _ = try Program("/nonexistent", [], environment: []).start() }
  }

  @Test func `a program that does not end is killed`() throws {
    let program = Program("/bin/sh", ["-c", "read forever < /dev/tty; sleep 1000"], environment: [])
    #expect(try program.start().end(within: 0) == .killed(signal: SIGKILL))
  }

  @Test func `a program has the named variables and descriptors and no others`() throws {
    let leak = OwnedDescriptor(dup2(1, 77))
    var pipe = try Pipe()
    var program = Program("/bin/sh", ["-c", "ls -m /proc/$$/fd; env"], environment: ["PATH=/bin:/usr/bin", "A=b"])
    program.output = pipe.inheritable
    program.isDetached = true
    let child = try program.start()
    pipe.closeWriting()
    let text = String(decoding: pipe.readAll(limit: 4096, idle: 10_000), as: UTF8.self)
    #expect(child.end(within: 10_000) == .exited(0))
    #expect(text.hasPrefix("0, 1, 2\n") && text.contains("A=b\n") && !text.contains("HOME="))
    _ = leak.number
  }

  @Test func `a secluded program runs in the root with a private umask`() throws {
    var pipe = try Pipe()
    var program = Program("/bin/sh", ["-c", "pwd; umask; ls -m /proc/$$/fd"], environment: ["PATH=/bin:/usr/bin"])
    program.output = pipe.inheritable
    program.ready = pipe.inheritable
    program.isSecluded = true
    _ = try program.start().end(within: 10_000)
    pipe.closeWriting()
    let text = String(decoding: pipe.readAll(limit: 4096, idle: 10_000), as: UTF8.self)
    #expect(text == "/\n0077\n0, 1, 2, 3\n")
  }
}
