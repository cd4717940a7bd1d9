import Federation
import FederationFoundation
import Foundation
import HTTPExchange
import TestSupport
import Testing

@Suite("Foundation's types at the edges")
struct FederationFoundationTests {
  @Test("A token in Data is verified at a Date by a key in Data")
  func data() throws {
    let trust = Trust(
      issuers: [
        TrustedIssuer(
          "https://idp.example/idp",
          keys: [try VerificationKey(pemOrDER: Data(TestVector.bytes("keys/idp-rsa.crt")))])
      ],
      audiences: .oneOf(["https://rp.example/saml"]))
    let file = TestVector.folder.appending(path: "saml20/response-assertion-signed.xml")
    let token = try AnyToken(reading: Data(contentsOf: file))
    let noon = Date(timeIntervalSince1970: 1_893_499_200)
    let verified = try TokenValidator(trust).validate(token, at: Instant(noon))
    #expect(verified.facts.issuer == "https://idp.example/idp")
    let late = Instant(noon.addingTimeInterval(86_400))
    #expect(throws: TokenError(.expired)) { try TokenValidator(trust).validate(token, at: late) }
  }

  @Test(
    "A Date is the instant at or before it",
    arguments: [
      (0.0, 0, 0), (1.25, 1, 250_000_000), (-0.5, -1, 500_000_000),
      (1_893_499_200.123456, 1_893_499_200, 123_456_000),
    ] as [(Double, Int64, Int32)])
  func dates(time: Double, seconds: Int64, nanoseconds: Int32) {
    let instant = Instant(Date(timeIntervalSince1970: time))
    #expect(instant.seconds == seconds)
    #expect(abs(instant.nanoseconds - nanoseconds) <= 1000)
    #expect(abs(instant.date.timeIntervalSince1970 - time) < 0.000_002)
  }

  @Test(
    "A Date beyond every calendar traps nothing", arguments: [Double.infinity, -.infinity, .nan])
  func noDates(time: Double) {
    let instant = Instant(Date(timeIntervalSince1970: time))
    #expect(instant == Instant(secondsSinceEpoch: time > 0 ? .max : .min))
  }

  @Test("An error has Foundation's texts")
  func error() throws {
    let error: any Error = TokenError(.expired, node: "exp", expected: "later", found: "now")
    #expect(error.localizedDescription.contains("time.expired"))
    let texts = try #require(error as? any LocalizedError)
    #expect(texts.failureReason == "at exp, expected later, found now")
    #expect(texts.recoverySuggestion?.isEmpty == false)
  }

  @Test("A URL is an address where its scheme may be spoken")
  func url() throws {
    let url = try #require(URL(string: "https://idp.example/sso?a=1"))
    #expect(try HTTPURL(url).url == url)
    #expect(throws: TokenError.self) {
      try HTTPURL(try #require(URL(string: "ftp://idp.example/")))
    }
  }
}
