import Claims
import Federation
import SecurityKeys
import TestSupport
import Testing
import TokenBasics
import TokenReports

/// Captures of the repository's tokens, each under the trust that its manifest describes.
@Suite("Token capture")
struct CaptureTests {
  /// A good one and a bad one of each kind of cause.
  private static func sample(_ format: String, accepted: Bool, every step: Int) -> [TestVector] {
    let fitting = TestVector.of(format).filter {
      $0.accepts == accepted && $0.token.count < 20_000 && !$0.token.isEmpty
    }
    return fitting.enumerated().filter { $0.offset % step == 0 }.prefix(6).map(\.element)
  }

  private static let good = ["swt", "saml11", "saml20", "jwt"].flatMap {
    sample($0, accepted: true, every: 5)
  }
  private static let bad = ["swt", "saml11", "saml20", "jwt"].flatMap {
    sample($0, accepted: false, every: 9)
  }

  private func capture(_ vector: TestVector) throws -> Capture {
    try TokenCapturer(
      vector.trust(),
      expectations: Expectations(recipient: vector.recipient, inResponseTo: vector.inResponseTo),
      at: Instant(dateTime: vector.at ?? "2030-01-01T12:00:00Z"), as: vector.pin
    ).capture(vector.token)
  }

  @Test("A token that is accepted has a capture that is accepted", arguments: good)
  func accepted(_ vector: TestVector) throws {
    #expect(try capture(vector).code == nil)
  }

  @Test("A token that is rejected has a capture that is rejected with its code", arguments: bad)
  func rejected(_ vector: TestVector) throws {
    let code = try #require(vector.code)
    #expect(try capture(vector).code?.description == code)
  }

  @Test("No value of the token is in its capture", arguments: good)
  func survivors(_ vector: TestVector) throws {
    let made = try capture(vector)
    let texts = [String(decoding: made.token, as: UTF8.self)]
    for value in [vector.issuer, vector.subject].compactMap({ $0 }) where value.utf8.count >= 4 {
      for text in texts {
        #expect(!text.contains(value))
        #expect(!text.contains(Base64.encode(Array(value.utf8), .url).prefix(value.utf8.count)))
      }
      // Its twin: the original has what was looked for, in one of these forms.
      let original = try AnyToken(reading: vector.token, as: vector.pin)
      let facts = original.unverifiedFacts
      #expect(facts.issuer == value || facts.subject == value)
    }
  }

  @Test("Without certificates and escapes the capture is as long as the token", arguments: good)
  func lengths(_ vector: TestVector) throws {
    let made = try capture(vector)
    guard !made.notes.contains(where: { $0.contains("length") || $0.contains("escape") }) else {
      return
    }
    #expect(made.token.count == vector.token.count)
  }

  @Test(
    "What cannot be captured safely is refused by code",
    arguments: [
      ("encryption/ecdh-p521-kw192", TokenError.Code.captureVerdict),
      ("attacks/xml-5-attribute", .captureSurvivor),
    ])
  func refused(_ name: String, _ code: TokenError.Code) throws {
    let vector = try #require((TestVector.all + TestVector.attacks).first { $0.id == name })
    let failure = #expect(throws: TokenError.self) { try capture(vector) }
    #expect(failure?.code == code)
  }

  @Test("A key set whose keys have an algorithm each is captured with all of them")
  func severalAlgorithms() throws {
    guard SignatureAlgorithm.mlDSA87.isAvailable else { return print("ML-DSA: not in this build") }
    for (name, code) in [
      ("jwt/jwcrypto-ml-dsa-65", nil), ("jwt/jwcrypto-ml-dsa-87", nil),
      ("jwt/bad-ml-dsa-87-signature", TokenError.Code.signatureInvalid),
    ] {
      let vector = try #require(TestVector.all.first { $0.id == name })
      #expect(try capture(vector).code == code, "\(name)")
    }
  }

  @Test("Equal values stay equal, and a word of two values gets two replacements")
  func equality() throws {
    let token = #"{"alg":"none"}"#
    let claims =
      #"{"sub":"alice.brown","name":"alice.brown","role":"alice brown","groups":["role","7"]}"#
    let made = try TokenCapturer(
      Trust(issuers: [], audiences: .any), at: Instant(dateTime: "2030-01-01T12:00:00Z"), as: .jwt
    ).capture(
      Array(
        "\(Base64.encode(Array(token.utf8), .url)).\(Base64.encode(Array(claims.utf8), .url)).".utf8
      ))
    let part = made.token.split(separator: UInt8(ascii: "."))[1]
    let text = String(decoding: try Base64.decode(part.span, .url), as: UTF8.self)
    let values = text.split(separator: "\"").map(String.init)
    let subject = try #require(values.firstIndex(of: "sub"))
    let name = try #require(values.firstIndex(of: "name"))
    let role = try #require(values.firstIndex(of: "role"))
    #expect(values[subject + 2] == values[name + 2])
    #expect(
      values[subject + 2].split(separator: ".")[0] != values[role + 2].split(separator: " ")[0])
    #expect(values[subject + 2].utf8.count == "alice.brown".utf8.count)
    // A claim's value is no name, whatever standard has the word.
    #expect(values.count(where: { $0 == "role" }) == 1)
    #expect(!text.contains("\"7\""))
  }

  @Test("Two captures of one token have nothing in common by which a word can be guessed")
  func unpredictable() throws {
    let vector = try #require(Self.good.last)
    #expect(try capture(vector).token != capture(vector).token)
  }
}
