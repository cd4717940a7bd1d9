import AccessControl
import XMLOracle

/// Requests of WS-Trust in SOAP.
struct SOAPTarget: FuzzTarget {
  private static let now = Instant(secondsSinceEpoch: 1_893_455_400)
  private static let codes: [TokenError.Code] = [
    .issuingSOAPMessage, .issuingSOAPHeader, .issuingSOAPBody, .issuingSOAPSecurity,
  ]

  let seeds: [(name: String, octets: [UInt8])] = [
    (
      "request",
      Array(
        """
        <s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="http://www.w3.org/2005/08/addressing"><s:Header>
        <a:MessageID>urn:uuid:1</a:MessageID><o:Security s:mustUnderstand="1"
        xmlns:o="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"><o:UsernameToken>
        <o:Username>u</o:Username><o:Password>p</o:Password></o:UsernameToken></o:Security></s:Header><s:Body>
        <t:RequestSecurityToken xmlns:t="http://docs.oasis-open.org/ws-sx/ws-trust/200512"><wsp:AppliesTo
        xmlns:wsp="http://schemas.xmlsoap.org/ws/2004/09/policy"><a:EndpointReference><a:Address>urn:r</a:Address>
        </a:EndpointReference></wsp:AppliesTo></t:RequestSecurityToken></s:Body></s:Envelope>
        """.utf8)
    )
  ]

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8]? { nil }

  func exercise(_ octets: [UInt8]) {
    var dialect = Dialect()
    do throws(TokenError) {
      _ = try SecurityTokenRequest(
        parsing: octets, at: "https://acs.example/v2/wstrust/13/username", now: Self.now,
        dialect: &dialect)
    } catch {
      require(Self.codes.contains(error.code), "a code that is none of the message's")
      let fault = try? dialect.fault("ACS10000: text", ACSRefusal(error))
      require(fault != nil, "a refusal without a fault")
    }
  }
}
