import Claims
import Instants
import Octets
import TokenErrors

/// The pairs of a token, sorted as they are read: the reserved ones by name, all others as claims.
/// Never copied.
struct PairTable: ~Copyable {
  /// The claims, over the decoded pairs.
  private var claims: ClaimTableBuilder
  private var issuer: ClaimText?
  private var audience: ClaimText?
  /// The value of `ExpiresOn` as written.
  private(set) var expiresOn: ClaimText?
  private var subject: ClaimText?
  /// The error of the first invalid pair.
  private var failure: TokenError?

  /// - Parameter tokenCount: Bytes of the token.
  init(tokenCount: Int) {
    var octets: [UInt8] = []
    octets.reserveCapacity(tokenCount + FormEncoding.excess)
    claims = ClaimTableBuilder(over: octets, claimCount: 16)
  }

  /// Decodes a pair and adds it, unless an earlier one was invalid.
  mutating func add(_ pair: EncodedPair, of token: Span<UInt8>) {
    // A pattern: `==` would copy the error.
    guard case .none = failure else { return }
    do throws(TokenError) {
      try check(pair, of: token)
    } catch {
      failure = error
    }
  }

  /// - Throws: `input.swt-pair`, `input.percent-escape`, `input.not-utf8`, `input.swt-character`,
  ///   `input.swt-duplicate-name`, `input.swt-reserved-name`.
  private mutating func check(_ pair: EncodedPair, of token: Span<UInt8>) throws(TokenError) {
    // Without a name or `=` it is no pair, whatever other errors it has.
    guard !pair.name.isEmpty else { throw TokenError(.malformedPair, node: "byte \(pair.start)") }
    let name = try decode(token, pair.name)
    let value = try decode(token, pair.value)
    let kind = Self.kind(claims.octets, name)
    guard claims.append(only: name, kind == .free ? value : nil) else {
      throw error(.duplicatePairName, pair, name)
    }
    switch kind {
    case .reserved(.issuer): issuer = value
    case .reserved(.audience): audience = value
    case .reserved(.expiresOn): expiresOn = value
    case .reserved(.mac), .lookAlike: throw error(.reservedNameVariant, pair, name)
    case .free:
      let uri = ClaimType.nameIdentifierURI
      if name.byteCount == uri.utf8CodeUnitCount, Bytes.areEqual(claims.octets, name.range, uri) {
        subject = value
      }
    }
  }

  /// - Throws: `input.percent-escape`, `input.not-utf8`, `input.swt-character`.
  private mutating func decode(
    _ token: Span<UInt8>, _ range: Range<Int>
  ) throws(TokenError) -> ClaimText {
    let start = claims.octets.count
    if let broken = FormEncoding.append(token.extracting(range), to: &claims.octets) {
      throw TokenError(.malformedPercentEscape, node: "byte \(range.lowerBound + broken)")
    }
    let text = claims.octets.span.extracting(start..<claims.octets.count)
    if !ASCII.isPrintable(text) { try Self.check(text, range.lowerBound) }
    return ClaimText(start..<claims.octets.count)
  }

  private static func check(_ text: Span<UInt8>, _ place: Int) throws(TokenError) {
    guard (try? UTF8Span(validating: text)) != nil else {
      throw TokenError(.notUTF8, node: "byte \(place)")
    }
    for index in text.indices where text[index] < 0x20 || text[index] == 0x7F {
      throw TokenError(.swtCharacter, node: "byte \(place)")
    }
  }

  @inline(__always)
  private static func kind(_ octets: [UInt8], _ name: ClaimText) -> ReservedName.Kind {
    // Most names are longer than any of the format's.
    guard name.byteCount <= ReservedName.longest else { return .free }
    return ReservedName.kind(of: octets.span.extracting(name.range))
  }

  private func error(
    _ code: TokenError.Code, _ pair: EncodedPair, _ name: ClaimText
  ) -> TokenError {
    TokenError(
      code, node: "byte \(pair.start)", found: TokenError.excerpt(claims.string(name)))
  }

  /// The token's facts, its expiry where that can be read, and its claims.
  ///
  /// - Throws: the error of an invalid pair, as ``check(_:of:)``.
  consuming func facts() throws(TokenError) -> TokenFacts {
    if let failure { throw failure }
    claims.setIssuer(issuer ?? .empty)
    let texts = FactTexts(
      issuer: issuer ?? .empty, subject: subject, audiences: AudienceRestrictions(audience),
      expires: try? Self.instant(expiresOn, in: claims.octets))
    return TokenFacts(claims, texts)
  }

  /// `ExpiresOn`: 1 to 12 decimal digits of seconds since 1970 (SWT 0.9.5.1), up to year 9999.
  ///
  /// - Throws: `time.malformed`, `time.no-expiry`.
  static func instant(
    _ text: ClaimText?, in octets: [UInt8]
  ) throws(TokenError) -> Instant {
    guard let text else { throw TokenError(.noExpiry, node: "ExpiresOn") }
    guard let seconds = seconds(octets, text.range),
      Instant.secondsRange.contains(seconds)
    else {
      throw TokenError(
        .malformedTime, node: "ExpiresOn", expected: "1 to 12 digits, at most year 9999",
        found: TokenError.excerpt(Bytes.string(octets, text.range)))
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
