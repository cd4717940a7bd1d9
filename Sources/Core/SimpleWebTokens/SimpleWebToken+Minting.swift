public import Claims
import Instants
import Octets
public import SecurityKeys
public import TokenErrors

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
    var pairs: [(name: String, value: String)] = []
    if let subject = draft.subject { pairs.append((ClaimType.nameIdentifier.name, subject)) }
    for (type, values) in draft.claims.grouped {
      guard ReservedName.isFree(type.name) else {
        throw TokenError(.mintReservedName, node: "claim \(TokenError.excerpt(type.name))")
      }
      let value = values.joined(separator: ",")
      guard !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        throw TokenError(
          .mintCharacter, node: "claim \(TokenError.excerpt(type.name))",
          expected: "no control character")
      }
      pairs.append((type.name, value))
    }
    pairs.append((ReservedName.audience.rawValue, audience))
    pairs.append((ReservedName.expiresOn.rawValue, "\(expires)"))
    pairs.append((ReservedName.issuer.rawValue, draft.issuer))
    let signed = pairs.map { FormEncoding.encode($0.name) + "=" + FormEncoding.encode($0.value) }
      .joined(separator: "&")
    guard let mac = key.authenticate(signed.utf8.span, with: .sha256) else {
      throw TokenError(.mintSignature, node: ReservedName.mac.rawValue)
    }
    let value = FormEncoding.encode(Base64.encode(mac))
    return Array("\(signed)&\(ReservedName.mac.rawValue)=\(value)".utf8)
  }
}
