extension HostileFamily {
  static let signatures = [
    HostileFamily("references of one signature", .signatures) { scale in
      signed(references: times(scale * 300, reference("")))
    },
    HostileFamily("transforms of one reference", .signatures) { scale in
      signed(
        references: reference(
          times(
            scale * 1_000, "<ds:Transform Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/>")))
    },
    HostileFamily("signatures", .signatures) { scale in
      "<r>\(times(scale * 100, signed(references: reference(""))))</r>"
    },
    HostileFamily("certificates in KeyInfo", .signatures) { scale in
      signed(
        references: reference(""),
        keyInfo: times(scale * 2_000, "<ds:X509Certificate>AAAA</ds:X509Certificate>"))
    },
    HostileFamily("prefixes of one list", .signatures) { scale in
      signed(
        method: "<ec:InclusiveNamespaces xmlns:ec='http://www.w3.org/2001/10/xml-exc-c14n#' "
          + "PrefixList='\(numbered(scale * 8) { "p\($0) " })'/>",
        object: times(scale * 2_000, "<e xmlns:p1='urn:p'/>"))
    },
    HostileFamily("SignedInfo that is large", .signatures) { scale in
      signed(references: reference("") + times(scale * 14_000, "<!--  -->"))
    },
    HostileFamily("a long signature value", .signatures) { scale in
      signed(references: reference(""), value: times(scale * 32_000, "AAAA"))
    },
    HostileFamily("signatures in Advice", .token) { scale in
      response(
        "<saml:Advice>\(times(scale * 140, signed(references: reference(""))))</saml:Advice>")
    },
    HostileFamily("a signature over many elements", .signatures) { scale in
      "<r>\(signed(references: reference("")))\(times(scale * 2_400, "<e/>"))</r>"
    },
    HostileFamily("encrypted keys", .token) { scale in
      encrypted(keys: times(scale * 100, encryptedKey("AAAA")))
    },
    HostileFamily("an encrypted key that is long", .token) { scale in
      encrypted(keys: encryptedKey(times(scale * 32_000, "AAAA")))
    },
  ]

  /// A signature that is processed up to its canonicalization: only the key is missing at the end.
  static func signed(
    method: String = "", references: String = reference(""), keyInfo: String = "",
    value: String = times(86, "AAAA"), object: String = ""
  ) -> String {
    """
    <ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>\
    <ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#">\(method)\
    </ds:CanonicalizationMethod><ds:SignatureMethod \
    Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>\(references)</ds:SignedInfo>\
    <ds:SignatureValue>\(value)</ds:SignatureValue>\(keyInfo.isEmpty ? "" :
      "<ds:KeyInfo><ds:X509Data>\(keyInfo)</ds:X509Data></ds:KeyInfo>")\
    \(object.isEmpty ? "" : "<ds:Object>\(object)</ds:Object>")</ds:Signature>
    """
  }

  static func reference(_ transforms: String) -> String {
    let list = transforms.isEmpty ? "" : "<ds:Transforms>\(transforms)</ds:Transforms>"
    return """
      <ds:Reference URI="">\(list)<ds:DigestMethod \
      Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>\
      <ds:DigestValue>AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=</ds:DigestValue></ds:Reference>
      """
  }

  private static func encryptedKey(_ value: String) -> String {
    """
    <xenc:EncryptedKey><xenc:EncryptionMethod \
    Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"/><xenc:CipherData>\
    <xenc:CipherValue>\(value)</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey>
    """
  }

  private static func encrypted(keys: String) -> String {
    """
    <samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" \
    xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r" Version="2.0" \
    IssueInstant="2030-01-01T12:00:00Z"><saml:Issuer>https://idp.example/idp</saml:Issuer>\
    <samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/>\
    </samlp:Status><saml:EncryptedAssertion><xenc:EncryptedData \
    xmlns:xenc="http://www.w3.org/2001/04/xmlenc#" \
    Type="http://www.w3.org/2001/04/xmlenc#Element"><xenc:EncryptionMethod \
    Algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"/>\
    <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">\(keys)</ds:KeyInfo>\
    <xenc:CipherData><xenc:CipherValue>AAAA</xenc:CipherValue></xenc:CipherData>\
    </xenc:EncryptedData></saml:EncryptedAssertion></samlp:Response>
    """
  }
}
