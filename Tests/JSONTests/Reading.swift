import JSON
import Secrets

/// Reads text in tests.
func read(
  _ text: String, limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []
) throws(JSONError) -> JSONValue {
  try read(Array(text.utf8), limits: limits, secretMembers: secretMembers)
}

func read(
  _ bytes: [UInt8], limits: JSONLimits = JSONLimits(), secretMembers: Set<String> = []
) throws(JSONError) -> JSONValue {
  try unsafe JSONReader.parse(bytes.span.bytes, limits: limits, secretMembers: secretMembers)
}

func readObject(_ text: String, secretMembers: Set<String> = []) throws(JSONError) -> JSONObject {
  let bytes = Array(text.utf8)
  return try unsafe JSONReader.parseObject(bytes.span.bytes, secretMembers: secretMembers)
}

/// What the writer made of a value.
func written(_ body: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  body(&writer)
  let buffer = writer.finish()
  return unsafe buffer.withUnsafeBytes { bytes in unsafe String(decoding: bytes, as: UTF8.self) }
}

func written(_ value: JSONValue) -> String { written { $0.value(value) } }
