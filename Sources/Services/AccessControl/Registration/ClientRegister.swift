import HTTPExchange

/// Clients that no file names: what they may be, and where their documents are.
struct ClientRegister: Sendable {
  let settings: ClientRegistration
  let documents: ClientDocuments

  init(_ settings: ClientRegistration, isOnLoopback: Bool, _ uptime: Uptime) {
    self.settings = settings
    documents = ClientDocuments(settings.transport, isOnLoopback: isOnLoopback, uptime)
  }
}

extension IssuingService {
  /// The relying party of a `client_id` or a realm: one of the file, or a client that registered itself or has a document.
  ///
  /// - Throws: `issuing.unknown-realm`, `registration.document`, `issuing.rate`, and what the store throws.
  func party(_ id: String) async throws(TokenError) -> RelyingParty {
    let party = try await knownParty(id)
    // A name that no client has may be a secret in the wrong field: it is not logged.
    RequestRecord.note(party: id)
    return party
  }

  private func knownParty(_ id: String) async throws(TokenError) -> RelyingParty {
    let namespace = namespace
    do throws(TokenError) {
      return try namespace.relyingParty(id)
    } catch {
      guard let register, let home = try? namespace.relyingParty(register.settings.relyingParty)
      else { throw error }
      if let address = register.documents.address(id) {
        return home.client(
          id, try await register.documents.description(address),
          at: address.origin.isLoopback ? nil : address.origin.host)
      }
      guard let client = try await registeredClient(id) else { throw error }
      return home.client(id, client.description)
    }
  }
}
