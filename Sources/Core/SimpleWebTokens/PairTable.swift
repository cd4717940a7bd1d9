import Claims
import Octets
import TokenBasics

/// The decoded pairs of a token: the reserved ones by name, all others as claims. Never copied.
struct PairTable: ~Copyable {
  private var claims: ClaimTableBuilder
  private var issuer: ClaimText?
  private var audience: ClaimText?
  /// The value of `ExpiresOn` as written.
  private(set) var expiresOn: ClaimText?
  private var subject: ClaimText?

  /// Adds the pairs up to the first invalid one.
  ///
  /// - Throws: `input.swt-pair`, `input.percent-escape`, `input.not-utf8`, `input.swt-character`,
  ///   `input.swt-duplicate-name`, `input.swt-reserved-name`.
  init(_ reader: borrowing PairReader) throws(TokenError) {
    claims = ClaimTableBuilder(over: reader.octets, claimCount: 16)
    let areText = Self.areText(reader.pairs, claims.octets.span)
    for pair in reader.pairs {
      // Without a name or `=` it is no pair, whatever other errors it has.
      guard !pair.sentName.isEmpty else {
        throw TokenError(.malformedPair, node: "byte \(pair.start)")
      }
      if !areText || pair.brokenEscape != nil { try check(pair) }
      try add(pair)
    }
  }

  /// Whether every name and value is UTF-8 without control characters, as nearly all are.
  private static func areText(_ pairs: [Pair], _ octets: Span<UInt8>) -> Bool {
    if ASCII.isPrintable(octets) { return true }
    guard octets.firstNotUTF8 == nil, !ASCII.hasControl(octets) else { return false }
    // What is UTF-8 as a whole is it in each part, unless one begins inside of a character.
    func beginsInside(_ text: ClaimText) -> Bool {
      text.byteCount > 0 && octets[text.range.lowerBound] & 0xC0 == 0x80
    }
    return !pairs.contains { beginsInside($0.name) || beginsInside($0.value) }
  }

  /// Escapes come before characters, the name before the value.
  ///
  /// - Throws: `input.percent-escape`, `input.not-utf8`, `input.swt-character`.
  private func check(_ pair: Pair) throws(TokenError) {
    let error = pair.brokenEscape.map { TokenError(.malformedPercentEscape, node: "byte \($0)") }
    if let error, let broken = pair.brokenEscape, broken < pair.sentName.upperBound { throw error }
    try check(pair.name, pair.sentName)
    if let error { throw error }
    try check(pair.value, pair.sentValue)
  }

  private func check(_ text: ClaimText, _ sent: Range<Int>) throws(TokenError) {
    let text = claims.octets.span.extracting(text.range)
    guard text.firstNotUTF8 == nil else {
      throw TokenError(.notUTF8, node: "byte \(sent.lowerBound)")
    }
    if ASCII.hasControl(text) {
      throw TokenError(.swtCharacter, node: "byte \(sent.lowerBound)")
    }
  }

  /// - Throws: `input.swt-duplicate-name`, `input.swt-reserved-name`.
  private mutating func add(_ pair: Pair) throws(TokenError) {
    let (name, value) = (pair.name, pair.value)
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

  @inline(__always)
  private static func kind(_ octets: [UInt8], _ name: ClaimText) -> ReservedName.Kind {
    // Most names are longer than any of the format's.
    guard name.byteCount <= ReservedName.longest else { return .free }
    return ReservedName.kind(of: octets.span.extracting(name.range))
  }

  private func error(
    _ code: TokenError.Code, _ pair: Pair, _ name: ClaimText
  ) -> TokenError {
    TokenError(
      code, node: "byte \(pair.start)", found: TokenError.excerpt(claims.string(name)))
  }

  /// The token's facts, its expiry where that can be read, and its claims.
  consuming func facts() -> TokenFacts {
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
