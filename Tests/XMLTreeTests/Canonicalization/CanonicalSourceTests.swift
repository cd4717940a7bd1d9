import Testing
import XMLOracle
import XMLTree

/// Documents that are in canonical form already but for one place or two: what stands as it should is
/// copied, and the rest must not be.
@Suite("Canonical forms of what is nearly canonical")
struct CanonicalSourceTests {
  private static let neat = "<i k=\"v\" l=\"w\">text</i>"

  /// A part of the neat element, and the same with one liberty.
  private static let liberties: [(neat: String, other: String)] = [
    (" k=\"v\"", "  k=\"v\""), (" k=\"v\"", "\tk=\"v\""), (" k=\"v\"", "\nk=\"v\""),
    (" k=\"v\"", " k='v'"), (" k=\"v\"", " k =\"v\""), (" k=\"v\"", " k= \"v\""),
    (" k=\"v\"", " k=\"v\" "), (" k=\"v\"", " k=\"v&lt;\""), (" k=\"v\"", " k=\"v&amp;\""),
    (" k=\"v\"", " k=\"v&#9;\""), (" k=\"v\"", " k=\"v\n\""), (" k=\"v\"", " k=\"v&quot;\""),
    (" k=\"v\"", " k='v\"'"), (" k=\"v\"", " k=\"v>\""), (" k=\"v\"", " k=\"é\""),
    (" k=\"v\"", " k=\"v\" j=\"w\""), (" k=\"v\"", " k=\"v\" xml:lang=\"en\""),
    (" k=\"v\"", " k=\"v\" xmlns:q=\"urn:q\""), (" k=\"v\"", " k=\"v\" xmlns=\"urn:a\""),
    (" k=\"v\"", " k=\"v\" xmlns=\"urn:b\""), (" k=\"v\"", " k=\"v\" p:j=\"w\""),
    (" l=\"w\"", "  l=\"w\""), (" l=\"w\"", "\tl=\"w\""), (" l=\"w\"", " l='w'"),
    (" l=\"w\"", " l=\"w\" "), (" l=\"w\"", " l=\"&#119;\""), (" l=\"w\"", " a=\"w\""),
    (" l=\"w\"", " p:l=\"w\""),
    ("text", "te>xt"), ("text", "te&gt;xt"), ("text", "te&amp;xt"), ("text", "te&#120;xt"),
    ("text", "te\rxt"), ("text", "te\r\nxt"), ("text", "te<![CDATA[x]]>t"),
    ("text", "text<![CDATA[]]>"), ("text", "<![CDATA[]]>text"), ("text", "te<!--x-->xt"),
    ("text", "<?x?>text"), ("text", "téxt"), ("text", "te]xt"), ("text", ""),
    ("</i>", "</i >"), ("</i>", "</i\n>"),
  ]

  private static func document(_ item: (String, Int)) -> String {
    let around = "<l><m n=\"1\">one</m><i k=\"0\">zero</i>"
    return "<r xmlns=\"urn:a\" xmlns:p=\"urn:p\">" + String(repeating: around, count: item.1)
      + item.0 + "<m></m></l>" + String(repeating: "</l>", count: item.1 - 1) + "</r>"
  }

  @Test("One liberty is written in canonical form, wherever it stands", arguments: 1...3)
  func oneLiberty(depth: Int) {
    let neat = Self.neat
    var texts = [neat, "<i k=\"v\"/>", "<p:i k=\"v\">text</p:i>", "<i k=\"v\"><i>a</i>text</i>"]
    for liberty in Self.liberties {
      texts.append(neat.replacing(liberty.neat, with: liberty.other))
    }
    check(texts.map { Self.document(($0, depth)) })
  }

  @Test("Two liberties that add up to the length of none are written in canonical form")
  func twoLiberties() {
    let neat = Self.neat
    var texts: [String] = []
    for one in Self.liberties {
      for two in Self.liberties where two.neat != one.neat {
        texts.append(neat.replacing(one.neat, with: one.other).replacing(two.neat, with: two.other))
      }
    }
    check(texts.map { Self.document(($0, 1)) })
  }

  @Test("What is neat is its own canonical form")
  func neat() throws {
    let text = Self.document((Self.neat, 2)).replacing(
      " xmlns:p=\"urn:p\"", with: "")
    let document = try Document(parsing: Array(text.utf8))
    for algorithm in [CanonicalizationMethod.Algorithm.inclusive10, .inclusive11, .exclusive] {
      let method = CanonicalizationMethod(algorithm)
      #expect(
        String(decoding: Canonicalizer.octets(document.subtree, method), as: UTF8.self) == text)
    }
  }

  private func check(_ texts: [String]) {
    var comparison = CanonicalComparison()
    for (seed, text) in texts.enumerated() {
      var random = SplitMix64(seed: UInt64(seed))
      let octets = Array(text.utf8)
      do {
        let document = try Document(parsing: octets)
        for _ in 0..<4 { #expect(comparison.compare(octets, document, &random) == []) }
      } catch {
        Issue.record("\(text): \(error)")
      }
    }
    #expect(comparison.forms > 50 * texts.count)
  }
}
