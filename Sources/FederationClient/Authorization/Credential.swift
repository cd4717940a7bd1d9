public import HTTPExchange
public import TokenErrors

/// What a service wants to see with every request, in its scheme.
public struct Credential: Sendable {
  public let scheme: CredentialScheme
  public let secret: Secret

  public init(_ scheme: CredentialScheme, _ secret: Secret) {
    self.scheme = scheme
    self.secret = secret
  }

  /// Puts the credential into the request, in place of whatever stood there.
  /// - Throws: `transport.malformed-field` for a credential that HTTP or its scheme cannot carry.
  public func attach(to request: inout HTTPRequest) throws(TokenError) {
    let text = secret.revealed
    let isPlain = text.utf8.allSatisfy {
      $0 > 0x20 && $0 < 0x7F
        && !(scheme.isQuoted && ($0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")))
    }
    guard isPlain, !text.isEmpty else {
      throw TokenError(
        .transportMalformedField, node: scheme.field, expected: "visible ASCII without quotes")
    }
    try request.fields.set(scheme.field, scheme.value(text))
  }
}
