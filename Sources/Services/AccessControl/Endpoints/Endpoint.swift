import SignIn

/// A protocol that the service speaks, or a group of its pages.
protocol Endpoint: Sendable {
  /// Its addresses, and what answers there.
  var routes: [Route] { get }
}

/// A protocol by which people sign in to relying parties: it begins sign-ins, and answers them.
protocol SignInEndpoint: Endpoint {
  /// The kinds of sign-in that it begins, and so answers.
  var deliveries: [SignInContext.Delivery] { get }

  /// Begins the sign-in that a relying party asks for.
  func begin(_ request: WebRequest) async throws(TokenError) -> HTTPResponse

  /// Refuses a sign-in whose answer would have no address, before a person is asked.
  ///
  /// - Throws: `issuing.reply-address`.
  func checkReply(_ context: SignInContext, _ party: RelyingParty) async throws(TokenError)

  /// Issues what the relying party gets. What it throws leaves the sign-in open; what it returns sends the answer, and
  /// runs when the sign-in has been used up.
  func deliver(_ signIn: FinishedSignIn) async throws(TokenError) -> Answer

  /// Tells the relying party why there is no token; nil where the person is told alone.
  ///
  /// - Parameter provider: Where the person signed in; nil where the sign-in did not come that far.
  func refuse(
    _ error: TokenError, _ context: SignInContext, _ party: RelyingParty,
    from provider: ACSIdentityProvider?
  ) async throws(TokenError) -> HTTPResponse?
}

extension SignInEndpoint {
  /// Sends what was issued.
  typealias Answer = () async throws(TokenError) -> HTTPResponse
}

/// A sign-in at its end.
struct FinishedSignIn {
  let context: SignInContext
  let party: RelyingParty
  let provider: ACSIdentityProvider
  let subject: SignedInSubject
  let visit: Visit
  /// The session at a real provider, without claims; nil for a test person.
  let session: SignedInSession?
}

/// An address, and what answers there.
struct Route: Sendable {
  /// A path in lower case, without a slash at its end: old clients spell paths as they like.
  static func plain(_ path: String) -> String {
    let path = path.lowercasedASCII
    return path.utf8.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  typealias Answer = @Sendable (WebRequest) async throws(TokenError) -> HTTPResponse

  /// What the endpoints for programs have instead of pages.
  struct Programs: Sendable {
    /// How a program may say who it is (RFC 9110, 11.6.1).
    var challenge = Route.bearer
    /// Says what is wrong, in the words of the protocol.
    let refuse: @Sendable (TokenError) -> HTTPResponse
  }

  /// What the table of routes has for a method of an address.
  struct Handler: Sendable {
    let answer: Answer
    /// What is there for programs, who are limited; nil for pages.
    let programs: Programs?

    /// Adds the challenge that RFC 9110 wants of a 401 (15.5.2).
    func challenging(_ response: HTTPResponse) -> HTTPResponse {
      Route.challenging(response, programs?.challenge ?? Route.bearer)
    }
  }

  /// The path, ``plain(_:)``.
  let path: String
  let handlers: [(method: String, handler: Handler)]

  /// An address of people.
  init(_ path: String, get: Answer? = nil, post: Answer? = nil) {
    self.path = path
    handlers = [("GET", get), ("POST", post)].compactMap { method, answer in
      answer.map { (method, Handler(answer: $0, programs: nil)) }
    }
  }

  /// An address of programs, which post.
  init(_ path: String, for programs: Programs, post: @escaping Answer) {
    self.path = path
    handlers = [("POST", Handler(answer: post, programs: programs))]
  }

  private static let bearer = BearerToken.challenge()

  /// A response whose 401 has a challenge: its own, or this one.
  static func challenging(
    _ response: HTTPResponse, _ challenge: String = bearer
  ) -> HTTPResponse {
    guard response.status == 401, response.fields.values("WWW-Authenticate").isEmpty else {
      return response
    }
    var response = response
    try? response.fields.append("WWW-Authenticate", challenge)
    return response
  }
}
