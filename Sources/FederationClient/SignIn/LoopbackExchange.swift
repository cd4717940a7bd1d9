public import HTTPExchange
public import Instants
import Octets
public import TokenErrors

/// What a listener on loopback says to each request, as a value without a socket: one answer is taken,
/// everything else is turned away. Its description shows the address alone: whoever knows the state can
/// end the sign-in.
public struct LoopbackExchange: Sendable, CustomStringConvertible, CustomReflectable {
  /// How the browser brings the answer.
  public enum Delivery: Sendable {
    /// A GET with `code` and `state` (OAuth 2.0).
    case query
    /// A POST of a form with `wctx` (WS-Federation).
    case form
  }

  /// What to do about a request.
  public enum Step: Sendable {
    /// Answer so and go on listening.
    case refuse(HTTPResponse)
    /// Answer so and go on listening: the request answers another sign-in, or none.
    case foreign(HTTPResponse, TokenError)
    /// Stop: this is the answer. It is judged before the browser gets its page.
    case finish(Result<RedirectAnswer, TokenError>)
  }

  /// Where the browser is sent back to.
  public let address: HTTPURL
  /// Ties the answer to this sign-in.
  public let state: String
  /// How the answer is delivered.
  public let delivery: Delivery
  /// The moment at which the wait ends.
  public let deadline: Instant
  private var isFinished = false

  /// The loopback address, without the state.
  public var description: String { "a sign-in that ends at \(address)" }

  /// The loopback address alone, so that `dump` shows no state.
  public var customMirror: Mirror { Mirror(self, children: ["address": address.description]) }

  /// A sign-in that waits at `address`.
  public init(address: HTTPURL, state: String, delivery: Delivery, deadline: Instant) {
    self.address = address
    self.state = state
    self.delivery = delivery
    self.deadline = deadline
  }

  /// The answer to one request.
  ///
  /// A request for another host name (DNS rebinding), another path or without the right state changes
  /// nothing: any page in the browser can send those.
  public mutating func receive(
    _ message: IncomingMessage, host: String?, at now: Instant
  ) -> Step {
    guard !isFinished, now < deadline else { return .refuse(SignInPage.gone) }
    let authority = "\(address.origin.host):\(address.origin.port)"
    guard let host, host.utf8.elementsEqual(authority.utf8) else {
      return .refuse(SignInPage.notFound)
    }
    guard message.path.utf8.elementsEqual(address.path.utf8) else {
      return .refuse(SignInPage.notFound)
    }
    guard message.method == (delivery == .query ? "GET" : "POST") else {
      return .refuse(SignInPage.wrongMethod)
    }
    let result: Result<RedirectAnswer, TokenError>
    do throws(TokenError) {
      result = .success(try read(message))
    } catch {
      // Only whoever knows the state can end the sign-in, also by an error.
      let answered: Set<TokenError.Code> = [.clientParameter, .clientRequestRefused]
      guard answered.contains(error.code) else {
        return .foreign(SignInPage.foreign(error), error)
      }
      result = .failure(error)
    }
    isFinished = true
    return .finish(result)
  }

  private func read(_ message: IncomingMessage) throws(TokenError) -> RedirectAnswer {
    switch delivery {
    case .query:
      return try RedirectAnswer.reading(query: message.query ?? "", state: state)
    case .form:
      guard FormReader.isForm(message.contentType) else { throw TokenError(.clientContentType) }
      let form = try FormReader(message.body)
      // An error page's form brings the state inside its JSON.
      var context = form["wctx"]
      if context == nil, let details = form["ErrorDetails"] {
        context = try AccessControlFailure(errorDetails: details).context
      }
      guard let context, context.hasSameBytes(as: state) else { throw TokenError(.clientState) }
      return .posted(message)
    }
  }
}
