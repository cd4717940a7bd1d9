/// One way in which an answer is wrong, what accepting it means, and how it is played.
package struct AttackVariant: Sendable {
  /// What is at stake where a service accepts it.
  package enum Severity: String, CaseIterable, Comparable, Sendable {
    /// Stricter than a service needs to be, or allowed on purpose by some.
    case note
    /// A rule of the standard is not kept; another one still stands in the way.
    case warning
    /// An attacker becomes another person, or what was meant for another service is taken.
    case error

    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// How it is played.
  package enum Play: Sendable {
    /// The token is changed as `claims mutate` does under this name.
    case mutation(String)
    /// The answer is honest but for what is changed here.
    case change(@Sendable (inout AnswerPlan, AttackConfiguration) -> Void)
    /// More than one answer, browser or message.
    case conversation(Conversation)
  }

  /// Several steps of several browsers.
  package enum Conversation: Sendable {
    /// What was accepted once is delivered again, in a browser without cookies.
    case replayInOtherBrowser
    /// What was accepted once is delivered again in the same browser, as it was before.
    case replayInSameBrowser
    /// An answer to the sign-in of one browser is delivered in another, which has its own under way.
    case otherBrowser
    /// The same, in a browser that has none.
    case bareBrowser
    /// The code of one browser's sign-in with the `state` of another's.
    case stolenCode
    /// The token for one sign-in with the state of another, in the other's browser.
    case otherState
    /// An answer that no request came before.
    case unsolicited
    /// What comes back unchanged with the answer is an address of another site.
    case foreignState
    /// A request for logout that the provider did not make, or not for this.
    case logout(LogoutFlaw, LogoutChannel)
    /// Two providers that the service trusts, of which one is the attacker's.
    case second(SecondProvider)
    /// A key that the token names or the key set has, and that is none of the provider's for signatures.
    case key(KeyTrick)
    /// A document of the provider that lies, read again, and an answer that counts on it.
    case document(DocumentLie)
  }

  /// What the second provider does.
  package enum SecondProvider: Sendable {
    /// It sends the browser of its own sign-in to the first provider, for a code that the service then brings to it.
    case mixesUp(hasIssuer: Bool)
    /// It answers its own sign-in in the name of the first.
    case inFirstName
    /// It answers the sign-in at the first, in its own name.
    case answersFirst
  }

  /// How a request for logout reaches the service.
  package enum LogoutChannel: Sendable, Hashable {
    /// A message of SAML through the browser.
    case browser
    /// A logout token that the provider posts.
    case backChannel
    /// An address that the provider's page opens in the browser.
    case frontChannel
  }

  /// What is wrong with a request for logout.
  package enum LogoutFlaw: Sendable {
    case unsigned, otherKey, otherIssuer, otherAudience, otherSubject, expired, replayed
    /// An answer to a request for logout that the service did not make.
    case unsolicitedResponse
    case nonce, withoutEvents, otherEvents, withoutSubject, idToken
  }

  /// Unique in its protocol, such as `wrapping/nested`.
  package let id: String
  /// What is changed, as a sentence without a final period.
  package let summary: String
  /// The clause that says that it has to be refused.
  package let clause: String
  /// What accepting it means, as a sentence without a final period.
  package let meaning: String
  package let severity: Severity
  /// The severity where the service takes the message but reads the person that was signed.
  package let severityIfGenuine: Severity
  /// The severity where no person is signed in, but the service asked for what it should not ask for.
  package var severityIfAsked = Severity.warning
  /// This project's numbers of the attacks.
  package var attacks: [String] = []
  /// What the provider's documents say while it is played.
  package var publication = PublicationState.honest
  package let play: Play

  package init(
    _ id: String, _ summary: String, clause: String, meaning: String, _ severity: Severity,
    ifGenuine: Severity? = nil, _ play: Play
  ) {
    self.id = id
    self.summary = summary
    self.clause = clause
    self.meaning = meaning
    self.severity = severity
    severityIfGenuine = ifGenuine ?? severity
    self.play = play
  }
}
