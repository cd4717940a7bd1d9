import HTTPExchange

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
