import Claims
import Instants
import Octets
import StrictJSON
import TokenErrors

/// The registered claims (RFC 7519, 4.1), each of exactly the type that the RFC gives it.
struct RegisteredClaims: Sendable {
  private(set) var facts = TokenFacts()
  var issuedAt: Instant?
  /// What ties the token to a request (OpenID Connect Core 1.0, 2).
  var nonce: String?

  /// Those that are facts about the token rather than claims about the subject.
  static let names: Set = ["iss", "aud", "exp", "nbf", "jti"]

  /// - Throws: `input.json-member`, `time.malformed`.
  static func read(
    _ members: [(name: String, value: JSONValue)]
  ) throws(TokenError) -> RegisteredClaims {
    var claims = RegisteredClaims()
    var issuer = ""
    var subject: String?
    var tokenID: String?
    var audiences: [String] = []
    var expires: Instant?
    var notBefore: Instant?
    for (name, value) in members {
      switch name {
      case "iss": issuer = try string(name, value)
      case "sub": subject = try string(name, value)
      case "jti": tokenID = try string(name, value)
      case "aud": audiences = try Self.audiences(value)
      case "exp": expires = try instant(name, value)
      case "nbf": notBefore = try instant(name, value)
      case "iat": claims.issuedAt = try instant(name, value)
      case "nonce": claims.nonce = value.string
      default: break
      }
    }
    claims.facts = TokenFacts(
      issuer: issuer, subject: subject, audiences: audiences, notBefore: notBefore,
      expires: expires, tokenID: tokenID)
    return claims
  }

  private static func string(_ name: String, _ value: JSONValue) throws(TokenError) -> String {
    guard let text = value.string, !text.isEmpty else {
      throw TokenError(.jsonMember, node: name, expected: "a string", found: value.kindName)
    }
    return text
  }

  private static func audiences(_ value: JSONValue) throws(TokenError) -> [String] {
    if let one = value.string { return [one] }
    var list: [String] = []
    for item in value.array ?? [] {
      guard let text = item.string else {
        throw TokenError(
          .jsonMember, node: "aud", expected: "strings", found: item.kindName)
      }
      list.append(text)
    }
    guard value.array != nil else {
      throw TokenError(
        .jsonMember, node: "aud", expected: "a string or an array", found: value.kindName)
    }
    return list
  }

  /// A NumericDate (RFC 7519, 2): decimal seconds, a fraction allowed, no exponent, up to year 9999.
  private static func instant(_ name: String, _ value: JSONValue) throws(TokenError) -> Instant {
    guard case .number(let text) = value.kind else {
      throw TokenError(.malformedTime, node: name, expected: "a number", found: value.kindName)
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, (1...12).contains(whole.utf8.count),
      parts.allSatisfy({ $0.utf8.allSatisfy(ASCII.isDigit) }), let seconds = Int64(whole),
      seconds <= 253_402_300_799
    else {
      throw TokenError(
        .malformedTime, node: name, expected: "seconds since 1970", found: TokenError.excerpt(text))
    }
    let fraction = parts.count == 2 ? parts[1].prefix(9) : ""
    let digits = fraction + String(repeating: "0", count: 9 - fraction.utf8.count)
    return Instant(secondsSinceEpoch: seconds, nanoseconds: Int32(digits) ?? 0)
  }
}
