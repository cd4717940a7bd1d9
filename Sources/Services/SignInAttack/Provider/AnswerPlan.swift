/// What is in an answer: an honest one, until something is changed.
package struct AnswerPlan: Sendable {
  /// What becomes of a value that goes with the answer.
  package enum Value: Sendable, Equatable {
    /// As the request has it.
    case asked
    case absent
    /// Another one.
    case other(String)
    /// The right one, and another one behind it under the same name.
    case twice(String)

    func values(_ asked: String?) -> [String] {
      switch self {
      case .asked: asked.map { [$0] } ?? []
      case .absent: []
      case .other(let text): [text]
      case .twice(let text): (asked.map { [$0] } ?? []) + [text]
      }
    }
  }

  /// A lie of the back channel.
  package enum BackChannel: Sendable, Equatable {
    case honest
    /// The token response has no ID token.
    case noIDToken
    /// The name `id_token` is in the response twice, the forged one behind.
    case repeatedIDToken
    /// `token_type` is one that the client does not know.
    case tokenType
    /// UserInfo speaks of another subject than the ID token.
    case otherUserInfo
  }

  /// Whom the answer names.
  package var subject: String
  /// Whether the token leaves the name of the person out.
  package var isNameless = false
  /// The name of the session at the provider, which a request for logout names too.
  package var session = TokenDraft.unpredictableID()
  /// Which of the providers that the service trusts answers.
  package var party: ProviderParty
  package var key: ProviderKey
  /// The issuer's name; nil for the own one of the provider that answers.
  package var issuer: String?
  /// Seconds by which the clock of the answer is off.
  package var offset: Int64 = 0
  /// The request that the answer names: `InResponseTo`.
  package var inResponseTo = Value.asked
  package var state = Value.asked
  package var nonce = Value.asked
  /// The `iss` of the answer of OpenID Connect (RFC 9207); asked is the provider's own.
  package var issuerParameter = Value.asked
  /// Whether an `error` stands beside the code.
  package var hasError = false
  package var backChannel = BackChannel.honest
  /// Whether the code gives its token more than once, so that the service alone refuses what is delivered again.
  package var isCodeReusable = false
  /// Further claims of an ID token, as JSON.
  package var moreClaims: [(name: String, json: String)] = []
  /// The identifier of the token; nil for one that none can guess.
  package var id: String?
  /// What the token says of its key and signature, where that is not as the provider's tokens are.
  package var header: TokenHeader?
  /// Whether the person signed in in another way than the request asks for (`RequestedAuthnContext`).
  package var hasOtherContext = false
  /// The change of the token that `claims mutate` has under this name; nil for none.
  package var mutation: String?

  /// An honest answer about a subject.
  package init(_ subject: String, by party: ProviderParty = .first) {
    self.subject = subject
    self.party = party
    key = party.key
  }
}
