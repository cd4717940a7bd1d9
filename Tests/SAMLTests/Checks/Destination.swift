import Claims
import SAML
import TestSupport
import Testing
import TokenBasics

@Suite("The destination and the request of a SAML response")
struct DestinationCheckTests {
  private static let vector = "saml20/response-assertion-signed.xml"

  @Test("Status, issuer, destination and request as expected pass")
  func passes() throws {
    let checked = try CheckedAssertion(
      Self.vector,
      expecting: Expectations(recipient: "https://rp.example/acs", inResponseTo: "_q1"))
    #expect(checked.failures == [])
    #expect(checked.outcome(of: .status) == .passed)
    #expect(checked.outcome(of: .responseIssuer) == .passed)
    // Without a signature of the message it proves neither.
    #expect(checked.outcome(of: .destination) == .skipped)
    #expect(checked.outcome(of: .request) == .skipped)
  }

  @Test("An unsigned destination or request can contradict what is expected")
  func contradiction() throws {
    let other = try CheckedAssertion(
      Self.vector,
      [("Destination=\"https://rp.example/acs\"", "Destination=\"https://x.example/\"")],
      expecting: Expectations(recipient: "https://rp.example/acs"))
    #expect(other.failures == [.destinationMismatch])
  }

  @Test("An empty destination or request is there, and contradicts what is expected")
  func empty() throws {
    func failures(_ change: (String, String), _ expected: Expectations) throws -> [TokenError.Code]
    {
      try CheckedAssertion(Self.vector, [change], expecting: expected).failures
    }
    let destination = "Destination=\"https://rp.example/acs\""
    for value in ["", " "] {
      #expect(
        try failures(
          (destination, "Destination=\"\(value)\""),
          Expectations(recipient: "https://rp.example/acs")) == [.destinationMismatch])
    }
    #expect(
      try failures((destination, ""), Expectations(recipient: "https://rp.example/acs")) == [])
    let text = String(decoding: TestVector.bytes(Self.vector), as: UTF8.self)
    try #require(text.contains("InResponseTo=\"_q1\""))
    let request = try #require(text.firstRange(of: "InResponseTo=\"_q1\""))
    let message = String(text[text.startIndex..<request.upperBound])
    let emptied = message.replacing("InResponseTo=\"_q1\"", with: "InResponseTo=\"\"")
    #expect(
      try failures((message, emptied), Expectations(inResponseTo: "_q1")).first
        == .responseRequestMismatch)
    // Whatever is expected: message and confirmation answer one request.
    #expect(try failures((message, emptied), Expectations()) == [.requestConflict])
  }

  @Test("Recipient and request of SAML 1.1 are refused where the message is not signed")
  func version1() throws {
    let checked = try CheckedAssertion(
      "saml11/assertion-alone.xml",
      expecting: Expectations(recipient: "https://rp.example/acs", inResponseTo: "_q1"))
    #expect(checked.failures == [.recipientUnprovable, .requestUnprovable])
    #expect(try CheckedAssertion("saml11/assertion-alone.xml").failures == [])
  }
}
