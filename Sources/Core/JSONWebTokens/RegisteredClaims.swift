import Claims
import Octets
import TokenBasics

/// The registered claims (RFC 7519, 4.1), each of exactly the type that the RFC gives it, or null for one that is not there.
struct RegisteredClaims: Sendable {
  /// The token's facts, in the table of its claims.
  let facts: TokenFacts
  let issuedAt: Instant?
  private let nonceText: ClaimText?

  /// The value that binds the token to a request (OpenID Connect Core 1.0, 2).
  var nonce: String? { nonceText.map(facts.table.string) }

  /// - Throws: `input.json-member`, `time.malformed`.
  init(_ payload: JSONDocument) throws(TokenError) {
    var issuer = ClaimText.empty
    var subject: ClaimText?
    var tokenID: ClaimText?
    var nonce: ClaimText?
    var audiences = AudienceRestrictions()
    var expires: Instant?
    var notBefore: Instant?
    var issuedAt: Instant?
    var count = 0
    for (number, member) in payload.children() {
      count += 1
      guard let claim = RegisteredClaim.of(member, in: payload) else { continue }
      // A member that is null is not there. A subject that is null is another person to a reader who makes a text of it.
      if case .null = member.kind, claim != .subject { continue }
      switch claim {
      case .issuer: issuer = try Self.string(claim, member)
      case .subject: subject = try Self.string(claim, member)
      case .tokenID: tokenID = try Self.string(claim, member)
      case .audience: audiences = try Self.audiences(number, member, in: payload)
      case .expires: expires = try Self.instant(claim, member, payload)
      case .notBefore: notBefore = try Self.instant(claim, member, payload)
      case .issuedAt: issuedAt = try Self.instant(claim, member, payload)
      case .nonce: nonce = member.kind == .string ? ClaimText(member.textRange) : nil
      }
    }
    var claims = ClaimTableBuilder(over: payload.octets, claimCount: count)
    claims.addMembers(of: payload, issuer: issuer, naming: .asWritten)
    let texts = FactTexts(
      issuer: issuer, subject: subject, audiences: audiences, notBefore: notBefore,
      expires: expires, issued: issuedAt, tokenID: tokenID)
    facts = TokenFacts(claims, texts)
    self.issuedAt = issuedAt
    nonceText = nonce
  }

  private static func string(
    _ claim: RegisteredClaim, _ value: JSONDocument.Node
  ) throws(TokenError) -> ClaimText {
    guard value.kind == .string, !value.textRange.isEmpty else {
      throw TokenError(
        .jsonMember, node: "\(claim.name)", expected: "a string that is not empty",
        found: value.kind == .string ? "an empty string" : value.kind.rawValue)
    }
    return ClaimText(value.textRange)
  }

  private static func audiences(
    _ number: Int, _ value: JSONDocument.Node, in payload: JSONDocument
  ) throws(TokenError) -> AudienceRestrictions {
    switch value.kind {
    case .string:
      return AudienceRestrictions(ClaimText(value.textRange))
    case .array:
      var audiences = AudienceRestrictions()
      for (_, item) in payload.children(of: number) {
        guard item.kind == .string else {
          throw TokenError(
            .jsonMember, node: "aud", expected: "strings", found: item.kind.rawValue)
        }
        if audiences.count == 0 { audiences.beginRestriction() }
        audiences.append(ClaimText(item.textRange))
      }
      return audiences
    default:
      throw TokenError(
        .jsonMember, node: "aud", expected: "a string or an array", found: value.kind.rawValue)
    }
  }

  /// A ``NumericDate``.
  private static func instant(
    _ claim: RegisteredClaim, _ value: JSONDocument.Node, _ payload: JSONDocument
  ) throws(TokenError) -> Instant {
    guard value.kind == .number,
      let instant = NumericDate.instant(payload.octets.span.extracting(value.range))
    else {
      let isNumber = value.kind == .number
      throw NumericDate.error(
        claim.name, isNumber: isNumber,
        found: isNumber ? payload.string(value.range) : value.kind.rawValue)
    }
    return instant
  }
}

/// A claim that RFC 7519, 4.1 or OpenID Connect registers and that is read here.
enum RegisteredClaim: CaseIterable {
  case issuer
  case subject
  case audience
  case expires
  case notBefore
  case issuedAt
  case tokenID
  case nonce

  var name: StaticString {
    switch self {
    case .issuer: "iss"
    case .subject: "sub"
    case .audience: "aud"
    case .expires: "exp"
    case .notBefore: "nbf"
    case .issuedAt: "iat"
    case .tokenID: "jti"
    case .nonce: "nonce"
    }
  }

  /// Whether it is a fact about the token rather than a claim about the subject.
  var isFact: Bool {
    switch self {
    case .issuer, .audience, .expires, .notBefore, .tokenID: true
    case .subject, .issuedAt, .nonce: false
    }
  }

  /// The registered claim that a member of the payload is, if any.
  static func of(_ member: JSONDocument.Node, in payload: JSONDocument) -> RegisteredClaim? {
    // Most names are longer than any of these.
    guard member.nameRange.count <= longest else { return nil }
    for (mark, claim) in marks where mark == member.nameMark {
      return payload.isNamed(member, claim.name) ? claim : nil
    }
    return nil
  }

  /// Bytes of the longest name. Not stored: what is stored is asked for through the runtime, for each member.
  private static var longest: Int { nonce.name.utf8CodeUnitCount }

  // Each name has a mark of its own.
  private static let marks = allCases.map {
    (ByteHash.mark(Array($0.name.description.utf8).span), $0)
  }
}
