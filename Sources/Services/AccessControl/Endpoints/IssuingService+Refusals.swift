import HTTPExchange
import SignIn

extension IssuingService {
  var notFound: HTTPResponse {
    responder.response(404, "text/plain; charset=utf-8", Array("Not found.\n".utf8))
  }

  /// The page of a refusal, with the number of Access Control Service, our code and the number of the log entry.
  func refusal(_ error: TokenError, at place: ACSRefusal.Place = .request) -> HTTPResponse {
    let refusal = ACSRefusal(error, at: place)
    let trace = logged(error, refusal)
    let heading =
      switch error.code {
      case .issuingCancelled: "You cancelled"
      case .issuingPassword: "The password is wrong"
      default: "No token was issued"
      }
    var content = PageContent(heading, notes: Self.explanation(error, refusal))
    content.details = (error.code.rawValue, trace)
    return responder.page(refusal.status, .content(content))
  }

  /// What is wrong, by its number, and what to do.
  static func explanation(_ error: TokenError, _ refusal: ACSRefusal) -> [String] {
    // Where it is and what was expected are ours; what was found may be an attacker's text.
    let place = [error.node, error.expected.map { "expected \($0)" }].compactMap(\.self)
    return ["\(refusal): \(error.code.summary)."]
      + (place.isEmpty ? [] : [place.joined(separator: ": ") + "."])
      + ["Hint: \(error.hint)."]
  }

  /// Logs a refusal and returns its number.
  @discardableResult
  func logged(_ error: TokenError, _ refusal: ACSRefusal) -> String {
    let trace = traceID()
    observer.happened(
      Activity(
        "issuing.refused",
        [
          ("code", error.code.rawValue), ("number", refusal.description), ("trace", trace),
          ("error", error.description),
        ]))
    return trace
  }

  /// A number in the form of a UUID, as clients expect it.
  private func traceID() -> String {
    let digits = Array(random.hex(16))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      .joined(separator: "-")
  }

  /// Says when to come back, where that is the cause.
  func retrying(_ response: HTTPResponse, _ error: TokenError) -> HTTPResponse {
    guard error.code == .issuingRate else { return response }
    var response = response
    try? response.fields.append("Retry-After", "1")
    return response
  }
}
