import HTTPExchange
import TokenBasics

/// A `multipart/form-data` body (RFC 7578).
struct MultipartForm {
  let boundary: String
  private var bytes: [UInt8] = []

  /// A form with that boundary, which must be unguessable, so that no part can contain it.
  init(boundary: String) { self.boundary = boundary }

  var mediaType: String { "multipart/form-data; boundary=\(boundary)" }

  mutating func field(_ name: StaticString, _ value: String) {
    open("form-data; name=\"\(name)\"", type: nil)
    bytes += Array(value.utf8) + Array("\r\n".utf8)
  }

  mutating func file(_ name: StaticString, _ image: FeedImage) {
    open("form-data; name=\"\(name)\"; filename=\"\(image.fileName)\"", type: image.type.rawValue)
    bytes += image.bytes + Array("\r\n".utf8)
  }

  /// The whole body.
  var body: [UInt8] { bytes + Array("--\(boundary)--\r\n".utf8) }

  private mutating func open(_ disposition: String, type: String?) {
    var head = "--\(boundary)\r\nContent-Disposition: \(disposition)\r\n"
    if let type { head += "Content-Type: \(type)\r\n" }
    bytes += Array((head + "\r\n").utf8)
  }
}

/// An upload address that a service sent in a response.
enum UploadAddress {
  /// Parses it. A remote service must not send uploads to loopback: a listener there would accept the upload
  /// as a request of a trusted program.
  ///
  /// - Parameter service: The origin of the service.
  /// - Throws: `transport.insecure-address` for loopback, unless the service is on loopback too;
  ///   `transport.malformed-address`.
  static func read(_ text: String, of service: HTTPOrigin) throws(TokenError) -> HTTPURL {
    let url = try HTTPURL(text)
    guard !url.origin.isLoopback || service.isLoopback else {
      throw TokenError(
        .transportInsecureAddress, expected: "an address outside this machine",
        found: TokenError.excerpt(url.origin.description))
    }
    return url
  }
}
