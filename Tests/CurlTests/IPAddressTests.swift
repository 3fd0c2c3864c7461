import Curl
import Testing

@Suite struct IPAddressTests {
  @Test(arguments: ["203.0.113.10", "1.1.1.1", "172.15.0.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2003::1"])
  func `an address that everybody reaches is public`(text: String) { #expect(IPAddress(text)?.isPublic == true) }

  @Test(arguments: [
    "0.0.0.0", "10.1.2.3", "127.0.0.1", "127.9.9.9", "100.64.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
    "192.168.1.1", "192.0.0.8", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1",
    "fd00::1",
    "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2001::1", "2002:a00:1::1",
  ])
  func `an address of this machine, of the link or of a private network is not`(text: String) {
    #expect(IPAddress(text)?.isPublic == false)
  }
}
