public import HTTPExchange
public import TokenBasics

/// The content of a post: text, a link and an image, of which at least one is present.
public struct FeedPost: Sendable {
  /// A link and the text of its card, for services that do not read the page themselves (LinkedIn and
  /// Bluesky).
  public struct Link: Sendable {
    /// The address that the link opens.
    public var url: HTTPURL
    /// The title of the card; nil for a plain link.
    public var title: String?
    /// The description on the card.
    public var summary: String?

    /// A link, with a card if it has a title.
    public init(_ url: HTTPURL, title: String? = nil, summary: String? = nil) {
      self.url = url
      self.title = title
      self.summary = summary
    }
  }

  /// The text, without the link.
  public var text: String
  /// The link; services without a field for it write it into the text.
  public var link: Link?
  /// The image; nil for none.
  public var image: FeedImage?
  /// A language tag such as `en` (BCP 47).
  public var language: String?

  /// A post with these parts; nil leaves a part out.
  public init(
    _ text: String, link: Link? = nil, image: FeedImage? = nil, language: String? = nil
  ) {
    self.text = text
    self.link = link
    self.image = image
    self.language = language
  }

  /// The text of a template with its `{names}` filled in, such as
  /// `I'll be attending "{title}" by {speaker}`. Values are inserted unchanged: each service's encoding
  /// escapes `&`, `+`, `#` and quotes.
  ///
  /// - Throws: `feed.template` for a name without a value, or an unbalanced brace.
  public init(template: String, _ values: [String: String]) throws(TokenError) {
    var text = ""
    var rest = template[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      text += rest[..<open]
      let name = rest[rest.index(after: open)...].prefix { $0 != "}" && $0 != "{" }
      guard rest[open] == "{", name.endIndex < rest.endIndex, rest[name.endIndex] == "}",
        let value = values[String(name)]
      else {
        throw TokenError(
          .feedTemplate, expected: "a value for each {name}",
          found: TokenError.excerpt(String(name)))
      }
      text += value
      rest = rest[rest.index(after: name.endIndex)...]
    }
    self.init(text + rest)
  }

  /// The text followed by the link, for services where a link is a part of the text.
  var textWithLink: String {
    guard let link, !text.contains(link.url.text) else { return text }
    return text.isEmpty ? link.url.text : text + "\n" + link.url.text
  }

  var isEmpty: Bool { text.allSatisfy(\.isWhitespace) && link == nil && image == nil }
}

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
