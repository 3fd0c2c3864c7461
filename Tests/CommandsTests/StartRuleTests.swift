import Commands
import Glibc
import LocalSocket
import Testing

@Suite struct StartRuleTests {
  @Test(arguments: [LocalSocketError.absent, .refused])
  func `a daemon is started when nobody listens`(error: LocalSocketError) {
    #expect(StartRule.decide(after: error, isExplicit: false) == .start)
  }

  @Test(arguments: [
    LocalSocketError.foreignServer(user: 1), .noRuntimeDirectory, .timedOut, .untrustedDirectory("is open to others"),
    .system(call: "connect", code: EACCES),
  ])
  func `no daemon is started for another reason`(error: LocalSocketError) {
    #expect(StartRule.decide(after: error, isExplicit: false) == .giveUp)
  }

  @Test func `no daemon is started for a socket that was named`() {
    #expect(StartRule.decide(after: .absent, isExplicit: true) == .giveUp)
  }

  @Test func `a unit that is not installed leaves the program itself`() {
    #expect(StartRule.decide(afterSystemctl: .exited(5)) == .unknownUnit)
    #expect(StartRule.decide(afterSystemctl: .exited(0)) == .started)
  }

  @Test(arguments: [Child.End.exited(1), .killed(signal: SIGKILL)])
  func `a unit that cannot start is told`(end: Child.End) {
    guard case .failed(let failure) = StartRule.decide(afterSystemctl: end) else {
      Issue.record("not told")
      return
    }
    #expect(failure.status == .noDaemon)
  }

  @Test func `status 7 of a daemon means that another one serves`() {
    #expect(StartRule.failure(afterDaemon: .exited(7)) == nil)
  }

  @Test func `any other end of a daemon is a failure`() {
    #expect(StartRule.failure(afterDaemon: .exited(127))?.message.contains("status 127") == true)
    #expect(StartRule.failure(afterDaemon: .killed(signal: 9))?.message.contains("signal 9") == true)
  }

  @Test func `a daemon gets the named variables and nothing else`() {
    let environment = Environment([
      "HOME": "/home/ada", "LC_TIME": "de_DE", "XDG_RUNTIME_DIR": "/run/user/1", "PATH": "/bin", "LD_PRELOAD": "x",
      "SECRET_BACKEND": "file", "SSLKEYLOGFILE": "/tmp/k",
    ])
    #expect(
      DaemonEnvironment.entries(from: environment)
        == ["HOME=/home/ada", "LC_TIME=de_DE", "XDG_RUNTIME_DIR=/run/user/1"])
  }
}
