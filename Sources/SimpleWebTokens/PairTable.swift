import Claims
import Octets
import TokenErrors

/// The pairs of a token: the reserved ones by name, all others as claims.
struct PairTable: Sendable {
  let table: ClaimTable
  private(set) var issuer: ClaimText?
  private(set) var audience: ClaimText?
  private(set) var expiresOn: ClaimText?
  private(set) var subject: ClaimText?

  /// Decodes the pairs.
  ///
  /// - Throws: `input.swt-pair`, `input.percent-escape`, `input.not-utf8`, `input.swt-character`,
  ///   `input.swt-duplicate-name`, `input.swt-reserved-name`.
  init(_ token: Span<UInt8>, _ split: inout PairReader) throws(TokenError) {
    let octets = split.decode(token)
    var claims = ClaimTableBuilder(over: octets, claimCount: split.decodedCount)
    // What is wrong with an earlier pair comes first, so names are looked at before `failure` is.
    for pair in split.pairs[..<split.decodedCount] {
      let name = ClaimText(pair.name)
      guard !claims.number(of: name).isKnown else {
        throw Self.error(.duplicatePairName, pair, claims)
      }
      let value = ClaimText(pair.value)
      switch ReservedName.kind(of: octets.span.extracting(pair.name)) {
      case .reserved(.issuer): issuer = value
      case .reserved(.audience): audience = value
      case .reserved(.expiresOn): expiresOn = value
      case .reserved(.mac), .lookAlike: throw Self.error(.reservedNameVariant, pair, claims)
      case .free: break
      }
    }
    if let failure = split.failure { throw failure }
    // Each name was new, so the number of a pair's type is its place among the pairs.
    let string = ClaimTable.stringType
    let nameIdentifier = ClaimType.nameIdentifier.name
    for (type, pair) in zip(UInt32(0)..., split.pairs) {
      let name = octets.span.extracting(pair.name)
      guard case .free = ReservedName.kind(of: name) else { continue }
      let value = ClaimText(pair.value)
      if Bytes.areEqual(name, nameIdentifier.utf8.span) { subject = value }
      claims.append(type, value, valueType: string, issuer: issuer ?? .empty)
    }
    table = ClaimTable(consume claims)
  }

  private static func error(
    _ code: TokenError.Code, _ pair: PairReader.Pair, _ claims: ClaimTableBuilder
  ) -> TokenError {
    TokenError(
      code, node: pair.place, found: TokenError.excerpt(claims.string(ClaimText(pair.name))))
  }
}
