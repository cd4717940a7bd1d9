public import TokenBasics

/// The envelopes in which Access Control Service hands over a token, for the simulator and for tests that write their
/// answers by hand.
public enum TokenEnvelope {
  public static let swtType = "http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0"
  public static let jwtType = "urn:ietf:params:oauth:token-type:jwt"

  /// A Simple Web Token or a JSON Web Token as an element.
  public static func binaryToken(_ octets: some Collection<UInt8>, type: String) -> String {
    let security =
      "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
    let encoding =
      "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary"
    return """
      <wsse:BinarySecurityToken wsu:Id="uuid:11111111-2222-3333-4444-555555555555-1" \
      ValueType="\(type)" EncodingType="\(encoding)" xmlns:wsu="\(utility)" \
      xmlns:wsse="\(security)">\(Base64.encode(Array(octets)))</wsse:BinarySecurityToken>
      """
  }

  /// The `wresult` of a sign-in around the element of a token.
  public static func response(
    _ token: String, type: String, context: String? = nil, lifetime: Range<Instant>? = nil,
    appliesTo: String? = nil
  ) -> String {
    let trust = "http://schemas.xmlsoap.org/ws/2005/02/trust"
    let attribute = context.map { " Context=\"\(escaped($0))\"" } ?? ""
    let times = lifetime.map {
      """
      <t:Lifetime><wsu:Created xmlns:wsu="\(utility)">\($0.lowerBound.rfc3339)</wsu:Created>\
      <wsu:Expires xmlns:wsu="\(utility)">\($0.upperBound.rfc3339)</wsu:Expires></t:Lifetime>
      """
    }
    let realm = appliesTo.map {
      """
      <wsp:AppliesTo xmlns:wsp="http://schemas.xmlsoap.org/ws/2004/09/policy">\
      <EndpointReference xmlns="http://www.w3.org/2005/08/addressing"><Address>\
      \(escaped($0))</Address></EndpointReference></wsp:AppliesTo>
      """
    }
    return """
      <t:RequestSecurityTokenResponse\(attribute) xmlns:t="\(trust)">\(times ?? "")\(realm ?? "")\
      <t:RequestedSecurityToken>\(token)</t:RequestedSecurityToken>\
      <t:TokenType>\(type)</t:TokenType>\
      <t:RequestType>\(trust)/Issue</t:RequestType>\
      <t:KeyType>http://schemas.xmlsoap.org/ws/2005/05/identity/NoProofKey</t:KeyType>\
      </t:RequestSecurityTokenResponse>
      """
  }

  /// The JSON that the notify page passes on. In the token's XML `>` is not escaped.
  public static func notifyMessage(
    _ token: String, type: String, context: String?, realm: String, lifetime: Range<Instant>
  ) -> String {
    let xml = "<?xml version=\"1.0\" encoding=\"utf-16\"?>" + token
    let escaped = xml.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing("\"", with: "&quot;")
    var json = JSONWriter()
    json.object { json in
      json.name("appliesTo")
      json.string(realm)
      json.name("context")
      if let context { json.string(context) } else { json.null() }
      json.name("created")
      json.integer(Int(lifetime.lowerBound.seconds))
      json.name("expires")
      json.integer(Int(lifetime.upperBound.seconds))
      json.name("securityToken")
      json.string(escaped)
      json.name("tokenType")
      json.string(type)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static let utility =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
