import HTTPServer
import JSON

extension Fate {
  /// A fate's JSON is wrong. The reason names the member.
  struct Malformed: Error {
    let reason: String
  }

  /// The longest wait that can be asked for: ten minutes.
  static let longest: Int64 = 600_000

  /// Reads an element of `POST fates`: a name, or an object with `fate`, `on`, `delay_before_commit`,
  /// `delay_before_answer`, `commit`, and what the fate itself needs.
  init(_ value: JSONValue) throws {
    if case .string(let name) = value {
      var object = JSONObject()
      object.append("fate", .string(name))
      try self.init(object)
    } else if case .object(let object) = value {
      try self.init(object)
    } else {
      throw Malformed(reason: "a fate is a name or an object")
    }
  }

  private init(_ object: JSONObject) throws {
    if let name = try object.string(ifPresent: "on") {
      guard let target = Target(rawValue: name) else {
        throw Malformed(reason: "on is one of " + Target.allCases.map(\.rawValue).joined(separator: ", "))
      }
      self.target = target
    }
    try read(object.string(ifPresent: "fate") ?? "answer", object)
    delayBeforeCommit += try Self.milliseconds(object, "delay_before_commit", 0)
    delayBeforeAnswer += try Self.milliseconds(object, "delay_before_answer", 0)
    if let commits = try object.bool(ifPresent: "commit") { self.commits = commits }
  }

  private mutating func read(_ name: String, _ object: JSONObject) throws {
    switch name {
    case "answer": break
    case "delay_before_commit", "delay_before_answer": break
    case "lose_request": (commits, ending) = (false, .close)
    case "lose_answer": ending = .close
    case "late": ending = .late(try Self.milliseconds(object, "ms", 1000))
    case "status": (commits, ending) = (false, .replace(try Self.statusResponse(object)))
    case "html": (commits, ending) = (false, .replace(HTTPResponse(200, type: "text/html", Self.portal)))
    case "empty_400": (commits, ending) = (false, .replace(HTTPResponse(400)))
    case "redirect": (commits, ending) = (false, .replace(try Self.redirectResponse(object)))
    case "truncated_json": ending = .truncate
    case "slow_bytes":
      let bytes = try object.int(ifPresent: "bytes") ?? 1
      ending = .slow(bytes: Int(max(1, min(bytes, 4096))), pause: try Self.milliseconds(object, "ms", 10))
    default: throw Malformed(reason: "no fate has this name")
    }
  }

  private static func statusResponse(_ object: JSONObject) throws -> HTTPResponse {
    let status = try object.int(ifPresent: "status") ?? 503
    guard (200...599).contains(status) else { throw Malformed(reason: "status is 200 to 599") }
    let body = try object.string(ifPresent: "body") ?? ""
    return HTTPResponse(Int(status), headers: try headers(object), body: Array(body.utf8))
  }

  private static func redirectResponse(_ object: JSONObject) throws -> HTTPResponse {
    let location = try object.string(ifPresent: "location") ?? "https://elsewhere.example/token/"
    guard isHeaderText(location) else { throw Malformed(reason: "location holds a control character") }
    let status = try object.int(ifPresent: "status") ?? 307
    guard (300...399).contains(status) else { throw Malformed(reason: "status of a redirect is 300 to 399") }
    return HTTPResponse(Int(status), headers: [.init("Location", location)])
  }

  private static func headers(_ object: JSONObject) throws -> [HTTPRequest.Header] {
    try (object.object(ifPresent: "headers") ?? JSONObject()).members.map { member in
      guard case .string(let value) = member.value, isHeaderText(value), isHeaderText(member.name) else {
        throw Malformed(reason: "headers are texts without control characters")
      }
      return .init(member.name, value)
    }
  }

  private static func isHeaderText(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

  static func milliseconds(_ object: JSONObject, _ name: String, _ standard: Int64) throws -> Duration {
    let value = try object.int(ifPresent: name) ?? standard
    guard (0...longest).contains(value) else { throw Malformed(reason: "\(name) is 0 to \(longest) milliseconds") }
    return .milliseconds(value)
  }

  /// What a captive portal says.
  private static let portal = "<!DOCTYPE html><title>Welcome</title><h1>Please accept the terms of this network</h1>"
}
