import ClientScript
import SecrecyTesting
import Testing
import TokenBasics

import FederationClient
@testable import SocialFeeds

@Suite("Texts of posts")
struct TextTests {
  @Test(
    "S3 Mastodon counts graphemes, a link as 23 and of a mention the name alone",
    arguments: [
      ("", 0), ("Hello", 5), ("e\u{301}", 1), ("👨‍👩‍👧‍👦", 1), ("https://a.example", 23),
      ("see https://talks.example.org/a/very/long/path?with=query#and-more.", 28),
      ("@mia@social.example.org hi", 7), ("mia@example.org", 15), ("example.org", 11),
      ("a\nhttps://example.org/x\nb", 27), ("@mia hi", 7), ("@mia@example.org.", 5),
    ])
  func mastodon(text: String, length: Int) {
    #expect(MastodonLength.count(text, link: 23) == length)
  }

  @Test("S3 Bare domains are links at Bluesky, and handles are mentions of accounts that are known")
  func bareDomains() {
    let text =
      "ä (example.org/a?b#c), Example.COM. talks.example.social! @ada.bsky.social, @nobody.example.org "
      + "mail ada@example.org e.g. v1.2 3.14 file.swift -x.org a..b.org https://example.net/x.org @ada @.org"
    let facets = Facet.facets(of: text, accounts: ["ada.bsky.social": "did:plc:ada"])
    let bytes = Array(text.utf8)
    #expect(
      facets.map { String(decoding: bytes[$0.bytes], as: UTF8.self) } == [
        "example.org/a?b#c", "Example.COM", "talks.example.social", "@ada.bsky.social",
        "https://example.net/x.org",
      ])
    #expect(
      facets.map(\.feature) == [
        .link("https://example.org/a?b#c"), .link("https://Example.COM"),
        .link("https://talks.example.social"), .mention("did:plc:ada"),
        .link("https://example.net/x.org"),
      ])
  }

  @Test("S3 Facets of Bluesky are UTF-8 byte ranges, whatever precedes them")
  func facets() {
    let text = "Grüße 👋🏽 aus https://talks.example.org/e/7, #Swift #2030 a#b"
    let facets = Facet.facets(of: text)
    let bytes = Array(text.utf8)
    let shown = facets.map { String(decoding: bytes[$0.bytes], as: UTF8.self) }
    #expect(shown == ["https://talks.example.org/e/7", "#Swift"])
    #expect(
      facets.map(\.feature) == [.link("https://talks.example.org/e/7"), .tag("Swift")])
    #expect(facets[0].bytes.lowerBound == 21)
  }

  @Test(
    "A link ends before the punctuation of its sentence",
    arguments: [
      ("(see https://example.org/a)", "https://example.org/a"),
      ("https://example.org/a_(b)", "https://example.org/a_(b)"),
      ("HTTPS://example.org/?q=1!", "HTTPS://example.org/?q=1"),
    ])
  func links(text: String, link: String) {
    #expect(TextLinks.find(in: text).map { String(text[$0]) } == [link])
  }

  @Test("What looks like a link but has no host is none")
  func noLinks() {
    for text in ["https://", "http://.", "xhttps://example.org", "ftp://example.org"] {
      #expect(TextLinks.find(in: text).isEmpty, "\(text)")
    }
  }

  @Test("LinkedIn's little text has its syntax escaped, so that nothing is cut off")
  func littleText() {
    #expect(
      LinkedInEscaping.escape(##"a (b) #c_d* {e} [f] <g> | ~ @h \"##)
        == ##"a \(b\) \#c\_d\* \{e\} \[f\] \<g\> \| \~ \@h \\"##)
    #expect(LinkedInEscaping.escape("See you at Swift Days!") == "See you at Swift Days!")
  }

  @Test("A record's name is a TID: 13 digits that sort by time, the same for the same attempt")
  func recordKey() {
    let at = Instant(secondsSinceEpoch: 1_893_499_200)
    let attempt = PostAttempt(key: "3f1d", startedAt: at)
    #expect(attempt.recordKey.utf8.count == 13)
    #expect(attempt.recordKey == PostAttempt(key: "3f1d", startedAt: at).recordKey)
    let later = PostAttempt(key: "0000", startedAt: at.advanced(bySeconds: 1))
    #expect(attempt.recordKey < later.recordKey)
    // The first digit of a TID is at most j: its top bit is zero.
    #expect((attempt.recordKey.first ?? "z") <= "j")
  }

  @Test("S3 The text of an event comes from a template; what is filled in stays as it is")
  func template() throws {
    let post = try FeedPost(
      template: "I'll be attending \"{title}\" by {speaker}",
      ["title": "C++ & {Swift} #1", "speaker": "Mia"])
    #expect(post.text == "I'll be attending \"C++ & {Swift} #1\" by Mia")
  }

  @Test(
    "A template with a name that has no value, or half a brace, is refused",
    arguments: ["{title}", "{", "a}", "{a", "{{a}}"])
  func badTemplate(text: String) {
    expect(throws: TokenError(.feedTemplate)) { try FeedPost(template: text, ["a": "b"]) }
  }

  @Test("An image is recognised by its bytes, and its description contains none")
  func image() {
    #expect(FeedImage(Array("<svg/>".utf8), describedAs: "") == nil)
    #expect(FeedImage([0xFF, 0xD8, 0xFF, 0xE0], describedAs: "")?.type == .jpeg)
    #expect(FeedFixtures.image.map { "\($0)" } == "image/png, 11 bytes")
  }
}
