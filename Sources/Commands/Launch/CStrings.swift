import Glibc

/// Text for C: an array of strings that ends with NULL, freed with its owner.
@safe struct CStrings: ~Copyable {
  let pointers: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>

  init(_ texts: [String]) {
    unsafe pointers = .allocate(capacity: texts.count + 1)
    for (index, text) in texts.enumerated() { unsafe pointers.initializeElement(at: index, to: strdup(text)) }
    unsafe pointers.initializeElement(at: texts.count, to: nil)
  }

  deinit {
    for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
