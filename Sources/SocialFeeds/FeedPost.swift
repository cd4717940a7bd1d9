public import HTTPExchange
public import TokenErrors

/// What a person wants to say: text, a link, an image, in any combination that says something.
public struct FeedPost: Sendable {
  /// A link and, where the service shows a card, what the card says: LinkedIn and Bluesky do not read
  /// the page themselves.
  public struct Link: Sendable {
    public var url: HTTPURL
    public var title: String?
    public var summary: String?

    public init(_ url: HTTPURL, title: String? = nil, summary: String? = nil) {
      self.url = url
      self.title = title
      self.summary = summary
    }
  }

  public var text: String
  public var link: Link?
  public var image: FeedImage?
  /// A language tag such as `en` (BCP 47).
  public var language: String?

  public init(
    _ text: String, link: Link? = nil, image: FeedImage? = nil, language: String? = nil
  ) {
    self.text = text
    self.link = link
    self.image = image
    self.language = language
  }

  /// The text of a template with its `{names}` filled in, such as
  /// `I'll be attending "{title}" by {speaker}`. Values are taken as they are: each service's encoding
  /// takes care of `&`, `+`, `#` and quotes.
  ///
  /// - Throws: `feed.template` for a name without a value, or a brace without its partner.
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
