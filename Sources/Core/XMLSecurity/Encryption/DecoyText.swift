/// XML that takes as long to parse as an assertion of that length does.
enum DecoyText {
  /// Shorter ones are not worth parsing.
  static let leastCount = head.utf8.count + part.utf8.count + tail.utf8.count

  /// An element of at least ``leastCount`` octets, and nearly `count`.
  static func octets(count: Int) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(max(count, leastCount) + 1)
    octets += head.utf8
    let part = Array(part.utf8)
    repeat { octets += part } while octets.count + part.count + tail.utf8.count <= count
    return octets + tail.utf8
  }

  private static let head = "<Assertion ID=\"_d\" Version=\"2.0\">"
  private static let tail = "</Assertion>"
  /// Half markup and half a long text, as attributes and the certificate of a signature are.
  private static let part =
    "<Attribute Name=\"urn:oid:0.9.2342.19200300.100.1.3\" "
    + "NameFormat=\"urn:oasis:names:tc:SAML:2.0:attrname-format:uri\"><AttributeValue>"
    + "somebody@idp.example</AttributeValue></Attribute><Transform "
    + "Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"></Transform><X509Certificate>"
    + String(repeating: "MIIDDTCCAfWgAwIB", count: 24) + "</X509Certificate>"
}
