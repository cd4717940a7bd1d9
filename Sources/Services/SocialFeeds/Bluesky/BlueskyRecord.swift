import HTTPExchange
import Octets
import TokenBasics

/// The record of a post (`app.bsky.feed.post`).
enum BlueskyRecord {
  static func body(
    _ post: FeedPost, blob: [UInt8]?, repository: String, key: String, createdAt: Instant,
    accounts: [String: String] = [:]
  ) -> [UInt8] {
    let text = Bluesky.text(of: post)
    var json = JSONWriter()
    json.object { json in
      json.member("repo", repository)
      json.member("collection", "app.bsky.feed.post")
      json.member("rkey", key)
      json.name("record")
      json.object { json in
        json.member("$type", "app.bsky.feed.post")
        json.member("text", text)
        json.member("createdAt", createdAt.withMilliseconds)
        if let language = post.language {
          json.name("langs")
          json.array { json in json.string(language) }
        }
        write(Facet.facets(of: text, accounts: accounts), &json)
        if let blob, let image = post.image {
          write(image, blob, &json)
        } else if let link = post.link, let title = link.title {
          write(link, title, &json)
        }
      }
    }
    return json.bytes
  }

  private static func write(_ facets: [Facet], _ json: inout JSONWriter) {
    guard !facets.isEmpty else { return }
    json.name("facets")
    json.array { json in
      for facet in facets {
        json.object { json in
          json.name("index")
          json.object { json in
            json.name("byteStart")
            json.integer(facet.bytes.lowerBound)
            json.name("byteEnd")
            json.integer(facet.bytes.upperBound)
          }
          json.name("features")
          json.array { json in
            json.object { json in
              switch facet.feature {
              case .link(let address):
                json.member("$type", "app.bsky.richtext.facet#link")
                json.member("uri", address)
              case .tag(let tag):
                json.member("$type", "app.bsky.richtext.facet#tag")
                json.member("tag", tag)
              case .mention(let account):
                json.member("$type", "app.bsky.richtext.facet#mention")
                json.member("did", account)
              }
            }
          }
        }
      }
    }
  }

  private static func write(_ image: FeedImage, _ blob: [UInt8], _ json: inout JSONWriter) {
    json.name("embed")
    json.object { json in
      json.member("$type", "app.bsky.embed.images")
      json.name("images")
      json.array { json in
        json.object { json in
          json.member("alt", image.alternativeText)
          json.name("image")
          json.raw(blob)
        }
      }
    }
  }

  private static func write(
    _ link: FeedPost.Link, _ title: String, _ json: inout JSONWriter
  ) {
    json.name("embed")
    json.object { json in
      json.member("$type", "app.bsky.embed.external")
      json.name("external")
      json.object { json in
        json.member("uri", link.url.text)
        json.member("title", title)
        json.member("description", link.summary ?? "")
      }
    }
  }
}

extension PostAttempt {
  /// A timestamp identifier (TID): 53 bits of microseconds and ten random bits, as 13 digits that sort by
  /// time. It depends on the attempt alone.
  var recordKey: String {
    let time =
      UInt64(clamping: startedAt.seconds) &* 1_000_000
      &+ UInt64(clamping: startedAt.nanoseconds / 1_000)
    let chance = key.utf8.prefix(3).reduce(UInt64(0)) { $0 << 4 | UInt64(Hex.value($1) ?? 0) }
    var bits = (time & (1 << 53 - 1)) << 10 | chance & 0x3FF
    let digits = Array("234567abcdefghijklmnopqrstuvwxyz".utf8)
    var text: [UInt8] = []
    for _ in 0..<13 {
      text.append(digits[Int(bits & 31)])
      bits >>= 5
    }
    return String(decoding: text.reversed(), as: UTF8.self)
  }
}

/// A link, a tag or a mention in a text, by its UTF-8 bytes: Bluesky itself recognises none of them.
struct Facet: Hashable {
  enum Feature: Hashable {
    case link(String)
    case tag(String)
    /// The account's decentralized identifier.
    case mention(String)
  }

  let bytes: Range<Int>
  let feature: Feature

  /// The links, hashtags and mentions of a text, in order.
  ///
  /// - Parameter accounts: The identifiers of the accounts whose handles are mentioned; a handle without one is text.
  static func facets(of text: String, accounts: [String: String] = [:]) -> [Facet] {
    let links = TextLinks.find(in: text)
    var facets = links.map { Facet(bytes: bytes($0, text), feature: .link(String(text[$0]))) }
    for domain in BareDomains.find(in: text) where !links.contains(where: domain.overlaps) {
      facets.append(
        Facet(bytes: bytes(domain, text), feature: .link("https://" + text[domain])))
    }
    for (range, handle) in BareDomains.handles(in: text)
    where !links.contains(where: range.overlaps) {
      guard let account = accounts[handle] else { continue }
      facets.append(Facet(bytes: bytes(range, text), feature: .mention(account)))
    }
    var index = text.startIndex
    while let hash = text[index...].firstIndex(where: { $0 == "#" || $0 == "＃" }) {
      index = text.index(after: hash)
      guard !links.contains(where: { $0.contains(hash) }), startsWord(hash, text) else { continue }
      let tag = text[index...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard tag.contains(where: { !$0.isNumber }), tag.count <= 64 else { continue }
      facets.append(
        Facet(bytes: bytes(hash..<tag.endIndex, text), feature: .tag(String(tag))))
      index = tag.endIndex
    }
    return facets.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
  }

  private static func startsWord(_ index: String.Index, _ text: String) -> Bool {
    index == text.startIndex || text[text.index(before: index)].isWhitespace
  }

  private static func bytes(_ range: Range<String.Index>, _ text: String) -> Range<Int> {
    let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
    return start..<start + text[range].utf8.count
  }
}

/// Host names that stand in a text without a scheme, as people write them, and handles, which are such names behind `@`.
enum BareDomains {
  /// The host names, each with the path behind it: `example.org/talks`.
  static func find(in text: String) -> [Range<String.Index>] {
    words(of: text).compactMap { word in
      guard let host = host(at: word.startIndex, in: word) else { return nil }
      var rest = word[host.upperBound...]
      guard rest.isEmpty || "/?#".contains(rest[rest.startIndex]) else {
        return ".,:;!?'…)".contains(rest[rest.startIndex]) ? host : nil
      }
      while let last = rest.last, ".,:;!?'…)".contains(last) { rest = rest.dropLast() }
      return host.lowerBound..<rest.endIndex
    }
  }

  /// The handles, in lower case, each with its range from the `@` on.
  static func handles(in text: String) -> [(range: Range<String.Index>, handle: String)] {
    words(of: text).compactMap { word in
      guard word.first == "@", let host = host(at: word.index(after: word.startIndex), in: word)
      else { return nil }
      let handle = word[host].utf8.map(ASCII.lowercased)
      return (word.startIndex..<host.upperBound, String(decoding: handle, as: UTF8.self))
    }
  }

  /// What stands between white space, without parentheses that open before it.
  private static func words(of text: String) -> [Substring] {
    text.split(whereSeparator: \.isWhitespace).map { $0.drop { $0 == "(" } }
      .filter { !$0.isEmpty }
  }

  /// A host name of two labels and more that ends with a top-level domain.
  private static func host(at start: String.Index, in word: Substring) -> Range<String.Index>? {
    var name = word[start...].prefix { character in
      guard let octet = character.asciiValue else { return false }
      return ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == 0x2D || octet == 0x2E
    }
    while name.last == "." { name = name.dropLast() }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count >= 2, name.utf8.count <= 253, let top = labels.last,
      labels.allSatisfy({
        (1...63).contains($0.utf8.count) && $0.first != "-" && $0.last != "-"
      }), isTopLevel(top)
    else { return nil }
    return name.startIndex..<name.endIndex
  }

  /// The domains of countries have two letters; of the others, those that people use.
  private static func isTopLevel(_ label: Substring) -> Bool {
    let letters = label.utf8.map(ASCII.lowercased)
    guard letters.allSatisfy(ASCII.isLetter) else { return false }
    return letters.count == 2 || general.contains(String(decoding: letters, as: UTF8.self))
  }

  private static let general: Set<String> = [
    "academy", "app", "art", "berlin", "biz", "blog", "cloud", "club", "com", "community", "design",
    "dev", "digital", "edu", "education", "events", "foundation", "gov", "group", "info", "int",
    "jobs", "link", "live", "media", "mil", "mobi", "museum", "name", "net", "network", "news",
    "online",
    "org", "page", "pro", "press", "science", "shop", "site", "social", "software", "space",
    "store",
    "studio", "systems", "team", "tech", "today", "tools", "video", "website", "wiki", "world",
    "xyz",
    "zone",
  ]
}
