import CCurl
import Glibc

// C callbacks are file-scope functions: a closure could be inferred to belong to an actor and trap on another thread.
// `context` is the ExchangeState that HTTPExchange keeps alive during the transfer.

private func state(_ context: UnsafeMutableRawPointer?) -> ExchangeState? {
  guard let context = unsafe context else { return nil }
  return unsafe Unmanaged<ExchangeState>.fromOpaque(context).takeUnretainedValue()
}

func onBody(_ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?) -> Int
{
  unsafe state(context)?.keep(UnsafeRawBufferPointer(start: data, count: size * count)) ?? 0
}

func onHeader(
  _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  unsafe state(context)?.count(headerOf: size * count) == true ? size * count : 0
}

func onOpenSocket(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ target: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let state = unsafe state(context), let target = unsafe target, state.allows(unsafe address(target)) else {
    return -1
  }
  let type = unsafe target.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
  return unsafe socket(target.pointee.family, type, target.pointee.protocol)
}

func onPrereq(
  _ context: UnsafeMutableRawPointer?, _ serverIP: UnsafeMutablePointer<CChar>?,
  _ clientIP: UnsafeMutablePointer<CChar>?, _ serverPort: Int32, _ clientPort: Int32
) -> Int32 {
  guard let state = unsafe state(context) else { return Int32(CURL_PREREQFUNC_ABORT) }
  let client = unsafe endpoint(clientIP, clientPort)
  let server = unsafe endpoint(serverIP, serverPort)
  return Int32(state.mayDepart(client, server) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
}

private func endpoint(_ ip: UnsafeMutablePointer<CChar>?, _ port: Int32) -> SocketTable.Endpoint? {
  guard let ip = unsafe ip, let text = unsafe String(validatingCString: ip), let address = IPAddress(text),
    let port = UInt16(exactly: port)
  else { return nil }
  return SocketTable.Endpoint(address: address, port: port)
}

/// The address that libcurl is about to connect to; nil when it is of no IP family.
private func address(_ target: UnsafeMutablePointer<curl_sockaddr>) -> IPAddress? {
  guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \curl_sockaddr.addr) else { return nil }
  let socketAddress = unsafe UnsafeRawPointer(target) + offset
  let count = Int(unsafe target.pointee.addrlen)
  switch unsafe target.pointee.family {
  case AF_INET where count >= MemoryLayout<sockaddr_in>.size:
    let four = unsafe socketAddress.loadUnaligned(as: sockaddr_in.self).sin_addr
    return unsafe withUnsafeBytes(of: four) { unsafe IPAddress(mapping: Array($0)) }
  case AF_INET6 where count >= MemoryLayout<sockaddr_in6>.size:
    let sixteen = unsafe socketAddress.loadUnaligned(as: sockaddr_in6.self).sin6_addr
    return unsafe withUnsafeBytes(of: sixteen) { unsafe IPAddress(bytes: Array($0)) }
  default: return nil
  }
}
