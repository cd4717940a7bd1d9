import Federation
import Foundation
import TestSupport
import Testing
import TokenReports
import XMLTree

/// A token that would be markup, an attribute, a style or a drawing wherever a page forgot to escape.
@Suite("Nothing in a token becomes a part of a page")
struct EscapingTests {
  /// What would break out of each context.
  static let hostile = [
    "<script>alert(1)</script>", "</code></td></table><img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)", "' onfocus='alert(1)", "]]><x/>", "--><x/>", "<!--", "&lt;b&gt;",
    "</title><x/>", "</style><x/>", "</svg><x/>", "${x}", "javascript:alert(1)", "\u{202E}gnp.exe",
    "\u{200B}a\u{2066}b\u{2069}", "\u{FEFF}", "\u{3164}\u{115F}", "a\u{A0}b\u{2003}c",
    "e\u{301}\u{E0041}",
    "\u{FFFE}", "line\nfeed\ttab",
  ]

  private static let common = [
    "saml20/response-assertion-signed", "saml11/assertion", "swt/at-noon", "jwt/pyjwt-rs256",
  ]

  private func xml(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("\n", with: "&#10;").replacing("\t", with: "&#9;")
  }

  /// Whether a page is made of its own elements alone, and has nothing that runs.
  private func check(_ page: PageReader, _ value: String) {
    let allowed: Set<String> = [
      "html", "head", "title", "meta", "style", "body", "main", "header", "footer", "section",
      "nav",
      "h1", "h2", "h3", "p", "div", "span", "ul", "ol", "li", "dl", "dt", "dd", "a", "b", "code",
      "pre",
      "table", "caption", "thead", "tbody", "tr", "th", "td", "svg", "rect", "line", "circle",
    ]
    for element in page.root.descendants(where: { _ in true }) {
      #expect(allowed.contains(element.localName), "\(value)")
      for attribute in element.attributes {
        #expect(!attribute.qualifiedName.hasPrefix("on"), "\(value)")
      }
    }
    // What the parser of the tests would let pass, a browser may not.
    for part in ["<script", "<img", "<x", "<!--", "]]>"] {
      #expect(!page.text.contains(part), "\(value)")
    }
    for scalar in page.text.unicodeScalars {
      let category = scalar.properties.generalCategory
      let isVisible =
        scalar == "\n"
        || ![.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
      #expect(isVisible, "\(value) leaves U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test("In the text and the attributes of XML", arguments: hostile, [false, true])
  func document(value: String, showsValues: Bool) throws {
    let vector = try TestVector.named("saml20/response-assertion-signed")
    let text = String(decoding: vector.token, as: UTF8.self)
    var variants = [
      text.replacing("alice@idp.example", with: xml(value)),
      text.replacing("https://idp.example/idp", with: xml(value)),
      text.replacing("https://rp.example/saml", with: xml(value)),
    ]
    // Attributes: of a name, an identifier, an address.
    for name in ["Name", "ID", "Destination", "NotOnOrAfter", "Value", "URI", "Algorithm"] {
      variants.append(
        text.replacing(try Regex("\(name)=\"[^\"]*\""), with: "\(name)=\"\(xml(value))\""))
    }
    // XML has no such character.
    guard value != "\u{FFFE}" else { return }
    for variant in variants {
      check(try PageReader(Array(variant.utf8), like: vector, showsValues: showsValues), value)
    }
  }

  @Test(
    "In comments, instructions and octets that are nothing known", arguments: hostile,
    [false, true])
  func octets(value: String, showsValues: Bool) throws {
    let vector = try TestVector.named("saml20/response-assertion-signed")
    let text = String(decoding: vector.token, as: UTF8.self)
    let comment =
      text + "<!--\(value.replacing("-", with: ""))--><?p \(value.replacing("?", with: ""))?>"
    for variant in [comment, value, "<" + value, "{\"a\":\"" + value, value + "." + value + ".x"] {
      check(try PageReader(Array(variant.utf8), like: vector, showsValues: showsValues), value)
    }
  }

  @Test("In names and values of pairs", arguments: hostile, [false, true])
  func pairs(value: String, showsValues: Bool) throws {
    let vector = try TestVector.named("swt/at-noon")
    var escaped = ""
    for octet in value.utf8 { escaped += "%" + (octet < 16 ? "0" : "") + String(octet, radix: 16) }
    let text = String(decoding: vector.token, as: UTF8.self)
    for variant in [
      "\(escaped)=x&" + text, "x=\(escaped)&" + text,
      "Issuer=\(escaped)&Audience=\(escaped)&HMACSHA256=\(escaped)",
      text + "&\(escaped)",
    ] {
      check(try PageReader(Array(variant.utf8), like: vector, showsValues: showsValues), value)
    }
  }

  @Test("In members and values of JSON", arguments: hostile, [false, true])
  func members(value: String, showsValues: Bool) throws {
    let vector = try TestVector.named("jwt/pyjwt-rs256")
    let json = { (object: [String: Any]) throws -> String in
      let text = try JSONSerialization.data(withJSONObject: object)
      return text.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    for (header, payload) in [
      (["alg": value, "kid": value], ["iss": value, "sub": value, value: [value: [value]]]),
      (["alg": "RS256", value: value], ["iss": "a", "aud": value, "exp": 1]),
    ] as [([String: Any], [String: Any])] {
      let token = try json(header) + "." + json(payload) + ".AAAA"
      check(try PageReader(Array(token.utf8), like: vector, showsValues: showsValues), value)
    }
  }

  @Test("A character that cannot be seen is shown by its number")
  func hidden() throws {
    let vector = try TestVector.named("saml20/response-assertion-signed")
    let text = String(decoding: vector.token, as: UTF8.self)
      .replacing("alice@idp.example", with: "a\u{202E}b\u{A0}c")
    let page = try PageReader(Array(text.utf8), like: vector, showsValues: true)
    #expect(
      page.text.contains("a<span class=\"u\">\\u{202E}</span>b<span class=\"u\">\\u{A0}</span>c"))
  }

  @Test("Accents are shown on the letters of a text alone, and not in heaps")
  func accents() throws {
    let vector = try TestVector.named("saml20/response-assertion-signed")
    let heap = String(repeating: "\u{301}", count: 50)
    let text = String(decoding: vector.token, as: UTF8.self)
      .replacing("alice@idp.example", with: "\u{338}a\u{301}e" + heap)
    let page = try PageReader(Array(text.utf8), like: vector, showsValues: true)
    #expect(page.text.contains("a\u{301}e\u{301}\u{301}\u{301}<span"))
    var (run, longest) = (0, 0)
    for scalar in page.text.unicodeScalars {
      run = scalar == "\u{301}" ? run + 1 : 0
      longest = max(longest, run)
    }
    #expect(longest == 3)
    #expect(!page.text.unicodeScalars.contains("\u{338}"))
    #expect(page.text.contains("\\u{338}"))
  }

  @Test("NUL and octets that are no UTF-8 make a page too")
  func binary() throws {
    let vector = try TestVector.named("saml20/response-assertion-signed")
    for octets in [[0], [0xFF, 0xFE, 0x3C], Array(0...255), vector.token + [0]] as [[UInt8]] {
      for showsValues in [false, true] {
        check(try PageReader(octets, like: vector, showsValues: showsValues), "\(octets.prefix(3))")
      }
    }
  }
}
