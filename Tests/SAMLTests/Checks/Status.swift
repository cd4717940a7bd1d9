import Claims
import SAML
import Testing
import TokenBasics

@Suite("The status of a SAML response")
struct StatusCheckTests {
  private static let vector = "saml20/response-assertion-signed.xml"

  @Test("A failed status is refused, whatever the assertion is worth")
  func status() throws {
    let checked = try CheckedAssertion(Self.vector, [("status:Success", "status:Responder")])
    #expect(checked.failures == [.responseStatus])
  }
}
