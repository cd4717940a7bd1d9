import HTTPExchange
import StrictJSON

/// What a Mobile Service says about a refusal, fit to be shown to the person: known secrets masked,
/// control characters gone, at most 500 characters. Text all the same, not HTML.
public struct ServerMessage: Hashable, Sendable, CustomStringConvertible {
  public let status: Int
  public let text: String

  /// What a message says about the token, where the service's wording is known.
  public enum Complaint: Hashable, Sendable {
    case expired
    /// The token was made with another key or by the derivation that ended in April 2014.
    case invalidSignature
    case noExpiration
  }

  public var complaint: Complaint? {
    if text.mentions("The authentication token has expired") { return .expired }
    if text.mentions("The authentication token has an invalid signature") {
      return .invalidSignature
    }
    if text.mentions("The authentication token requires expiration claim") { return .noExpiration }
    return nil
  }

  public var description: String { text }

  init(status: Int, _ text: String, hiding secrets: [Secret]) {
    self.status = status
    var shown = ""
    for scalar in Redaction(secrets).mask(text).unicodeScalars.prefix(500) {
      let category = scalar.properties.generalCategory
      let isInvisible = category == .control || category == .format
      shown.unicodeScalars.append(isInvisible ? " " : scalar)
    }
    self.text = shown
  }

  /// The message of an answer with status 400 or more: a JSON string, a member `error` or
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
