import BrowserExchange
import HTTPExchange
import TokenErrors

/// The header fields that the server's own clients send.
enum MobileFields {
  static func json(_ application: MobileApplication) throws(TokenError) -> HTTPFields {
    try fields(application, "application/json")
  }

  static func form(_ application: MobileApplication) throws(TokenError) -> HTTPFields {
    try fields(application, FormBody.mediaType)
  }

  static func fields(
    _ application: MobileApplication, _ contentType: String?
  ) throws(TokenError) -> HTTPFields {
    var fields = try HTTPFields([
      ("X-Requested-With", "XMLHttpRequest"), ("x-wl-app-version", application.version),
      ("Accept", "application/json"),
    ])
    if let contentType { try fields.append("Content-Type", contentType) }
    return fields
  }
}
