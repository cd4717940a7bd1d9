import HTTPExchange

/// The pages that a person sees after a sign-in. Fixed texts: nothing that a request said is in them.
enum SignInPage {
  static let done = page(200, "You are signed in. This window can be closed.")
  static let cancelled = page(200, "Nobody was signed in. This window can be closed.")
  static let failed = page(400, "The sign-in failed; the program says why.")
  static let malformed = page(400, "This is no answer to the sign-in under way.")
  static let notFound = page(404, "There is nothing here.")
  static let wrongMethod = page(405, "Not in this way.")
  static let gone = page(410, "This sign-in is over.")

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
