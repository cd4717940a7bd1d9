import Federation
import Foundation
import TestSupport
import Testing
import TokenReports

@Suite("A page is fit to be attached to a ticket")
struct MaskingTests {
  /// Claims that say something about the sign-in and not about the person.
  private static let shown = ["authenticationinstant", "authenticationmethod", "iat", "auth_time"]

  /// The values of a vector that a masked page must not have.
  private func secrets(_ vector: TestVector) -> [String] {
    let claims = vector.claims.filter { name, _ in
      !Self.shown.contains { name.hasSuffix($0) }
    }
    // Values that are short or a usual word are in any page.
    return (claims.values.flatMap(\.self) + [vector.subject ?? ""]).filter {
      $0.utf8.count >= 4 && !["user", "true", "null", "false"].contains($0)
    }
  }

  @Test("No value of a claim is in a masked page, and all are in one that shows values")
  func claims() throws {
    var count = 0
    let vectors = TestVector.of("saml11", "saml20", "swt", "jwt", "rstr")
    for vector in vectors where vector.accepts && vector.octets.count < 100_000 {
      let masked = try PageReader.text(vector)
      for value in secrets(vector) where !vector.audiences.contains(value) {
        // Issuers are shown.
        guard !(vector.issuer ?? "").contains(value) else { continue }
        #expect(!masked.contains(value), "\(vector): \(value)")
        count += 1
      }
    }
    #expect(count > 100)
    let shown = try PageReader(.named("jwt/pyjwt-rs256"), showsValues: true)
    #expect(shown.text.contains("alice"))
  }

  @Test("Values are masked in rejected tokens too, also where a message repeats them")
  func rejected() throws {
    for vector in TestVector.of("saml20", "saml11", "swt", "jwt", "rstr")
    where !vector.accepts && vector.octets.count < 100_000 {
      let page = try PageReader.text(vector)
      for name in ["alice@", "mallory@", "evil@"] {
        #expect(!page.contains(name), "\(vector)")
      }
    }
  }

  @Test("A masked page keeps the length and the punctuation of a value")
  func shape() throws {
    let page = try PageReader(.named("saml20/response-assertion-signed"))
    #expect(page.text.contains("•••••@•••.•••••••"))
    #expect(page.text.contains("aria-label=\"masked, 17 octets\""))
  }

  @Test(
    "Neither digests nor signatures nor ciphertexts are in a masked page: they would prove a guess")
  func commitments() throws {
    for id in [
      "saml20/response-assertion-signed", "saml20/xsw-13", "encryption/assertion-aes256-gcm",
      "swt/at-noon", "jwt/pyjwt-rs256",
    ] {
      let vector = try TestVector.named(id)
      let page = try PageReader.text(vector)
      let text = String(decoding: vector.token, as: UTF8.self)
      let pattern = #/(?:DigestValue|SignatureValue|CipherValue|HMACSHA256)[>=]([\w+\/=%]{24,})/#
      var values = text.matches(of: pattern).map { String($0.1) }
      if vector.format == "jwt" { values += text.split(separator: ".").suffix(1).map(String.init) }
      #expect(!values.isEmpty, "\(id)")
      for value in values {
        #expect(!page.contains(value), "\(id)")
        #expect(!page.contains(value.removingPercentEncoding ?? value), "\(id)")
      }
    }
    // The digests that a mismatch compares.
    let vector = try TestVector.named("saml20/xsw-13")
    let (masked, shown) = (try PageReader(vector), try PageReader(vector, showsValues: true))
    let error = try #require(PageReader.subject(vector.token, like: vector).checks.last?.error)
    #expect(error.code == .digestMismatch)
    for digest in [error.expected, error.found].compactMap({ $0 }) {
      #expect(!masked.text.contains(digest))
      #expect(shown.text.contains(digest))
    }
  }

  @Test("Padding does not push what is signed, or what is not, out of the page")
  func padded() throws {
    for id in ["saml20/response-assertion-signed", "saml20/xsw-3"] {
      let vector = try TestVector.named(id)
      let text = String(decoding: vector.token, as: UTF8.self)
      let padding = "<samlp:Extensions>" + String(repeating: "<y/>", count: 15_000)
      let padded = text.replacing(
        "<samlp:Status>", with: padding + "</samlp:Extensions><samlp:Status>")
      #expect(padded != text)
      let page = try PageReader(Array(padded.utf8), like: vector)
      #expect(try page.labels == PageReader(vector).labels)
      #expect(page.text.contains("… 14500 more are left out here"))
    }
  }

  @Test("A page of hostile input is bounded, and says what it leaves out")
  func bounded() throws {
    let vector = try TestVector.named("saml20/response-assertion-signed")
    let swt = try TestVector.named("swt/at-noon")
    let many = "<a>" + String(repeating: "<b c='\"&gt;'/>", count: 19_000) + "</a>"
    let long = "<a b='" + String(repeating: "\u{202E}", count: 300_000) + "'/>"
    let deep = String(repeating: "<a>", count: 99) + String(repeating: "</a>", count: 99)
    let pairs = String(repeating: "a=%3C&", count: 150_000) + "HMACSHA256=x"
    for (text, vector, isCut) in [
      (many, vector, true), (long, vector, true), (deep, vector, false), (pairs, swt, true),
      (String(repeating: "%3C", count: 300_000), vector, true),
    ] {
      for showsValues in [false, true] {
        let page = try PageReader(Array(text.utf8), like: vector, showsValues: showsValues)
        #expect(page.text.utf8.count < 4 << 20, "\(text.prefix(12))")
        if isCut {
          #expect(
            page.text.contains("left out here") || page.text.contains("are left out")
              || page.text.contains("octets)") || page.text.contains("The first"),
            "\(text.prefix(12))")
        }
      }
    }
  }
}
