package import TokenErrors

/// An `application/x-www-form-urlencoded` body. Everything but unreserved characters is escaped, so
/// that every parser reads a `+` or `|` in an old token correctly.
package enum FormBody {
  package static let mediaType = "application/x-www-form-urlencoded"

  package static func encode(_ fields: [(name: String, value: String)]) -> [UInt8] {
    Array(
      fields.map { HTTPURL.percentEncoded($0.name) + "=" + HTTPURL.percentEncoded($0.value) }
        .joined(separator: "&").utf8)
  }
}

extension HTTPRequest {
  /// A POST of a form.
  /// - Parameter fields: Header fields before `Content-Type`.
  /// - Throws: `transport.malformed-field`.
  package static func form(
    _ form: [(name: String, value: String)], to url: HTTPURL,
    fields: [(String, String)] = [("Accept", "application/json")]
  ) throws(TokenError) -> HTTPRequest {
    HTTPRequest(
      .post, url, fields: try HTTPFields(fields + [("Content-Type", FormBody.mediaType)]),
      body: FormBody.encode(form))
  }
}
