/// Why a text was refused: what is wrong, and at which byte. It never repeats the text.
package struct JSONError: Error, Equatable, Sendable {
  package enum Kind: String, Equatable, Sendable, CaseIterable {
    /// The text is longer than ``JSONLimits/bytes``.
    case tooLarge = "the text is too large"
    case tooDeep = "arrays and objects are nested too deeply"
    case stringTooLong = "a string is too long"
    case tooManyMembers = "an object has too many members"
    case tooManyElements = "an array has too many elements"
    /// RFC 8259 §4 leaves it open which of the two counts; here neither does.
    case duplicateMember = "a member occurs twice"
    case unexpectedEnd = "the text ends too early"
    case unexpectedByte = "a byte stands where none of its kind may"
    case trailingBytes = "something follows the value"
    /// A byte below 0x20 in a string (RFC 8259 §7).
    case controlCharacter = "a string holds a control character that is not escaped"
    case invalidEscape = "an escape is not one of JSON's"
    case loneSurrogate = "half of a surrogate pair stands alone"
    case invalidUTF8 = "a string is not UTF-8"
    case leadingZero = "a number starts with a needless zero"
    case invalidNumber = "a number is incomplete"
    case numberOutOfRange = "a number is too large"
    /// The text is well-formed but its outermost value is not an object.
    case notAnObject = "the text is not an object"
    /// The arena is full; nothing is wrong with the text.
    case secretMemoryExhausted = "no memory is left for secrets"
  }

  package let kind: Kind
  /// The byte at which it was noticed, counted from 0.
  package let offset: Int

  package init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String { "\(kind.rawValue) (byte \(offset))" }
}
