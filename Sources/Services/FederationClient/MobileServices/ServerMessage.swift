import HTTPExchange
import TokenBasics

/// The message of a Mobile Service about a rejection, for display to the person: known secrets masked,
/// what a person cannot see replaced by spaces, at most 500 Unicode scalars. Plain text, not HTML.
public struct ServerMessage: Hashable, Sendable, CustomStringConvertible {
  /// The HTTP status of the response; 401 for an error in a browser sign-in.
  public let status: Int
  /// The message, or `status` and the number if there is none.
  public let text: String

  /// A problem with the token that the service's known wordings report.
  public enum TokenProblem: Hashable, Sendable {
    /// The token has expired.
    case expired
    /// The token was signed with another key, or with a key derivation used until April 2014.
    case invalidSignature
    /// The token has no expiration claim.
    case noExpiration
  }

  /// The problem with the token; nil for any other wording.
  public var complaint: TokenProblem? {
    if text.mentions("The authentication token has expired") { return .expired }
    if text.mentions("The authentication token has an invalid signature") {
      return .invalidSignature
    }
    if text.mentions("The authentication token requires expiration claim") { return .noExpiration }
    return nil
  }

  /// The same as ``text``.
  public var description: String { text }

  init(status: Int, _ text: String, hiding secrets: [Secret]) {
    self.status = status
    var shown = ""
    for scalar in Redaction(secrets).mask(text).unicodeScalars.prefix(500) {
      shown.unicodeScalars.append(scalar.isHidden ? " " : scalar)
    }
    self.text = shown
  }

  /// The message of a response with status 400 or more: a JSON string, a member `error` or
  /// `description`, plain text, or the status itself.
  init(_ answer: HTTPResponse, hiding secrets: [Secret]) {
    let phrase = "status \(answer.status)"
    var text: String?
    if let json = try? JSONParser.parse(answer.body) {
      text = json.string ?? json["error"]?.string ?? json["description"]?.string
    } else if !(answer.fields["Content-Type"] ?? "").mentions("html") {
      text = String(validating: answer.body, as: UTF8.self)
    }
    self.init(
      status: answer.status, text.flatMap { $0.isEmpty ? nil : $0 } ?? phrase, hiding: secrets)
  }
}
