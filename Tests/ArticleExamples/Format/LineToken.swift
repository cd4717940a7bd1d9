public import Claims
import SecurityKeys
public import TokenBasics

/// A token of one line: `issuer|audience|expires|subject|mac`. The MAC is an HMAC-SHA256, in base64url, over
/// the octets before the last `|`.
public struct LineToken: SecurityToken {
  /// What stands in the line, before the MAC is verified.
  public let unverifiedFacts: TokenFacts
  private let signed: [UInt8]
  private let mac: [UInt8]

  /// Reads a line.
  ///
  /// - Throws: `input.empty`, `input.too-large`, `input.not-utf8`, `input.unsupported-format`,
  ///   `time.malformed`.
  public init(parsing octets: [UInt8], limits: Limits = Limits()) throws(TokenError) {
    guard !octets.isEmpty else { throw TokenError(.emptyInput) }
    guard octets.count <= limits.bytes else {
      throw TokenError(.inputTooLarge, expected: "at most \(limits.bytes) bytes")
    }
    guard let text = String(validating: octets, as: UTF8.self) else { throw TokenError(.notUTF8) }
    let fields = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 5, let mac = try? Base64.decode(fields[4].utf8, .url) else {
      throw TokenError(.unsupportedFormat, expected: "issuer|audience|expires|subject|mac")
    }
    self.mac = mac
    signed = Array(octets.dropLast(fields[4].utf8.count + 1))
    unverifiedFacts = TokenFacts(
      issuer: fields[0], subject: fields[3], audiences: [fields[1]],
      expires: try Instant(dateTime: fields[2]))
  }

  /// A new format gets a value of its own; this one borrows that of Simple Web Tokens.
  public var format: TokenFormat { .swt }

  /// The line has no other claims than its subject.
  public var unverifiedClaims: ClaimSet { ClaimSet() }

  /// What single use goes by, since the line has no identifier.
  public var _signedOctets: [UInt8] { signed }

  /// Verifies the MAC, then issuer, audience and expiry.
  public func _verify(in context: inout VerificationContext) throws(TokenError) -> VerifiedContent {
    context.pass(.structure)
    let facts = unverifiedFacts
    // The issuer chooses the keys; nothing else in the token does.
    let entry = try context.entry(forIssuer: facts.issuerBytes, format, node: "field 1")
    let match = try context.require(.signature) { context throws(TokenError) in
      try entry.ring.match(mac, over: signed.span, .hmacSHA256, at: context.now)
    }
    context.pass(signature: match, node: "field 5", namesAlgorithm: false)
    context.check(facts.audienceRestrictions, in: facts.table, node: "field 2")
    context.checkWindow(notBefore: nil, expires: facts.expires, node: "field 3")
    // The line has a field for neither, so a caller that expects one is refused.
    context.refuseRecipient()
    context.refuseRequest()
    return VerifiedContent(facts: facts, signedBy: Signer(match), by: entry)
  }
}
