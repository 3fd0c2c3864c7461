import Configuration
import Glibc

/// `almonerd --check-config`: reads the configuration as the daemon would, says what it found, and starts nothing.
enum CheckConfiguration {
  static func run(_ environment: DaemonEnvironment) -> Never {
    guard let base = BaseDirectories(environment: environment.all) else {
      Report.fail("neither XDG_CONFIG_HOME nor HOME is an absolute path", status: 1)
    }
    let check = ConfigurationCheck(ConfigurationFiles(base).load())
    Report.print(check.report, status: check.isSound ? 0 : 1)
  }
}
