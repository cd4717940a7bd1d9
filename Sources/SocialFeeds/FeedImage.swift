/// An image to show with a post.
public struct FeedImage: Sendable, CustomStringConvertible, CustomReflectable {
  /// The types that every service takes.
  public enum MediaType: String, Hashable, Sendable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webp = "image/webp"
  }

  public let bytes: [UInt8]
  public let type: MediaType
  /// What the image shows, for people who do not see it.
  public let alternativeText: String

  /// An image whose first bytes say what type it is; nil when they say none of ``MediaType``.
  public init?(_ bytes: [UInt8], describedAs description: String) {
    guard let type = Self.type(of: bytes) else { return nil }
    self.bytes = bytes
    self.type = type
    self.alternativeText = description
  }

  public var description: String { "\(type.rawValue), \(bytes.count) bytes" }

  public var customMirror: Mirror { Mirror(self, children: ["image": description]) }

  /// A file name says nothing about a person's disk.
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
