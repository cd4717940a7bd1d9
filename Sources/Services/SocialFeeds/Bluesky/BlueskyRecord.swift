import HTTPExchange
import Instants
import Octets

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
