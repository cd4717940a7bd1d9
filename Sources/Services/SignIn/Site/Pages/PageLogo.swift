package import LocalFiles
import Octets
import TokenBasics

/// The logo of a service, on top of its pages: a picture inside of the page, so that no page fetches anything.
public struct PageLogo: Sendable {
  /// The picture, as a `data:` address.
  public let address: String

  /// The most octets of a logo, 64 KiB: every page carries it.
  public static let mostOctets = 1 << 16

  /// A picture in SVG or PNG; nil for any other octets, and for more than ``mostOctets``.
  public init?(_ octets: [UInt8]) {
    guard octets.count <= Self.mostOctets else { return nil }
    let type: String
    if octets.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      type = "image/png"
    } else {
      let text = octets.drop { ASCII.isWhiteSpace($0) }
      guard text.starts(with: "<svg".utf8) || text.starts(with: "<?xml".utf8) else { return nil }
      type = "image/svg+xml"
    }
    address = "data:\(type);base64,\(Base64.encode(octets))"
  }
}

extension ConfigurationFolder {
  /// The logo in a file beside a configuration; nil where the configuration names none.
  ///
  /// - Throws: The code of a wrong value, for a file that is no picture, is too large or cannot be read.
  package func logo(_ name: String?) throws(TokenError) -> PageLogo? {
    guard let name else { return nil }
    guard let logo = PageLogo(try octets(name)) else {
      throw TokenError(
        Self.valueCode, node: "logo, \(name)",
        expected: "a picture in SVG or PNG of at most \(PageLogo.mostOctets) octets",
        found: "another file")
    }
    return logo
  }
}
