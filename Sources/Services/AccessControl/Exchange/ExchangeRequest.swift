package import HTTPExchange
import Octets
import SignIn

/// A request of token exchange (RFC 8693, 2.1), read and not judged.
package struct ExchangeRequest {
  /// A token of the request, as it travels.
  package struct Token {
    /// What the client says that it is.
    package let type: ExchangedType
    /// The token.
    package let text: String
    /// The parameter, for errors.
    let parameter: String
  }

  /// On behalf of whom a token is wanted.
  package let subject: Token
  /// Who acts; nil for no one beside the subject.
  let actor: Token?
  /// What is wanted; nil for what the target usually gets.
  let requested: ExchangedType?
  /// Where it is wanted.
  package let target: ExchangeTarget
  /// The scopes; empty for none.
  package let scopes: [String]

  /// - Throws: `invalid_request`; `invalid_target` without a target.
  package init(_ form: FormReader) throws(OAuthFault) {
    subject = try Self.token("subject_token", in: form)
    if form.hasAny(of: ["actor_token", "actor_token_type"]) {
      actor = try Self.token("actor_token", in: form)
    } else {
      actor = nil
    }
    requested = try OAuthFault.now(.invalidRequest) { () throws(TokenError) in
      try form["requested_token_type"].map { (uri) throws(TokenError) in
        try ExchangedType(uri: uri, of: "requested_token_type")
      }
    }
    target = try ExchangeTarget(form)
    scopes = try OAuthFault.now(.invalidScope) { () throws(TokenError) in
      try OAuthScope.read(form["scope"])
    }
  }

  private static func token(
    _ name: String, in form: FormReader
  ) throws(OAuthFault) -> Token {
    try OAuthFault.now(.invalidRequest) { () throws(TokenError) in
      let text = try form.require(name)
      let type = name + "_type"
      return Token(
        type: try ExchangedType(uri: form.require(type), of: type), text: text, parameter: name)
    }
  }
}

/// Where a token is wanted: a logical name, an address, or both of the same target (RFC 8693, 2.1; RFC 8707, 2).
package struct ExchangeTarget {
  package let audience: String?
  package let resource: String?

  /// - Throws: `invalid_target` where both are missing, or for a resource that cannot be one.
  init(_ form: FormReader) throws(OAuthFault) {
    try self.init(optional: form)
    guard audience != nil || resource != nil else {
      throw OAuthFault(
        .invalidTarget, TokenError(.exchangeTarget, expected: "audience or resource"))
    }
  }

  init(audience: String?, resource: String? = nil) {
    self.audience = audience
    self.resource = resource
  }

  /// As ``init(_:)``, where both may be missing.
  init(optional form: FormReader) throws(OAuthFault) {
    audience = form["audience"]
    resource = form["resource"]
    // RFC 8707, 2: an absolute URI without a fragment.
    if let resource, !resource.utf8.contains(UInt8(ascii: ":")) || resource.utf8.contains(0x23) {
      throw OAuthFault(
        .invalidTarget,
        TokenError(.exchangeTarget, node: "resource", expected: "an absolute URI, no fragment"))
    }
  }
}

/// Scopes as OAuth writes them (RFC 6749, 3.3).
enum OAuthScope {
  /// The scopes of a parameter, each once; none without it.
  ///
  /// - Throws: `exchange.scope` for what is no list of scopes.
  static func read(_ text: String?) throws(TokenError) -> [String] {
    guard let text else { return [] }
    var scopes: [String] = []
    // A form of a mebibyte may name hundreds of thousands.
    var known: Set<OctetKey> = []
    for part in text.split(separator: " ", omittingEmptySubsequences: false) {
      guard OpenIDClient.isToken(String(part)) else {
        throw TokenError(
          .exchangeScope, node: "scope", expected: "scopes with a space between them")
      }
      if known.insert(OctetKey(Array(part.utf8))).inserted { scopes.append(String(part)) }
    }
    return scopes
  }

  /// - Throws: `exchange.scope` for one that is not allowed.
  static func check(_ scopes: [String], areIn allowed: [String]) throws(TokenError) {
    guard let beyond = scopes.first(where: { !allowed.containsBytes(of: $0) }) else { return }
    throw TokenError(
      .exchangeScope, node: "scope",
      expected: allowed.isEmpty ? "none" : allowed.joined(separator: " "),
      found: TokenError.excerpt(beyond))
  }
}
