import HTTPExchange
import StrictJSON
import TokenErrors

/// What an answer outside a protocol's own statuses means.
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

  /// The server forgot the client, or never knew it.
  static func isUnknownClient(_ answer: HTTPResponse) -> Bool {
    guard answer.status == 400, let json = try? JSONAnswer.read(answer) else { return false }
    return json["errorCode"]?.string == "INVALID_CLIENT_ID"
  }
}
