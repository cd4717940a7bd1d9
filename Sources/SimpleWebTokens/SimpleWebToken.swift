public import Claims
import Instants
import Octets
public import TokenErrors

/// A Simple Web Token (SWT 0.9.5.1): form-encoded name-value pairs, the last of them an HMAC-SHA256
/// over the octets before it.
public struct SimpleWebToken: SecurityToken {
  private let received: ArraySlice<UInt8>
  /// The octets that the MAC covers, as received.
  package let signedOctets: ArraySlice<UInt8>
  /// The MAC that the token carries, 32 bytes.
  package let mac: [UInt8]
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
    let reader = PairReader(octets)
    let split = try reader.split(limits: limits)
    mac = try MACValue.decode(octets[split.mac])
    received = octets
    signedOctets = octets[..<split.signedEnd]
    pairs = try reader.decode(split.pairs)
  }

  public var format: TokenFormat { .swt }

  public var _signedOctets: [UInt8] { Array(signedOctets) }

  /// The token as received.
  package var octets: [UInt8] { Array(received) }

  /// The claims as written: every pair but the reserved ones (`Issuer`, `Audience`, `ExpiresOn`,
  /// `HMACSHA256`). A value with commas stays one value: the join is not reversible.
  public var unverifiedClaims: ClaimSet { pairs.claims }

  public var unverifiedFacts: TokenFacts {
    TokenFacts(
      issuer: pairs.text(of: .issuer) ?? "", subject: pairs.subjectText,
      audiences: pairs.text(of: .audience).map { [$0] } ?? [], expires: try? expiry())
  }

  /// `ExpiresOn`: 1 to 12 decimal digits of seconds since 1970 (SWT 0.9.5.1), up to year 9999.
  ///
  /// - Throws: `time.malformed`, `time.no-expiry`.
  func expiry() throws(TokenError) -> Instant {
    guard let text = pairs.text(of: .expiresOn) else {
      throw TokenError(.noExpiry, node: "ExpiresOn")
    }
    guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isDigit),
      let seconds = Int64(text), Instant.secondsRange.contains(seconds)
    else {
      throw TokenError(
        .malformedTime, node: "ExpiresOn", expected: "1 to 12 digits, at most year 9999",
        found: TokenError.excerpt(text))
    }
    return Instant(secondsSinceEpoch: seconds)
  }
}
