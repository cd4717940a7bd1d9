import Federation
import Foundation
import TestSupport
import Testing
import TokenReports
import XMLTree

@Suite("What is signed is marked in a page")
struct CoverageTests {
  @Test("What the signature of an assertion covers is marked, and what is around it is not")
  func good() throws {
    let page = try PageReader(.named("saml20/response-assertion-signed"))
    #expect(page.summary == "1 assertion. A valid signature covers it.")
    #expect(page.mark(around: "Audience") == "signed")
    #expect(page.mark(around: "StatusCode") == "bare")
    #expect(page.mark(around: "SignedInfo") == "bare")
    #expect(page.styled("odd").isEmpty)
  }

  @Test("What a signature refers to without fitting is marked as not valid")
  func tampered() throws {
    let vector = try TestVector.named("saml20/response-assertion-signed")
    let text = String(decoding: vector.token, as: UTF8.self)
    let changed = text.replacing("alice@", with: "admin@")
    #expect(changed != text)
    let page = try PageReader(Array(changed.utf8), like: vector)
    #expect(page.summary.contains("A signature refers to it, but does not fit."))
    #expect(page.mark(around: "Audience") == "broken")
    #expect(page.text.contains("signature.digest-mismatch"))
  }

  /// The vectors of signature wrapping that leave the genuine assertion intact.
  static let wrapped = [
    "saml20/xsw-1", "saml20/xsw-2", "saml20/xsw-3", "saml20/xsw-3-after", "saml20/xsw-4",
    "saml20/xsw-5", "saml20/xsw-6", "saml20/xsw-7", "saml20/xsw-7-new-id", "saml20/xsw-8",
    "saml20/xsw-8-new-id",
  ]

  @Test(
    "XSW-1 to XSW-8: the assertion that the attacker added is not marked as signed",
    arguments: wrapped)
  func wrapping(id: String) throws {
    let page = try PageReader(.named(id), showsValues: true)
    #expect(page.mark(around: "evil") != "signed", "\(page.labels)")
    #expect(page.styled("alien").count == 1, "\(page.labels)")
    #expect(page.labels.contains { $0.hasPrefix("NOT SIGNED · assertion") })
    // The white space that the attacker took from the genuine response is missing in some.
    #expect(
      page.labels.contains { $0.hasPrefix("SIGNED") || $0.hasPrefix("NOT VALID") },
      "\(page.labels)")
    #expect(page.styled("odd").contains { PageReader.text(of: $0).contains("is not signed.") })
    #expect(page.summary.contains("2 assertions."), "\(page.summary)")
  }

  @Test(
    "A genuine assertion that was moved is found where it is, with the white space that it was signed with",
    arguments: [
      ("saml20/xsw-5", "/Response/Assertion[2]"),
      ("saml20/xsw-6", "/Response/Assertion/Signature/Assertion"),
      ("saml20/xsw-8", "/Response/Assertion/Signature/Object/Assertion"),
    ])
  func moved(id: String, path: String) throws {
    let vector = try TestVector.named(id)
    var text = String(decoding: vector.token, as: UTF8.self)
    // The last one with the identifier is the genuine one, whose signature stood behind its issuer.
    let start = try #require(text.range(of: "ID=\"_a\"", options: .backwards))
    let issuer = try #require(
      text.range(of: "</saml:Issuer>", range: start.upperBound..<text.endIndex))
    text.insert(contentsOf: "\n    ", at: issuer.upperBound)
    let page = try PageReader(Array(text.utf8), like: vector)
    #expect(
      page.summary.contains("A valid signature covers the second (\(path))."), "\(page.summary)")
    #expect(page.summary.contains("The first (/Response/Assertion"))
    #expect(page.labels.contains { $0.hasPrefix("SIGNED · assertion 2 of 2") })
  }

  @Test("The marks are the same in a masked page")
  func masked() throws {
    for id in Self.wrapped {
      let vector = try TestVector.named(id)
      #expect(try PageReader(vector).labels == PageReader(vector, showsValues: true).labels)
    }
  }

  @Test("A duplicated identifier is named")
  func duplicated() throws {
    let page = try PageReader(.named("saml20/xsw-3-same-id"))
    #expect(page.summary.contains("2 elements have the identifier that a signature refers to."))
  }

  @Test("The signed parts of tokens without XML are marked, and their signatures are not")
  func others() throws {
    for id in ["jwt/pyjwt-rs256", "swt/at-noon"] {
      let page = try PageReader(.named(id))
      #expect(page.labels.first?.hasPrefix("SIGNED") == true)
      #expect(page.labels.last?.contains("not covered by itself") == true)
      #expect(page.summary.hasPrefix("A valid "))
    }
    #expect(try PageReader(.named("rstr/swt")).summary.contains("Nothing around it"))
    for id in ["jwt/tampered", "swt/wrong-key"] {
      #expect(try PageReader(.named(id)).labels.first?.hasPrefix("NOT VALID") == true)
    }
  }

  @Test("A decrypted assertion is shown when its origin is proven, and not otherwise")
  func encrypted() throws {
    for id in ["encryption/assertion-aes256-gcm", "encryption/response-signed-aes256-cbc"] {
      let page = try PageReader(.named(id))
      #expect(page.text.contains("After: the assertion, decrypted"), "\(id)")
    }
    for id in [
      "encryption/tampered-cbc", "encryption/unsigned-cbc", "encryption/unsigned",
      "encryption/signed-by-evil", "encryption/tampered", "encryption/evil-cbc",
    ] {
      let page = try PageReader(.named(id), showsValues: true)
      #expect(page.text.contains("After: nothing is shown"), "\(id)")
      #expect(!page.text.contains("AttributeValue"), "\(id)")
    }
  }

  @Test("Of an encrypted token that has expired the plaintext and its window are shown")
  func expired() throws {
    let vector = try TestVector.named("encryption/assertion-aes256-gcm")
    let subject = try PageReader.subject(vector.token, like: vector, at: "2030-01-02T12:00:00Z")
    let page = try PageReader([subject])
    #expect(page.text.contains("time.expired"))
    #expect(page.text.contains("After: the assertion, decrypted"))
    #expect(page.text.contains("2030-01-01T12:05:00.000Z, 23 hours 55 minutes ago"))
    #expect(page.text.contains("By our clock the token has expired"))
  }

  @Test("Start tags that are digested in another form are shown in both")
  func canonical() throws {
    let vector = try TestVector.named("saml20/response-assertion-signed")
    #expect(try PageReader(vector).text.contains("the octets that are digested are those of"))
    let text = String(decoding: vector.token, as: UTF8.self)
    // Canonical form has one space there, and quotation marks.
    let moved = text.replacing(" Version=\"2.0\"", with: "\n  Version='2.0'")
    #expect(moved != text)
    let page = try PageReader(Array(moved.utf8), like: vector)
    #expect(page.text.contains("<h1>The token is accepted.</h1>"))
    let cells = page.root.descendants { $0.attribute(ExpandedName("data-of")) == "In the source" }
    #expect(cells.contains { PageReader.text(of: $0).contains("Version='2.0'") })
    #expect(page.text.contains("As digested"))
  }

  @Test("Each encoding of a token is a layer")
  func layers() throws {
    let envelope = try PageReader(.named("rstr/swt"))
    #expect(envelope.text.contains("BinarySecurityToken"))
    #expect(envelope.text.contains("<b>Simple Web Token"))
    #expect(envelope.labels.contains { $0.hasPrefix("SIGNED · the MAC") })
    #expect(
      try PageReader(.named("rstr/notify")).text.contains("<b>JSON message of Access Control"))
    let vector = try TestVector.named("saml20/response-assertion-signed")
    let base64 = Data(vector.token).base64EncodedString()
    let page = try PageReader(Array(base64.utf8), like: vector)
    #expect(page.text.contains("<b>Base64</b>"))
    #expect(page.text.contains("<b>XML</b>"))
    let escaped = base64.replacing("+", with: "%2B").replacing("/", with: "%2F")
      .replacing("=", with: "%3D")
    let wire = try PageReader(Array(escaped.utf8), like: vector)
    #expect(wire.text.contains("<b>Percent-encoded base64</b>"))
    #expect(wire.summary == "1 assertion. A valid signature covers it.")
  }
}
