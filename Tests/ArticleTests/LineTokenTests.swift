import Claims
import FormatExample
import SecurityKeys
import TestSupport
import Testing
import TokenBasics

@Suite("The article on adding a format")
struct LineTokenTests {
  private let now = Instant(secondsSinceEpoch: 1_893_499_200)
  private let key: SymmetricKey
  private let trust: Trust

  init() throws {
    key = try SymmetricKey(bytes: [UInt8](repeating: 7, count: 32))
    trust = Trust(
      issuers: [TrustedIssuer("https://idp.example/", keys: [.secret(key)], formats: [.swt])],
      audiences: .oneOf(["urn:app"]))
  }

  private func line(
    _ text: String = "https://idp.example/|urn:app|2030-01-01T12:05:00Z|ada"
  ) -> [UInt8] {
    let draft = Array(text.utf8)
    let mac = key.authenticate(draft.span, with: .sha256) ?? []
    return draft + Array("|\(Base64.encode(mac, .url))".utf8)
  }

  private func refusal(_ octets: [UInt8], _ expected: Expectations = Expectations()) -> String? {
    do throws(TokenError) {
      _ = try TokenValidator(trust).validate(
        LineToken(parsing: octets), at: now, expecting: expected)
      return nil
    } catch {
      return error.code.rawValue
    }
  }

  @Test("A line is verified, and its subject read")
  func good() throws {
    let verified = try TokenValidator(trust).validate(LineToken(parsing: line()), at: now)
    #expect(verified.facts.subject == "ada" && verified.facts.issuer == "https://idp.example/")
  }

  @Test("Each thing that is wrong with a line has its code")
  func bad() throws {
    #expect(refusal([]) == "input.empty")
    #expect(refusal(Array("a|b|c".utf8)) == "input.unsupported-format")
    #expect(refusal([0xFF]) == "input.not-utf8")
    var changed = line()
    changed.replace(Array("ada".utf8), with: Array("eve".utf8))
    #expect(refusal(changed) == "signature.invalid")
    let prefix = "https://idp.example/"
    #expect(refusal(line("\(prefix)|urn:b|2030-01-01T12:05:00Z|ada")) == "audience.mismatch")
    #expect(refusal(line("\(prefix)|urn:app|2030-01-01T11:05:00Z|ada")) == "time.expired")
    #expect(refusal(line("\(prefix)|urn:app|tomorrow|ada")) == "time.malformed")
    #expect(refusal(line("https://b/|urn:app|2030-01-01T12:05:00Z|ada")) == "issuer.untrusted")
    #expect(
      refusal(line(), Expectations(recipient: "https://app.example/"))
        == TokenError.Code.recipientUnprovable.rawValue)
  }
}
