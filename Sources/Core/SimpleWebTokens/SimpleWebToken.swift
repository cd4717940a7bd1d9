public import Claims
import Octets
public import TokenBasics

/// A Simple Web Token (SWT 0.9.5.1): form-encoded name-value pairs, the last of them an HMAC-SHA256
/// over the octets before it.
public struct SimpleWebToken: SecurityToken {
  /// Shared, so that copying the token is one retain.
  private let parts: Shared<Parts>

  private struct Parts: Sendable {
    let received: ArraySlice<UInt8>
    let signedEnd: Int
    let mac: InlineArray<32, UInt8>
    let facts: TokenFacts
    let expiresOn: ClaimText?
  }

  var received: ArraySlice<UInt8> { parts.value.received }
  /// How many octets the MAC covers.
  var signedEnd: Int { parts.value.signedEnd }
  /// The MAC in the token.
  var mac: InlineArray<32, UInt8> { parts.value.mac }
  /// The reserved pairs and the claims as written, before the MAC is verified.
  public var unverifiedFacts: TokenFacts { parts.value.facts }

  /// Reads a token as sent, without surrounding quotes or white space.
  ///
  /// - Throws: `input.*` for octets that are no token; `signature.missing`,
  ///   `signature.mac-malformed`, `signature.mac-not-last`, `signature.mac-repeated` for an invalid
  ///   MAC.
  public init(parsing octets: [UInt8], limits: Limits = Limits()) throws(TokenError) {
    try self.init(parsing: octets[...], limits: limits)
  }

  /// As ``init(parsing:limits:)``, of a part of the input.
  package init(parsing octets: ArraySlice<UInt8>, limits: Limits) throws(TokenError) {
    guard !octets.isEmpty else { throw TokenError(.emptyInput) }
    guard octets.count <= min(limits.bytes, Limits.hardByteLimit) else {
      throw TokenError(
        .inputTooLarge, expected: "at most \(limits.bytes) bytes", found: "\(octets.count) bytes")
    }
    let reader = try PairReader(octets.span, limits: limits)
    let mac = try MACValue.decode(octets.span.extracting(reader.mac))
    let table = try PairTable(reader)
    let expiresOn = table.expiresOn
    parts = Shared(
      Parts(
        received: octets, signedEnd: reader.signedEnd, mac: mac, facts: table.facts(),
        expiresOn: expiresOn))
  }

  /// Always `swt`.
  public var format: TokenFormat { .swt }

  /// The octets that the MAC covers, as received.
  public var _signedOctets: [UInt8] { Array(signedOctets) }

  /// The token as received.
  package var octets: [UInt8] { Array(received) }

  /// The octets that the MAC covers, as received.
  package var signedOctets: ArraySlice<UInt8> { received.prefix(signedEnd) }

  /// The claims as written: every pair but the reserved ones (`Issuer`, `Audience`, `ExpiresOn`,
  /// `HMACSHA256`). A value with commas stays one value: the join is not reversible.
  public var unverifiedClaims: ClaimSet { unverifiedFacts.claims }

  /// - Throws: `time.malformed`, `time.no-expiry`.
  func expiry() throws(TokenError) -> Instant {
    try PairTable.instant(parts.value.expiresOn, in: unverifiedFacts.table.octets)
  }
}

/// The octets that a token may contain as sent: printable ASCII without spaces and quotation marks.
enum SentOctets {
  /// The position of the first other octet.
  static func firstRefused(_ octets: Span<UInt8>) -> Int? {
    // Without an exit, so that the compiler makes a vector loop of it.
    var largest: UInt8 = 0
    var nearest = UInt8.max
    for index in octets.indices {
      largest = max(largest, octets[index] &- (ASCII.space + 1))
      nearest = min(nearest, octets[index] ^ quotationMark)
    }
    let areAllowed = largest < 0x7F - (ASCII.space + 1) && nearest != 0
    return areAllowed ? nil : octets.indices.first { !isAllowed(octets[$0]) }
  }

  private static func isAllowed(_ octet: UInt8) -> Bool {
    octet > ASCII.space && octet < 0x7F && octet != quotationMark
  }

  private static var quotationMark: UInt8 { UInt8(ascii: "\"") }
}
