/// Why a text is no URL that we would use. It does not repeat the text.
package enum WebURLError: Error, Equatable, Sendable {
  case tooLong
  case character
  case scheme
  case userInformation
  case host
  case port
  case fragment
}

extension WebURLError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong: "the URL has more than \(WebURL.maximumCount) bytes"
    case .character: "the URL holds a character that may not stand in one"
    case .scheme: "the URL starts neither with https:// nor with http://"
    case .userInformation: "the URL holds user information (an @ before the host)"
    case .host: "the URL's host is malformed"
    case .port: "the URL's port is not a number from 1 to 65535"
    case .fragment: "the URL has a fragment (a #)"
    }
  }
}
