import Claims
import Instants
import Octets
import TokenErrors

/// The pairs of a token: the reserved ones by name, all others as claims.
struct PairTable: Sendable {
  /// What the token says of itself, its end where that can be read, and its claims.
  let facts: TokenFacts
  /// The end as written.
  let expiresOn: ClaimText?

  /// Sorts the pairs of a token that was decoded to `octets`.
  ///
  /// - Throws: `input.swt-pair`, `input.percent-escape`, `input.not-utf8`, `input.swt-character`,
  ///   `input.swt-duplicate-name`, `input.swt-reserved-name`.
  init(_ octets: consuming [UInt8], _ reader: consuming PairReader) throws(TokenError) {
    var claims = ClaimTableBuilder(over: octets, claimCount: reader.pairs.count)
    let nameIdentifier = ClaimType.nameIdentifier.name
    let nameIdentifierCount = nameIdentifier.utf8.count
    var issuer: ClaimText?
    var audience: ClaimText?
    var expiresOn: ClaimText?
    var subject: ClaimText?
    // What is wrong with an earlier pair comes first, so names are looked at before `failure` is.
    for number in reader.pairs.indices {
      let pair = reader.pairs[number]
      guard !claims.number(of: pair.name).isKnown else {
        throw Self.error(.duplicatePairName, pair, claims)
      }
      let value = pair.value
      switch ReservedName.kind(of: claims.octets.span.extracting(pair.name.range)) {
      case .reserved(.issuer): issuer = value
      case .reserved(.audience): audience = value
      case .reserved(.expiresOn): expiresOn = value
      case .reserved(.mac), .lookAlike: throw Self.error(.reservedNameVariant, pair, claims)
      case .free:
        reader.pairs[number].isClaim = true
        if pair.name.byteCount == nameIdentifierCount,
          Bytes.areEqual(claims.octets, pair.name.range, nameIdentifier)
        {
          subject = value
        }
      }
    }
    if let failure = reader.failure { throw failure }
    // Each name was new, so the number of a pair's type is its place among the pairs.
    for number in reader.pairs.indices where reader.pairs[number].isClaim {
      claims.append(
        only: UInt32(truncatingIfNeeded: number), reader.pairs[number].value,
        issuer: issuer ?? .empty)
    }
    let table = ClaimTable(consume claims)
    facts = TokenFacts(
      table, issuer: issuer ?? .empty, subject: subject, audiences: ShortList(audience),
      expires: try? Self.instant(expiresOn, of: table))
    self.expiresOn = expiresOn
  }

  /// `ExpiresOn`: 1 to 12 decimal digits of seconds since 1970 (SWT 0.9.5.1), up to year 9999.
  ///
  /// - Throws: `time.malformed`, `time.no-expiry`.
  static func instant(
    _ text: ClaimText?, of table: ClaimTable
  ) throws(TokenError) -> Instant {
    guard let text else { throw TokenError(.noExpiry, node: "ExpiresOn") }
    guard let seconds = seconds(table.octets, text.range),
      Instant.secondsRange.contains(seconds)
    else {
      throw TokenError(
        .malformedTime, node: "ExpiresOn", expected: "1 to 12 digits, at most year 9999",
        found: TokenError.excerpt(table.string(text)))
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

  private static func error(
    _ code: TokenError.Code, _ pair: PairReader.Pair, _ claims: borrowing ClaimTableBuilder
  ) -> TokenError {
    TokenError(
      code, node: pair.place, found: TokenError.excerpt(claims.string(pair.name)))
  }
}
