import Testing

import FederationClient
@testable import SocialFeeds

/// The lengths are those of twitter-text-parser 3, another implementation of the same rules.
@Suite("The weighted length of X")
struct XLengthTests {
  static let vectors: [(String, Int)] = [
    ("", 0),
    ("I am a tweet", 12),
    ("h\u{E9}llo", 5),
    ("e\u{301}", 1),
    ("cafe\u{301}s", 5),
    ("\u{306E}\u{306E}", 4),
    ("\u{D55C}\u{AD6D}\u{C5B4}", 6),
    ("\u{1112}\u{1161}\u{11AB}", 2),
    ("\u{41F}\u{440}\u{438}\u{432}\u{435}\u{442}", 6),
    ("\u{5E9}\u{5DC}\u{5D5}\u{5DD}", 4),
    ("\u{645}\u{631}\u{62D}\u{628}\u{627}", 5),
    ("\u{1F431}", 2),
    ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", 2),
    ("\u{1F1E9}\u{1F1EA}", 2),
    ("\u{1F44D}\u{1F3FD}", 2),
    ("\u{263A}\u{FE0F}", 2),
    ("\u{2764}\u{FE0F}", 2),
    ("1\u{FE0F}\u{20E3}", 2),
    ("\u{263A}", 2),
    ("\u{A9}", 2),
    ("\u{2122}", 2),
    ("a\u{1F469}\u{1F3FD}\u{200D}\u{1F680}b", 4),
    ("http://test.com", 23),
    ("https://test.com/a?b=c#d", 23),
    ("test.com", 23),
    ("see test.com.", 28),
    ("(test.com)", 25),
    ("http://localhost/a", 18),
    ("t.co", 23),
    ("a.de/x", 23),
    ("foo.co.jp x", 25),
    ("Test https://test.com test https://test.com test.com test", 86),
    ("mail me@example.com now", 23),
    ("@user hi", 8),
    ("#tag", 4),
    ("x http://example.com/a_(b) y", 27),
    ("(see http://example.com/a)", 29),
    ("https://example.com, and", 28),
    ("https://example.com/path.", 24),
    ("http://example.com:8080/x", 23),
    ("ftp://example.com/x", 19),
    ("v1.2.3", 6),
    ("e.g. this", 9),
    ("a...b", 5),
    ("Hello\u{A}World", 11),
    ("\u{2014}\u{2013}\u{201C}\u{201D}\u{2018}\u{2019}\u{2026}", 8),
    ("\u{20AC}", 2),
    ("\u{10000}", 2),
    ("\u{FF57}\u{FF49}\u{FF44}\u{FF45}", 8),
    ("\u{65E5}\u{672C} https://example.com/\u{65E5}\u{672C} \u{8A9E}", 35),
    ("example.unknowntldx", 19),
    ("https://\u{4F8B}\u{3048}.\u{30C6}\u{30B9}\u{30C8}/", 20),
    ("x.social and y.dev", 51),
    ("\u{1E69}", 2),
    ("s\u{323}\u{307}", 2),
    ("\u{1EA5}", 2),
    ("a\u{302}\u{301}", 2),
    ("\u{304C}", 2),
    ("\u{304B}\u{3099}", 2),
    ("\u{915}\u{94D}\u{200D}\u{937}", 4),
    ("http://a-b.example.org/?q=1&r=2!", 24),
    ("HTTPS://EXAMPLE.COM/X", 23),
    ("https://example.com/?", 24),
    ("https://example.com#frag", 28),
    ("nohttp://example.com", 20),
    ("readme.md", 23),
    ("I'll be at \u{22}Swift Days\u{22} https://talks.example.org/e/7", 47),
    ("\u{414}\u{435}\u{43D}\u{44C} https://example.com", 28),
  ]

  @Test(
    "S3 Text is counted as X counts it: alphabets, emoji, composition and links", arguments: vectors
  )
  func counts(text: String, length: Int) {
    #expect(XLength.count(text) == length)
  }
}
