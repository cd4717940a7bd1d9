public import HTTPExchange
import Octets
public import TokenBasics

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

/// The pages that a person sees after a sign-in. Fixed texts that contain nothing from a request.
enum SignInPage {
  static let done = page(200, "You are signed in. This window can be closed.")
  static let arrived = page(200, "The answer has arrived; the program judges it.")
  static let notFound = page(404, "Not found.")
  static let wrongMethod = page(405, "Method not allowed.")
  static let gone = page(410, "This sign-in is over.")

  /// The page for a failed sign-in: the message and the code of the error, never `found`, and no text of an
  /// application's own error.
  static func failed(_ error: any Error) -> HTTPResponse {
    guard let error = error as? TokenError else {
      return page(500, "You are not signed in: the program could not finish the sign-in.")
    }
    return page(400, "You are not signed in: \(words(error)). The program says more.")
  }

  /// The page for a request that belongs to another sign-in; the current one continues.
  static func foreign(_ error: TokenError) -> HTTPResponse {
    page(
      400,
      "This is no answer to the sign-in under way: \(words(error)). The program goes on waiting.")
  }

  private static func words(_ error: TokenError) -> String {
    MarkupEscaping.escaped("\(error.message) (\(error.code.rawValue))", for: .page)
  }

  private static func page(_ status: Int, _ text: String) -> HTTPResponse {
    let html =
      "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>Sign-in</title><p>\(text)</p>"
    let fields = try? HTTPFields([
      ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
      ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
      ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ])
    return HTTPResponse(status: status, fields: fields ?? HTTPFields(), body: Array(html.utf8))
  }
}
