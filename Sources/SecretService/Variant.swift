import CSecret

/// One owned GVariant: an argument or an answer on D-Bus.
@safe struct Variant: ~Copyable {
  let pointer: OpaquePointer

  /// Takes the caller's reference, or sinks a floating one.
  init(_ pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { preconditionFailure("GLib aborts when out of memory") }
    unsafe self.pointer = g_variant_take_ref(pointer)
  }

  deinit { unsafe g_variant_unref(pointer) }
}

// Reading. The caller has checked the type.
extension Variant {
  var count: Int { unsafe Int(g_variant_n_children(pointer)) }

  subscript(_ index: Int) -> Variant { unsafe Variant(g_variant_get_child_value(pointer, gsize(index))) }

  /// What a variant of type `v` holds.
  var content: Variant { unsafe Variant(g_variant_get_variant(pointer)) }

  /// The text of a string or an object path.
  var text: String {
    guard let text = unsafe g_variant_get_string(pointer, nil) else { return "" }
    return unsafe String(cString: text)
  }

  /// The texts of an array of strings or object paths.
  var texts: [String] {
    var texts: [String] = []
    for index in 0..<count { texts.append(self[index].text) }
    return texts
  }

  /// The Boolean, or nil when it is something else.
  var boolean: Bool? {
    guard hasType("b") else { return nil }
    return unsafe g_variant_get_boolean(pointer) != 0
  }

  /// A dictionary `a{ss}`, or nil when it is something else.
  var dictionary: [String: String]? {
    guard hasType("a{ss}") else { return nil }
    var entries: [String: String] = [:]
    for index in 0..<count {
      let entry = self[index]
      entries[entry[0].text] = entry[1].text
    }
    return entries
  }

  func hasType(_ type: String) -> Bool {
    guard let own = unsafe g_variant_get_type_string(pointer) else { return false }
    return unsafe String(cString: own) == type
  }
}

// Making.
extension Variant {
  static func string(_ text: String) -> Variant { unsafe Variant(g_variant_new_string(text)) }
  /// `path` has to be a well-formed object path.
  static func objectPath(_ path: String) -> Variant { unsafe Variant(g_variant_new_object_path(path)) }
  /// `ao`, of well-formed object paths.
  static func objectPaths(_ paths: [String]) -> Variant {
    let builder = VariantBuilder("ao")
    for path in paths { builder.add(.objectPath(path)) }
    return builder.end()
  }

  static func boolean(_ value: Bool) -> Variant { unsafe Variant(g_variant_new_boolean(value ? 1 : 0)) }
  static func variant(_ content: consuming Variant) -> Variant {
    unsafe Variant(g_variant_new_variant(content.pointer))
  }

  static func entry(_ key: String, _ value: consuming Variant) -> Variant {
    let key = Variant.string(key)
    return unsafe Variant(g_variant_new_dict_entry(key.pointer, value.pointer))
  }

  /// `a{ss}`.
  static func dictionary(_ entries: [String: String]) -> Variant {
    let builder = VariantBuilder("a{ss}")
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) { builder.add(.entry(key, .string(value))) }
    return builder.end()
  }
}

/// Collects the children of a container.
@safe struct VariantBuilder: ~Copyable {
  private let pointer: UnsafeMutablePointer<GVariantBuilder>

  /// `type` is a GVariant type string of ours: `(…)`, `a{…}`.
  init(_ type: String) {
    guard let signature = unsafe g_variant_type_new(type), let builder = unsafe g_variant_builder_new(signature) else {
      preconditionFailure("GLib aborts when out of memory")
    }
    unsafe g_variant_type_free(signature)
    unsafe pointer = builder
  }

  deinit { unsafe g_variant_builder_unref(pointer) }

  func add(_ value: consuming Variant) { unsafe g_variant_builder_add_value(pointer, value.pointer) }

  /// The container. Nothing can be added afterwards.
  consuming func end() -> Variant { unsafe Variant(g_variant_builder_end(pointer)) }
}
