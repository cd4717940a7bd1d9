import Federation
import TestSupport
import TokenReports
import XMLOracle
import XMLTree

/// Pages about tokens: whatever the token is, the page is made of the program's own elements.
struct PageTarget: FuzzTarget {
  private let vectors: [TestVector]
  private let world: World

  init() {
    vectors = TestVector.of("rstr", "saml20", "saml11", "swt", "jwt").filter {
      $0.token.count < 12_000
    }
    world = World.of(vectors, at: "2030-01-01T12:00:00Z", Expectations())
  }

  var seeds: [(name: String, octets: [UInt8])] { vectors.map { ($0.id, $0.token) } }

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? {
    WireMutator.mutate(octets, &random)
  }

  func exercise(_ octets: [UInt8]) {
    let subject = subject(octets)
    for showsValues in [false, true] {
      let page = TokenPage([subject], showsValues: showsValues).octets
      require(page.count < 6 << 20, "a page is bounded")
      check(page)
      if case .accepted = subject.verdict {
        require(
          String(decoding: page, as: UTF8.self).contains("<div class=\"r signed\">"),
          "accepted ⇒ a part is marked as signed")
      }
    }
  }

  private func subject(_ octets: [UInt8]) -> PageSubject {
    do throws(TokenError) {
      let token = try AnyToken(reading: octets)
      let (verdict, notes) = TokenValidator(world.trust).verdict(
        on: token, at: world.now, world.expectations, isDetailed: true)
      return PageSubject(
        octets, pinned: nil, trust: world.trust, at: world.now, token: token, verdict: verdict,
        notes: notes)
    } catch {
      return PageSubject(octets, pinned: nil, trust: world.trust, at: world.now, unreadable: error)
    }
  }

  /// The page is well-formed XML, of elements that a page has and attributes that fetch and run nothing.
  private func check(_ page: [UInt8]) {
    var limits = Limits()
    limits.bytes = 10 << 20
    limits.elements = 1 << 20
    limits.depth = 1_000
    let content = Array(page.dropFirst("<!DOCTYPE html>\n".utf8.count))
    guard let document = try? Document(parsing: content, limits: limits) else {
      fail("a page is well-formed")
    }
    for step in DocumentWalk(document) {
      guard case .start(let element) = step else { continue }
      require(Self.elements.contains(element.localName), "a page has no \(element.localName)")
      for attribute in element.attributes {
        require(
          Self.attributes.contains(attribute.qualifiedName),
          "a page has no attribute \(attribute.qualifiedName)")
      }
    }
  }

  private static let elements: Set<String> = [
    "html", "head", "title", "meta", "style", "body", "main", "header", "footer", "section", "h1",
    "h2", "h3", "p", "div", "span", "ul", "ol", "li", "dl", "dt", "dd", "b", "code", "pre", "table",
    "caption", "thead", "tbody", "tr", "th", "td", "svg", "rect", "line", "circle",
  ]

  private static let attributes: Set<String> = [
    "lang", "charset", "http-equiv", "content", "name", "class", "id", "role", "scope", "data-of",
    "aria-label", "aria-labelledby", "aria-hidden", "viewBox", "x", "y", "x1", "y1", "x2", "y2",
    "width", "height", "cx", "cy", "r",
  ]
}
