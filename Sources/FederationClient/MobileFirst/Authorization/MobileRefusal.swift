import BrowserExchange
import HTTPExchange
import StrictJSON
import TokenErrors

/// Maps a response with a status that the protocol does not define to an error.
enum MobileRefusal {
  static func read(_ answer: HTTPResponse, _ endpoint: String) -> TokenError {
    if isUnknownClient(answer) { return TokenError(.clientUnknownClient, node: endpoint) }
    let json = try? JSONAnswer.read(answer)
    let code = json?["errorCode"]?.string ?? json?["error"]?.string
    return TokenError(
      (400..<500).contains(answer.status) ? .clientAuthorization : .transportStatus,
      node: endpoint,
      found: "status \(answer.status)" + (code.map { ", \(TokenError.excerpt($0))" } ?? ""))
  }

  /// Whether the server does not know the client, or no longer.
  static func isUnknownClient(_ answer: HTTPResponse) -> Bool {
    guard answer.status == 400, let json = try? JSONAnswer.read(answer) else { return false }
    return json["errorCode"]?.string == "INVALID_CLIENT_ID"
  }
}
