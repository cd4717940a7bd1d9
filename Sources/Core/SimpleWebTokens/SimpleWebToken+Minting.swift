public import Claims
import Octets
public import SecurityKeys
public import TokenBasics

extension SimpleWebToken {
  /// Issues a token with the octets of an ACS token: the subject (as its `nameidentifier`), the
  /// claims in their order, `Audience`, `ExpiresOn`, `Issuer`, and the MAC over all of them.
  ///
  /// A name occurs once in a token, so several values of one type are joined with commas in the place
  /// of the first, as ACS joins them. **The join is not reversible**: `a,b` may have been one value
  /// or two. A draft's identifier and the time of issue have no field in the format.
  ///
  /// - Throws: `policy.mint-*` for what the format cannot express, `key.hmac-length` for a secret under
  ///   32 bytes.
  public static func mint(
    _ draft: TokenDraft, key: SymmetricKey
  ) throws(TokenError) -> [UInt8] {
    try draft.check()
    guard draft.audiences.count == 1, let audience = draft.audiences.first else {
      throw TokenError(
        .mintAudiences, node: "audience", expected: "1", found: "\(draft.audiences.count)")
    }
    guard key.byteCount >= 32 else {
      throw TokenError(
        .hmacKeyLength, expected: "32 bytes or more", found: "\(key.byteCount) bytes")
    }
    // SWT 0.9.5.1 counts seconds from 1970 in digits alone.
    let expires = draft.expires.seconds
    guard expires >= 0 else {
      throw TokenError(
        .mintLifetime, node: "ExpiresOn", expected: "an end after 1970",
        found: draft.expires.rfc3339)
    }
    var token = OctetWriter(capacity: 1024)
    if let subject = draft.subject { token.append(ClaimType.nameIdentifierURI, subject) }
    let claims = draft.claims.table
    for number in claims.records.indices where claims.isFirst(number) {
      try token.append(claims, number)
    }
    token.append(ReservedName.audience.spelling, audience)
    token.append(ReservedName.expiresOn.spelling, String(expires))
    token.append(ReservedName.issuer.spelling, draft.issuer)
    let mac = token.withBytes { key.authenticate($0, with: .sha256) }
    guard let mac else {
      throw TokenError(.mintSignature, node: "\(ReservedName.macName)")
    }
    token.append(ReservedName.macName, Base64.encode(mac))
    return token.bytes
  }
}

extension OctetWriter {
  /// Adds a pair behind those that there are.
  fileprivate mutating func append(_ name: StaticString, _ value: String) {
    separate()
    FormEncoding.encode(name, to: &self)
    append(ASCII.equals)
    FormEncoding.encode(value.utf8.span, to: &self)
  }

  /// Adds the claims of the type of claim `number`, the first of them.
  ///
  /// - Throws: `policy.mint-reserved-name`, `policy.mint-character`.
  fileprivate mutating func append(_ claims: ClaimTable, _ number: Int) throws(TokenError) {
    let type = claims.types[Int(claims.records[number].type)].text
    let name = claims.octets(of: type).span.extracting(type.range)
    guard ReservedName.kind(of: name) == .free else {
      throw TokenError(.mintReservedName, node: "claim \(TokenError.excerpt(claims.string(type)))")
    }
    separate()
    FormEncoding.encode(name, to: &self)
    append(ASCII.equals)
    var next: Int? = number
    while let number = next {
      let text = claims.records[number].value
      let value = claims.octets(of: text).span.extracting(text.range)
      guard !ASCII.hasControl(value) else {
        throw TokenError(
          .mintCharacter, node: "claim \(TokenError.excerpt(claims.string(type)))",
          expected: "no control character")
      }
      FormEncoding.encode(value, to: &self)
      next = claims.next(after: number)
      if next != nil { FormEncoding.encode(",", to: &self) }
    }
  }

  private mutating func separate() {
    if count > 0 { append(ASCII.ampersand) }
  }
}
