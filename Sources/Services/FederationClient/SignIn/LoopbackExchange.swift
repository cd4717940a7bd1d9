public import HTTPExchange
public import Instants
import Octets
public import TokenErrors

/// The responses of a listener on loopback, as a value without a socket: accepts one answer and rejects
/// all other requests. Its description contains only the address, since the state suffices to end the
/// sign-in.
public struct LoopbackExchange: Sendable, CustomStringConvertible, CustomReflectable {
  /// How the browser delivers the answer.
  public enum Delivery: Sendable {
    /// A GET with `code` and `state` (OAuth 2.0).
    case query
    /// A POST of a form with `wctx` (WS-Federation).
    case form
  }

  /// The step after a request.
  public enum Step: Sendable {
    /// Send this response and continue to listen.
    case refuse(HTTPResponse)
    /// Send this response and continue to listen: the request belongs to another sign-in, or none.
    case foreign(HTTPResponse, TokenError)
    /// Stop: this is the answer. It is verified before the browser gets its page.
    case finish(Result<RedirectAnswer, TokenError>)
  }

  /// The address to which the browser returns.
  public let address: HTTPURL
  /// Opaque text that ties the answer to this sign-in.
  public let state: String
  /// How the browser delivers the answer.
  public let delivery: Delivery
  /// The time after which every request is rejected.
  public let deadline: Instant
  private var isFinished = false

  /// The address, without the state.
  public var description: String { "a sign-in that ends at \(address)" }

  /// Contains only the address.
  public var customMirror: Mirror { Mirror(self, children: ["address": address.description]) }

  /// A sign-in that waits for its answer.
  public init(address: HTTPURL, state: String, delivery: Delivery, deadline: Instant) {
    self.address = address
    self.state = state
    self.delivery = delivery
    self.deadline = deadline
  }

  /// The step after one request.
  ///
  /// A request for another host name (DNS rebinding), another path or without the right state changes
  /// nothing: any page in the browser can send those.
  public mutating func receive(
    _ message: WebRequest, host: String?, at now: Instant
  ) -> Step {
    guard !isFinished, now < deadline else { return .refuse(SignInPage.gone) }
    guard let host, host.utf8.elementsEqual(address.origin.place.description.utf8) else {
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
      // Only a request with the right state ends the sign-in, also with an error.
      let answered: Set<TokenError.Code> = [.clientParameter, .clientRequestRefused]
      guard answered.contains(error.code) else {
        return .foreign(SignInPage.foreign(error), error)
      }
      result = .failure(error)
    }
    isFinished = true
    return .finish(result)
  }

  private func read(_ message: WebRequest) throws(TokenError) -> RedirectAnswer {
    switch delivery {
    case .query:
      return try RedirectAnswer.reading(message.parameters, state: state)
    case .form:
      let form = try message.form
      // The form of an error has the state inside its JSON.
      var context = form["wctx"]
      if context == nil, let details = form["ErrorDetails"] {
        context = try AccessControlFailure(errorDetails: details).context
      }
      guard let context, context.hasSameBytes(as: state) else { throw TokenError(.clientState) }
      return .posted(message)
    }
  }
}
