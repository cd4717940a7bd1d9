import Synchronization

/// What the documents of the first provider say.
package enum PublicationState: Sendable, Equatable {
  case honest
  /// The key set has keys beside the provider's that sign nothing.
  case rolledKeys
  /// The metadata or the discovery document lies.
  case lie(DocumentLie)
}

/// A lie in the document from which a service knows the provider.
package enum DocumentLie: Sendable, Equatable {
  /// It is about a provider of another name.
  case otherName
  /// Another key stands in the role of a service.
  case otherRole
  /// Another key is there for encryption.
  case encryptionKey
  /// Another entity stands beside the provider, with another key.
  case otherEntity
  /// It says that it is over, and has another key.
  case expired
  /// It promises tokens without signatures.
  case unsignedTokens
  /// The key set is in its address (RFC 2397), with another key.
  case keysInAddress
}

/// What is published now, and what was asked for since.
struct Publication: Sendable {
  private(set) var state = PublicationState.honest
  private var counts: [String: Int] = [:]

  mutating func publish(_ state: PublicationState) {
    guard state != self.state else { return }
    self.state = state
    counts = [:]
  }

  /// Paths of no meaning are not kept: a service may ask for thousands.
  mutating func count(_ path: String) {
    guard counts.count < 100 || counts[path] != nil else { return }
    counts[path, default: 0] += 1
  }

  /// How often a path was asked for since the last change.
  func requests(for path: String) -> Int { counts[path] ?? 0 }
}

extension RogueProvider {
  /// Changes what the documents of the first provider say.
  func publish(_ state: PublicationState) { publication.withLock { $0.publish(state) } }

  /// How often a path was asked for since that change.
  func requests(for path: String) -> Int { publication.withLock { $0.requests(for: path) } }

  /// The lie that a document tells; nil for an honest one.
  func lie(of party: ProviderParty) -> DocumentLie? {
    guard party == .first, case .lie(let lie) = publication.withLock({ $0.state })
    else { return nil }
    return lie
  }

  /// How many codes of one provider were brought to the other.
  var leakedCodes: Int { grants.withLock { $0.leakCount } }
}
