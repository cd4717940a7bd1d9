import HTTPExchange
import TokenErrors

/// The header fields that the server's own clients send.
enum MobileFields {
  static func json(_ application: MobileApplication) throws(TokenError) -> HTTPFields {
    try HTTPFields(list(application) + [("Content-Type", "application/json")])
  }

  static func list(_ application: MobileApplication) -> [(String, String)] {
    [
      ("X-Requested-With", "XMLHttpRequest"), ("x-wl-app-version", application.version),
      ("Accept", "application/json"),
    ]
  }
}
