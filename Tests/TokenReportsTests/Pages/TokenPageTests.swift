import Federation
import Foundation
import TestSupport
import Testing
import TokenReports
import XMLTree

@Suite("Pages about tokens")
struct TokenPageTests {
  static let ids = [
    "saml20/response-assertion-signed", "saml20/xsw-1", "saml20/xsw-2", "saml20/xsw-3",
    "saml20/xsw-4",
    "saml20/xsw-5", "saml20/xsw-6", "saml20/xsw-7", "saml20/xsw-7-new-id", "saml20/xsw-8",
    "saml20/xsw-8-new-id", "jwt/pyjwt-rs256", "jwt/tampered", "swt/at-noon",
    "encryption/assertion-aes256-gcm", "encryption/response-signed-aes256-cbc",
    "encryption/tampered-cbc",
  ]

  @Test("Every vector has a page that is well-formed, runs nothing and fetches nothing")
  func everyVector() throws {
    let vectors = TestVector.of("saml11", "saml20", "swt", "jwt", "rstr")
    #expect(vectors.count > 500)
    for vector in vectors where vector.octets.count < 100_000 {
      let page = try PageReader(vector)
      #expect(
        page.text.contains("<h1>The token is accepted.</h1>") == vector.accepts, "\(vector)")
      if let code = vector.code { #expect(page.text.contains(code), "\(vector)") }
      #expect(!page.text.contains("<script"), "\(vector)")
      let names: Set<String> = ["src", "action", "formaction", "srcset", "data", "style", "onload"]
      for element in page.root.descendants(where: { _ in true }) {
        for attribute in element.attributes {
          #expect(!names.contains(attribute.qualifiedName), "\(vector)")
          #expect(!attribute.qualifiedName.hasPrefix("on"), "\(vector)")
          if attribute.localName == "href" {
            #expect(element.string(attribute.value).hasPrefix("#t"), "\(vector)")
          }
        }
      }
    }
  }

  @Test("The verdict comes first, with code, expected, found, place and what to do")
  func verdict() throws {
    let expired = try PageReader(.named("jwt/jwt-24-expired"))
    let first = try #require(expired.elements("section").first)
    let text = PageReader.text(of: first)
    #expect(text.contains("Rejected: time.expired"))
    for word in ["Expected", "Found", "Where", "What to do"] { #expect(text.contains(word)) }
    #expect(text.contains("By our clock the token has expired"))
    #expect(try PageReader(.named("jwt/pyjwt-rs256")).text.contains("within its validity"))
  }

  @Test("Headings are in order, identifiers are unique, tables have captions and scopes")
  func structure() throws {
    for id in Self.ids {
      let page = try PageReader(.named(id))
      let headings = page.root.descendants { ["h1", "h2", "h3"].contains($0.localName) }
      var level = 0
      for heading in headings {
        let next = Int(String(heading.localName.dropFirst())) ?? 0
        #expect(next <= level + 1, "\(id)")
        level = next
      }
      #expect(headings.first?.localName == "h1")
      #expect(page.elements("h1").count == 1)
      #expect(page.elements("main").count == 1)
      let ids = page.root.descendants { _ in true }.compactMap { $0.attribute(ExpandedName("id")) }
      #expect(Set(ids).count == ids.count, "\(id)")
      for table in page.elements("table") {
        #expect(try table.children().first?.localName == "caption")
      }
      for cell in page.elements("th") { #expect(cell.attribute(ExpandedName("scope")) != nil) }
      #expect(page.root.attribute(ExpandedName("lang")) == "en")
    }
  }

  @Test("The policy allows the one style sheet by its digest and nothing else")
  func policy() throws {
    let page = try PageReader(.named("swt/at-noon"))
    let sheet = try #require(page.elements("style").first)
    let digest = DigestAlgorithm.sha256.digest(of: Array(try sheet.text().utf8)) ?? []
    let policy = page.elements("meta").compactMap { $0.attribute(ExpandedName("content")) }
      .first { $0.hasPrefix("default-src") }
    #expect(
      policy?.contains(
        "default-src 'none'; style-src 'sha256-\(Data(digest).base64EncodedString())';") == true)
    #expect(page.elements("style").count == 1)
  }

  @Test("Several tokens share a page, each with its part")
  func several() throws {
    let good = try TestVector.named("swt/at-noon")
    let bad = try TestVector.named("saml20/xsw-3")
    let page = try PageReader([
      PageReader.subject(good.token, like: good), PageReader.subject(bad.token, like: bad),
    ])
    #expect(page.text.contains("<h1>2 tokens, 1 accepted</h1>"))
    #expect(page.elements("h2").count == 2)
    #expect(page.elements("a").count == 2)
  }
}
