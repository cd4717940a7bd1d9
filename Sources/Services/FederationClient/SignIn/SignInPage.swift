import HTTPExchange
import Octets
import TokenErrors

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
