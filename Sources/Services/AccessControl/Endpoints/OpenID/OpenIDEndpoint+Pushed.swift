import HTTPExchange
import Octets
import SignIn
import TokenBasics

extension OpenIDEndpoint {
  /// `/v2/openid/par` (RFC 9126): keeps an authorization request, so that the browser carries its name alone.
  func push(_ request: WebRequest) async -> HTTPResponse {
    do throws(OAuthFault) {
      let form = try form(request)
      let client = try await OAuthFault.named(.invalidClient) {
        () async throws(TokenError) -> TokenClient in
        try await service.client(form, request)
      }
      try check(pushed: form, by: client)
      if !client.isConfidential {
        try OAuthFault.now(.invalidRequest) { () throws(TokenError) in
          try service.limits.pushes.take(request.peer ?? "")
        }
      }
      let pushed = PushedRequest(form, by: client.id)
      guard pushed.stored.count <= Self.mostOctets else {
        throw OAuthFault(
          .invalidRequest,
          TokenError(
            .inputTooLarge, expected: "at most \(Self.mostOctets) bytes",
            found: "\(pushed.stored.count) bytes"))
      }
      let name = Base64.encode(service.random.octets(32), .url)
      try await OAuthFault.named(.invalidRequest) { () async throws(TokenError) in
        try await service.grants.keep(
          pushed, under: .pushed(name),
          until: service.clock.now.advanced(bySeconds: Self.pushedLifetime))
      }
      var json = JSONWriter()
      json.object { json in
        json.member("request_uri", Self.requestPrefix + name)
        json.name("expires_in")
        json.integer(Int(Self.pushedLifetime))
      }
      return service.responder.response(201, "application/json", json.bytes)
    } catch {
      var response = service.refusal(error)
      // RFC 9126, 2.3. RFC 8693, 2.2.2, has 400 for a token that is too large.
      if error.error.code == .inputTooLarge { response.status = 413 }
      return response
    }
  }

  /// Judges a pushed request as one that a browser brings, so that the client and not the person is told.
  private func check(pushed form: FormReader, by client: TokenClient) throws(OAuthFault) {
    guard let party = client.party else {
      throw OAuthFault(
        .unauthorizedClient, TokenError(.issuingClient, expected: "a relying party"))
    }
    do throws(TokenError) {
      let redirect = try party.redirectURI(asked: form.require("redirect_uri"))
      try check(form, context(of: form, party, redirect), party)
      _ = try demands(form)
      _ = try access(form, party)
      _ = try hinted(form, party)
    } catch {
      let name = Self.errorName(error, ACSRefusal(error))
      throw OAuthFault(Self.pushedNames.contains(name) ? name : .invalidRequest, error)
    }
  }

  /// What a pushed request is refused with by a name of its own.
  private static let pushedNames: Set<OAuthErrorName> = [
    .invalidScope, .invalidTarget, .unsupportedResponseType,
  ]

  /// The parameters of an authorization request: those that were pushed, once, or those of the request itself. What stands
  /// beside a `request_uri` but `client_id` is not looked at (RFC 9126, 4).
  ///
  /// - Throws: `issuing.authorization-request` for a name that is not ours, over, used, or another client's.
  func parameters(_ query: FormReader) async throws(TokenError) -> FormReader {
    guard let uri = query["request_uri"], uri.hasPrefix(Self.requestPrefix) else { return query }
    let name = String(uri.dropFirst(Self.requestPrefix.count))
    guard let pushed = try await service.grants.kept(under: .pushed(name))?.form,
      let client = query["client_id"], pushed["client_id"].hasSameBytes(as: client)
    else {
      throw Self.wrong(
        "request_uri", "one that this client pushed within a minute", .requestURINotSupported)
    }
    let now = service.clock.now
    try await service.grants.redeem(
      SingleUse(
        .pushed, name, .begun(now), until: now.advanced(bySeconds: Self.pushedLifetime),
        repetition: Self.wrong(
          "request_uri", "one that was not used", .requestURINotSupported)))
    return pushed
  }

  private static let requestPrefix = "urn:ietf:params:oauth:request_uri:"
  /// As long as a request in an address gets through most servers.
  private static let mostOctets = 8 << 10
  /// Seconds: 60, since the browser comes at once.
  private static let pushedLifetime: Int64 = 60
}

/// The parameters of an authorization request that a client sent by itself. A form is kept, as nodes of earlier releases read it.
struct PushedRequest: StoredValue {
  let stored: [UInt8]
  let form: FormReader

  /// - Parameter client: Who sent the form, which need not say so.
  init(_ form: FormReader, by client: String) {
    let fields =
      form.fields.filter { !Self.credentials.contains($0.name) && $0.name != Self.versionName }
      + (form["client_id"] == nil ? [(name: "client_id", value: client)] : [])
      + [(name: Self.versionName, value: "1")]
    let text = fields.map { FormEncoding.encode($0.name) + "=" + FormEncoding.encode($0.value) }
      .joined(separator: "&")
    stored = Array(text.utf8)
    self.form = form
  }

  init?(stored octets: [UInt8]) {
    guard let form = try? FormReader(octets), ["1", nil].contains(form[Self.versionName]) else {
      return nil
    }
    stored = octets
    self.form = form
  }

  /// A name that is no parameter of an authorization request.
  private static let versionName = "kept_version"
  /// What proves who the client is, and is no part of the request.
  private static let credentials = ["client_secret", "client_assertion", "client_assertion_type"]
}
