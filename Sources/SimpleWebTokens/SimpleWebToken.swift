public import Claims
import Instants
import Octets
public import TokenErrors

/// A Simple Web Token (SWT 0.9.5.1): form-encoded name-value pairs, the last of them an HMAC-SHA256
/// over the octets before it.
public struct SimpleWebToken: SecurityToken {
  private let received: ArraySlice<UInt8>
  private let signedEnd: Int
  /// The MAC that the token carries.
  let mac: InlineArray<32, UInt8>
  private let pairs: PairTable

  /// Reads a token as it travels, without surrounding quotes or white space.
  ///
  /// - Throws: `input.*` for what is no token; `signature.missing`, `signature.mac-malformed`,
  ///   `signature.mac-not-last`, `signature.mac-repeated` for a MAC that cannot be one.
  public init(parsing octets: [UInt8], limits: Limits = Limits()) throws(TokenError) {
    try self.init(parsing: octets[...], limits: limits)
  }

  /// As ``init(parsing:limits:)``, of a part of what came in.
  package init(parsing octets: ArraySlice<UInt8>, limits: Limits) throws(TokenError) {
    guard !octets.isEmpty else { throw TokenError(.emptyInput) }
    guard octets.count <= min(limits.bytes, Limits.hardByteLimit) else {
      throw TokenError(
        .inputTooLarge, expected: "at most \(limits.bytes) bytes", found: "\(octets.count) bytes")
    }
    var split = try PairReader(splitting: octets.span, limits: limits)
    let mac = try MACValue.decode(octets.span.extracting(split.mac))
    pairs = try PairTable(octets.span, &split)
    self.mac = mac
    received = octets
    signedEnd = split.signedEnd
  }

  public var format: TokenFormat { .swt }

  public var _signedOctets: [UInt8] { Array(signedOctets) }

  /// The token as received.
  package var octets: [UInt8] { Array(received) }

  /// The octets that the MAC covers, as received.
  package var signedOctets: ArraySlice<UInt8> { received.prefix(signedEnd) }

  /// The claims as written: every pair but the reserved ones (`Issuer`, `Audience`, `ExpiresOn`,
  /// `HMACSHA256`). A value with commas stays one value: the join is not reversible.
  public var unverifiedClaims: ClaimSet { ClaimSet(pairs.table) }

  public var unverifiedFacts: TokenFacts { facts(expires: try? expiry()) }

  /// What the token says of itself, with the end that was read already.
  func facts(expires: Instant?) -> TokenFacts {
    let issuer = pairs.issuer
    return TokenFacts(
      pairs.table, issuer: issuer ?? .empty, subject: pairs.subject, audience: pairs.audience,
      expires: expires)
  }

  /// `ExpiresOn`: 1 to 12 decimal digits of seconds since 1970 (SWT 0.9.5.1), up to year 9999.
  ///
  /// - Throws: `time.malformed`, `time.no-expiry`.
  func expiry() throws(TokenError) -> Instant {
    guard let text = pairs.expiresOn else {
      throw TokenError(.noExpiry, node: "ExpiresOn")
    }
    guard let seconds = Self.seconds(pairs.table.octets, text.range),
      Instant.secondsRange.contains(seconds)
    else {
      throw TokenError(
        .malformedTime, node: "ExpiresOn", expected: "1 to 12 digits, at most year 9999",
        found: TokenError.excerpt(pairs.table.string(text)))
    }
    return Instant(secondsSinceEpoch: seconds)
  }

  private static func seconds(_ octets: [UInt8], _ range: Range<Int>) -> Int64? {
    let digits = octets.span.extracting(range)
    guard (1...12).contains(digits.count) else { return nil }
    var seconds: Int64 = 0
    for index in digits.indices {
      guard ASCII.isDigit(digits[index]) else { return nil }
      // Twelve digits fit.
      seconds = seconds &* 10 &+ Int64(digits[index] &- 0x30)
    }
    return seconds
  }
}
