import Claims
import Octets
import TokenErrors

/// The pairs of a token: the reserved ones by name, all others as claims.
struct PairTable: Sendable {
  let claims: ClaimSet
  private var issuer: ClaimText?
  private var audience: ClaimText?
  private var expiresOn: ClaimText?
  private var subject: ClaimText?

  /// - Throws: `input.swt-duplicate-name`, `input.swt-reserved-name`.
  init(_ decoded: DecodedPairs) throws(TokenError) {
    let pairs = decoded.pairs
    var claims = ClaimTableBuilder(over: decoded.octets, claimCount: pairs.count)
    var claimed: [(type: UInt32, value: ClaimText)] = []
    claimed.reserveCapacity(pairs.count)
    for pair in pairs {
      let name = ClaimText(pair.name)
      let value = ClaimText(pair.value)
      let type = claims.number(of: name)
      guard !type.isKnown else { throw Self.error(.duplicatePairName, pair, claims) }
      switch ReservedName.kind(of: claims.octets[pair.name]) {
      case .reserved(.issuer): issuer = value
      case .reserved(.audience): audience = value
      case .reserved(.expiresOn): expiresOn = value
      case .reserved(.mac), .lookAlike: throw Self.error(.reservedNameVariant, pair, claims)
      case .free:
        if claims.octets[pair.name].hasBytes(of: ClaimType.nameIdentifier.name) { subject = value }
        claimed.append((type.number, value))
      }
    }
    for (type, value) in claimed { claims.append(type, value, issuer: issuer ?? .empty) }
    self.claims = ClaimSet(claims)
  }

  func text(of name: ReservedName) -> String? {
    let text: ClaimText? =
      switch name {
      case .issuer: issuer
      case .audience: audience
      case .expiresOn: expiresOn
      case .mac: nil
      }
    return text.map(claims.table.string)
  }

  var subjectText: String? { subject.map(claims.table.string) }

  private static func error(
    _ code: TokenError.Code, _ pair: DecodedPairs.Pair, _ claims: ClaimTableBuilder
  ) -> TokenError {
    TokenError(
      code, node: "byte \(pair.place)",
      found: TokenError.excerpt(claims.string(ClaimText(pair.name))))
  }
}
