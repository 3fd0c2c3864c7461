import Configuration
import Glibc
import Testing

/// A machine with a system directory and a person's one.
private struct Machine {
  let root: TemporaryDirectory
  let files: ConfigurationFiles

  init() throws {
    root = try TemporaryDirectory()
    for name in ["etc", "etc/almoner.conf.d", "home", "home/almoner", "home/almoner/almoner.conf.d"] {
      try root.makeDirectory(name)
    }
    let base = try #require(BaseDirectories(environment: ["HOME": "/", "XDG_CONFIG_HOME": root.path + "/home"]))
    files = ConfigurationFiles(system: root.path + "/etc", base)
  }

  func interval() -> Duration { files.load().configuration.refresh.forceInterval }
  func problems() -> [String] { files.load().problems.map { $0.description.replacing(root.path, with: "") } }
}

private func refresh(_ interval: String) -> String { "[refresh]\nforce-interval=\(interval)\n" }

@Suite struct ConfigurationFilesTests {
  @Test func `files count in the order system, its fragments by name, person, their fragments`() throws {
    let machine = try Machine()
    let order = [
      "etc/almoner.conf", "etc/almoner.conf.d/10.conf", "etc/almoner.conf.d/20.conf", "home/almoner/almoner.conf",
      "home/almoner/almoner.conf.d/a.conf",
    ]
    for name in order.reversed() { try machine.root.write(name, refresh("1s")) }
    #expect(machine.files.load().files == order.map { "\(machine.root.path)/\($0)" })
  }

  @Test func `the last one wins`() throws {
    let machine = try Machine()
    try machine.root.write("etc/almoner.conf", refresh("1s"))
    try machine.root.write("home/almoner/almoner.conf.d/a.conf", refresh("2s"))
    #expect(machine.interval() == .seconds(2))
  }

  @Test func `what is not there is no problem`() throws {
    let base = try #require(BaseDirectories(environment: ["HOME": "/nowhere"]))
    #expect(ConfigurationFiles(system: "/nowhere/etc", base).load().problems.isEmpty)
  }

  @Test func `only names ending in .conf and not hidden are fragments`() throws {
    let machine = try Machine()
    for name in ["a.conf~", ".b.conf", "c.txt"] { try machine.root.write("etc/almoner.conf.d/\(name)", "odd") }
    #expect(machine.files.load().files.isEmpty)
  }

  @Test func `a symbolic link is followed`() throws {
    let machine = try Machine()
    try machine.root.write("real", refresh("3s"))
    try machine.root.link("home/almoner/almoner.conf", to: machine.root.path + "/real")
    #expect(machine.interval() == .seconds(3))
  }

  @Test func `a file that others may write is not used`() throws {
    let machine = try Machine()
    try machine.root.write("etc/almoner.conf", refresh("4s"), mode: 0o666)
    #expect(machine.problems() == ["/etc/almoner.conf: cannot be read: others may write it"])
  }

  @Test func `a FIFO is refused without waiting for a writer`() throws {
    let machine = try Machine()
    try machine.root.makeFIFO("etc/almoner.conf")
    #expect(machine.problems() == ["/etc/almoner.conf: cannot be read: it is no regular file"])
  }

  @Test func `a directory is refused`() throws {
    let machine = try Machine()
    try machine.root.makeDirectory("etc/almoner.conf")
    #expect(machine.problems() == ["/etc/almoner.conf: cannot be read: it is no regular file"])
  }

  @Test func `a file over the limit is refused`() throws {
    let machine = try Machine()
    try machine.root.write("etc/almoner.conf", String(repeating: "#\n", count: 200_000))
    #expect(machine.problems() == ["/etc/almoner.conf: cannot be read: it is longer than 262144 bytes"])
  }

  @Test func `a link to nothing is nothing`() throws {
    let machine = try Machine()
    try machine.root.link("etc/almoner.conf", to: "/nowhere/x")
    #expect(machine.problems().isEmpty)
  }

  @Test func `too many fragments are a problem, and the first ones count`() throws {
    let machine = try Machine()
    for number in 100...164 { try machine.root.write("etc/almoner.conf.d/\(number).conf", refresh("5s")) }
    #expect(
      machine.problems() == ["/etc/almoner.conf.d: cannot be read: it has more than 64 files; the others are left out"])
  }

  @Test func `a relative directory in the environment counts as unset`() {
    let base = BaseDirectories(environment: ["HOME": "/home/a", "XDG_CONFIG_HOME": "x", "XDG_STATE_HOME": ""])
    #expect(base?.configuration == "/home/a/.config" && base?.state == "/home/a/.local/state")
  }

  @Test func `without a home there are no directories`() {
    #expect(BaseDirectories(environment: ["XDG_CONFIG_HOME": "/c"]) == nil)
  }
}
