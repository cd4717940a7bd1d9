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

  /// Whether a member is a fact about the token rather than a claim about the subject.
  static func isFact(_ name: String) -> Bool { factNames.contains(name) }

  // A list: five short names are compared faster than hashed.
  static let factNames = ["iss", "aud", "exp", "nbf", "jti"]

  /// - Throws: `input.json-member`, `time.malformed`.
  static func read(
    _ members: [(name: String, value: JSONValue)], in payload: [UInt8]
  ) throws(TokenError) -> RegisteredClaims {
    var claims = RegisteredClaims()
    var texts = ClaimTableBuilder(over: payload)
    var issuer = ClaimText.empty
    var subject: ClaimText?
    var tokenID: ClaimText?
    var audiences: [ClaimText] = []
    var expires: Instant?
    var notBefore: Instant?
    for (name, value) in members {
      switch name {
      case "iss": issuer = try string(name, value, &texts)
      case "sub": subject = try string(name, value, &texts)
      case "jti": tokenID = try string(name, value, &texts)
      case "aud": audiences = try Self.audiences(value, &texts)
      case "exp": expires = try instant(name, value)
      case "nbf": notBefore = try instant(name, value)
      case "iat": claims.issuedAt = try instant(name, value)
      case "nonce": claims.nonce = value.string
      default: break
      }
    }
    claims.facts = TokenFacts(
      ClaimTable(texts), issuer: issuer, subject: subject, audiences: audiences[...],
      notBefore: notBefore, expires: expires, tokenID: tokenID)
    return claims
  }

  private static func string(
    _ name: String, _ value: JSONValue, _ texts: inout ClaimTableBuilder
  ) throws(TokenError) -> ClaimText {
    guard let text = value.string, !text.isEmpty else {
      throw TokenError(.jsonMember, node: name, expected: "a string", found: value.kindName)
    }
    return texts.place(of: value)
  }

  private static func audiences(
    _ value: JSONValue, _ texts: inout ClaimTableBuilder
  ) throws(TokenError) -> [ClaimText] {
    if value.string != nil { return [texts.place(of: value)] }
    var list: [ClaimText] = []
    for item in value.array ?? [] {
      guard item.string != nil else {
        throw TokenError(
          .jsonMember, node: "aud", expected: "strings", found: item.kindName)
      }
      list.append(texts.place(of: item))
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
    guard let (seconds, nanoseconds) = decimal(text.utf8.span), seconds <= 253_402_300_799 else {
      throw TokenError(
        .malformedTime, node: name, expected: "seconds since 1970", found: TokenError.excerpt(text))
    }
    return Instant(secondsSinceEpoch: seconds, nanoseconds: nanoseconds)
  }

  /// One to twelve digits, and perhaps a fraction, of which what is shorter than a nanosecond is cut off.
  private static func decimal(_ text: Span<UInt8>) -> (seconds: Int64, nanoseconds: Int32)? {
    var seconds: Int64 = 0
    var index = 0
    while index < text.count, ASCII.isDigit(text[index]) {
      guard index < 12 else { return nil }
      seconds = seconds * 10 + Int64(text[index] &- UInt8(ascii: "0"))
      index += 1
    }
    guard index > 0 else { return nil }
    var nanoseconds: Int32 = 0
    guard index < text.count else { return (seconds, nanoseconds) }
    guard text[index] == UInt8(ascii: ".") else { return nil }
    var weight: Int32 = 100_000_000
    for byte in index + 1..<text.count {
      guard ASCII.isDigit(text[byte]) else { return nil }
      nanoseconds += weight * Int32(text[byte] &- UInt8(ascii: "0"))
      weight /= 10
    }
    return (seconds, nanoseconds)
  }
}
