public import HTTPExchange
public import TokenErrors

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
