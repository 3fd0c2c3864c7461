import Systemd
import Testing

@Suite struct BusAddressTests {
  @Test func `the session's variable names the bus`() {
    let address = BusAddress(environment: [
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=/a", "XDG_RUNTIME_DIR": "/run/user/1",
    ])
    #expect(address?.text == "unix:path=/a")
  }

  @Test func `without it the bus is looked for in the runtime directory`() {
    #expect(BusAddress(environment: ["XDG_RUNTIME_DIR": "/run/user/1"])?.text == "unix:path=/run/user/1/bus")
  }

  @Test func `odd characters of the path are escaped`() {
    #expect(BusAddress(environment: ["XDG_RUNTIME_DIR": "/r;,=ü"])?.text == "unix:path=/r%3b%2c%3d%c3%bc/bus")
  }

  @Test(arguments: ["autolaunch:", "tcp:host=a,port=1", "unixexec:path=/bin/sh", "unix:path=/a;tcp:host=b", "nonsense"])
  func `an address that could block or run a program is not used`(address: String) {
    #expect(BusAddress(environment: ["DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": "/r"]) == nil)
  }

  @Test func `without either there is no bus`() { #expect(BusAddress(environment: [:]) == nil) }

  @Test func `a relative runtime directory counts as unset`() {
    #expect(BusAddress(environment: ["XDG_RUNTIME_DIR": "run"]) == nil)
  }
}
