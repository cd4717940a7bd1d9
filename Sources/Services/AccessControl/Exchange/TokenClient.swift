import HTTPExchange
import Octets
import SecurityKeys
import SignIn
import TokenBasics

/// A client of the token endpoint: a relying party by its realm, or a service identity by its name.
struct TokenClient {
  /// Its `client_id`.
  let id: String
  /// The relying party; nil for a service identity.
  let party: RelyingParty?
  /// The service identity; nil for a relying party.
  let identity: ServiceIdentity?
  /// Whether it proved who it is.
  let isConfidential: Bool

  init(_ party: RelyingParty, isConfidential: Bool) {
    id = party.realm
    self.party = party
    identity = nil
    self.isConfidential = isConfidential
  }

  init(_ identity: ServiceIdentity) {
    id = identity.name
    party = nil
    self.identity = identity
    isConfidential = true
  }

  private var names: ClientNames { party?.clientNames ?? identity?.clientNames ?? ClientNames() }

  /// The audiences of tokens that are for it.
  var audiences: [String] { [id] + names.audiences }

  /// The addresses to which its tokens are delivered.
  var recipients: [String] {
    names.recipients.map(\.text) + (party?.returnAddresses ?? []).map(\.text)
      + (party?.serviceProvider?.consumers ?? []).map(\.location.text)
  }
}

extension IssuingService {
  /// The client of a request, and whether it proved who it is (RFC 6749, 2.3.1). Wrong secrets cost time. A name that a
  /// relying party and a service identity share is the relying party's.
  ///
  /// - Throws: `issuing.unknown-client`, `issuing.client-secret`, `issuing.rate`, `registration.document`.
  func client(
    _ form: FormReader, _ request: WebRequest
  ) async throws(TokenError) -> TokenClient {
    let client = try await recognized(form, request)
    // A service identity was counted with its password; any sender may name a client without a secret.
    if client.party != nil, client.isConfidential { try limits.admit("client:" + client.id) }
    return client
  }

  private func recognized(
    _ form: FormReader, _ request: WebRequest
  ) async throws(TokenError) -> TokenClient {
    var id = form["client_id"]
    var secrets = form["client_secret"].map { [$0] } ?? []
    let headers = request.fields.values("Authorization")
    guard headers.count <= 1 else {
      throw TokenError(.issuingClientSecret, node: "Authorization", expected: "one")
    }
    if let header = headers.first {
      guard secrets.isEmpty, let basic = BasicCredentials(header),
        let name = basic.name(asked: id, where: namespace.hasClient)
      else { throw TokenError(.issuingClientSecret) }
      (id, secrets) = (name, basic.passwords(of: name))
    }
    let address = request.peer ?? ""
    let name = "client:" + (id ?? "")
    guard let id else { throw TokenError(.issuingClient) }
    // A name that no client has may be a secret in the wrong field: it is not logged.
    let party: RelyingParty
    do throws(TokenError) {
      party = try await self.party(id)
      RequestRecord.note(client: id)
    } catch {
      guard error.code == .issuingRealm else { throw error }
      return TokenClient(try await client(id, secrets: secrets, request))
    }
    guard let known = party.clientSecret else { return TokenClient(party, isConfidential: false) }
    let given = secrets
    let judged = given.first { known.isDerived(for: $0) } ?? given.first
    do throws(TokenError) {
      try await guesses.judge(judged, against: known, of: name, from: address) {
        () throws(TokenError) in
        // Each is compared, whichever is right.
        guard given.map({ known.isSame(as: $0) }).contains(true) else {
          throw TokenError(.issuingClientSecret)
        }
      }
    } catch {
      if error.code == .issuingClientSecret {
        for text in given { await guesses.spendTime(text, of: namespace.digest, unless: known) }
      }
      throw error
    }
    return TokenClient(party, isConfidential: true)
  }

  /// The service identity that is a client, whose secret is right.
  ///
  /// - Parameter secrets: The readings of what was sent, of which one has to be right.
  /// - Throws: `issuing.unknown-client`, `issuing.client-secret`, `issuing.rate`.
  func client(
    _ id: String, secrets: [String], _ request: WebRequest
  ) async throws(TokenError) -> ServiceIdentity {
    guard namespace.identities.contains(where: { $0.name.hasSameBytes(as: id) }) else {
      let address = request.peer ?? ""
      try guesses.admit("client:" + id, from: address)
      guesses.failed("client:" + id, from: address)
      for text in secrets { await guesses.spendTime(text, of: namespace.digest, unless: nil) }
      throw TokenError(.issuingClient)
    }
    do throws(TokenError) {
      return try await identity(id, passwords: secrets, request)
    } catch {
      throw error.code == .issuingCredentials ? TokenError(.issuingClientSecret) : error
    }
  }
}

extension ServiceNamespace {
  /// Whether a relying party or a service identity has the name.
  fileprivate func hasClient(_ name: String) -> Bool {
    relyingParties.contains { $0.realm.hasSameBytes(as: name) } || identity(named: name) != nil
  }
}
