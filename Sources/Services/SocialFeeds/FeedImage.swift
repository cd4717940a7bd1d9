/// An image to publish with a post.
public struct FeedImage: Sendable, CustomStringConvertible, CustomReflectable {
  /// The supported types, by their media type.
  public enum MediaType: String, Hashable, Sendable {
    /// JPEG, recognised by `FF D8 FF`.
    case jpeg = "image/jpeg"
    /// PNG, recognised by its signature of eight bytes.
    case png = "image/png"
    /// GIF, recognised by `GIF8`.
    case gif = "image/gif"
    /// WebP, recognised by `RIFF` and `WEBP`.
    case webp = "image/webp"
  }

  /// The encoded image, sent unchanged.
  public let bytes: [UInt8]
  /// The type, from the first bytes.
  public let type: MediaType
  /// A description of the image for people who cannot see it.
  public let alternativeText: String

  /// An image whose first bytes identify its type; nil when they match none of ``MediaType``.
  public init?(_ bytes: [UInt8], describedAs description: String) {
    guard let type = Self.type(of: bytes) else { return nil }
    self.bytes = bytes
    self.type = type
    self.alternativeText = description
  }

  /// The type and the number of bytes.
  public var description: String { "\(type.rawValue), \(bytes.count) bytes" }

  /// Contains the description instead of the bytes.
  public var customMirror: Mirror { Mirror(self, children: ["image": description]) }

  /// A fixed file name, so that none of the person's own is sent.
  var fileName: String { "image." + type.rawValue.dropFirst(6) }

  private static func type(of bytes: [UInt8]) -> MediaType? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if bytes.starts(with: Array("GIF8".utf8)) { return .gif }
    if bytes.count > 12, bytes.starts(with: Array("RIFF".utf8)),
      bytes[8..<12].elementsEqual("WEBP".utf8)
    {
      return .webp
    }
    return nil
  }
}
