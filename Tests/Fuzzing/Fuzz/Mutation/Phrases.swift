/// What the XML mutator inserts: words of the formats, and text that confuses other readers.
enum Phrases {
  static let insertions = [
    "<!---->", "<!--x-->", "<?p x?>", "<?p?>", "<![CDATA[]]>", "<![CDATA[x]]>", "&#x20;", "&#13;",
    "&#10;", "&amp;", "&lt;", "&x;", "&#0;", "&#xFFFE;", "\r\n", "\u{FEFF}", "\u{200B}", "é",
    "e\u{301}", "]]>", "<x/>",
  ]
  static let attributes = [
    "xmlns:z=\"1\"", "xmlns:z=\"urn:z\"", "xmlns=\"\"", "xmlns=\"urn:z\"", "xml:lang=\"en\"",
    "xml:base=\"a/../b\"", "xml:space=\"preserve\"", "xml:id=\"_a\"", "Id=\"_a\"", "ID=\"_a\"",
    "id=\"_r\"", "AssertionID=\"_a\"", "a=\"1\"", "a=\"&#10;&#13;\t\"",
    "xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\"",
    "xmlns:saml=\"urn:oasis:names:tc:SAML:1.0:assertion\"",
    "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"", "xsi:nil=\"true\"",
    "xsi:type=\"xs:string\"", "Version=\"2.0\"", "NotOnOrAfter=\"2040-01-01T00:00:00Z\"",
    "Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#WithComments\"",
    "PrefixList=\"xs #default\"",
    "URI=\"\"", "URI=\"#_a\"", "Recipient=\"https://rp.example/acs\"",
  ]
  static let elements = [
    "<x/>", "<x xmlns=\"urn:z\">t</x>", "<!-- c -->", "<?p?>", " ", "\n", "t",
    "<saml:Audience xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\">https://rp.example/saml"
      + "</saml:Audience>",
    "<saml:OneTimeUse xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\"/>",
    "<saml:Issuer xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\">https://idp.example/idp"
      + "</saml:Issuer>",
    "<ds:Object xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"><x/></ds:Object>",
    "<ds:KeyInfo xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"><ds:KeyName>k</ds:KeyName>"
      + "</ds:KeyInfo>",
    "<ec:InclusiveNamespaces xmlns:ec=\"http://www.w3.org/2001/10/xml-exc-c14n#\" "
      + "PrefixList=\"xs\"/>",
    "<ds:Transform xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\" "
      + "Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\"/>",
    "<!DOCTYPE r [<!ENTITY x \"y\">]>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
  ]
  static let wrappers = [
    ("<x>", "</x>"), ("<x xmlns=\"urn:z\">", "</x>"), ("<![CDATA[", "]]>"), ("<!--", "-->"),
    (
      "<saml:Advice xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\">", "</saml:Advice>"
    ),
    (
      "<samlp:Extensions xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\">",
      "</samlp:Extensions>"
    ),
    ("<ds:Object xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\">", "</ds:Object>"),
    (
      "<saml:Assertion xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"_w\" "
        + "Version=\"2.0\" IssueInstant=\"2030-01-01T12:00:00Z\">", "</saml:Assertion>"
    ),
  ]
  static let names = [
    "x", "z:x", "Assertion", "saml:Assertion", "ds:Signature", "saml:Issuer", "é",
  ]
  static let values = [
    "", " ", "_a", "_r", "#_a", "https://idp.example/idp", "https://rp.example/saml",
    "https://rp.example/acs", "admin@rp.example", "2030-01-01T12:00:00Z", "2030-01-01T24:00:00Z",
    "9999999999-12-31T23:59:59Z", "2030-01-01T12:00:00.999999999999+14:00", "2.0", "1.1", "true",
    "99999999999999999999", "-1", "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", "http://www.w3.org/2001/10/xml-exc-c14n#",
    "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
    "http://www.w3.org/2000/09/xmldsig#hmac-sha1", "AA==", "A A = =", "&#x41;", "e\u{301}", "&amp;",
  ]
}
