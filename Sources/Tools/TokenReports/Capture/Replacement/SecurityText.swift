import SecurityKeys

/// URIs of XML Signature, XML Encryption, SOAP and WS-*.
enum SecurityText {
  static let uris: [String] =
    SignatureAlgorithm.all.map(\.uri) + DigestAlgorithm.allCases.map(\.uri)
    + ContentCipher.allCases.map(\.uri)
    + SAMLText.names(
      "http://www.w3.org/",
      """
      2000/09/xmldsig# 2000/09/xmldsig#enveloped-signature 2000/09/xmldsig#base64 \
      2000/09/xmldsig#dsa-sha1 2000/09/xmldsig#Object 2000/09/xmldsig#Manifest \
      2000/09/xmldsig#hmac-sha1 2009/xmldsig11# 2001/04/xmldsig-more# \
      2001/04/xmldsig-more#rsa-md5 2001/04/xmldsig-more#md5 2001/04/xmlenc# \
      2001/04/xmlenc#Element 2001/04/xmlenc#Content 2001/04/xmlenc#EncryptedKey \
      2001/04/xmlenc#rsa-1_5 2001/04/xmlenc#rsa-oaep-mgf1p 2001/04/xmlenc#kw-aes128 \
      2001/04/xmlenc#kw-aes192 2001/04/xmlenc#kw-aes256 2009/xmlenc11# 2009/xmlenc11#rsa-oaep \
      2009/xmlenc11#mgf1sha1 2009/xmlenc11#mgf1sha224 2009/xmlenc11#mgf1sha256 \
      2009/xmlenc11#mgf1sha384 2009/xmlenc11#mgf1sha512 2009/xmlenc11#ECDH-ES \
      2009/xmlenc11#ConcatKDF 2001/10/xml-exc-c14n# 2001/10/xml-exc-c14n#WithComments \
      TR/2001/REC-xml-c14n-20010315 TR/2001/REC-xml-c14n-20010315#WithComments 2006/12/xml-c14n11 \
      2006/12/xml-c14n11#WithComments TR/1999/REC-xslt-19991116 TR/1999/REC-xpath-19991116 \
      2002/06/xmldsig-filter2 2001/XMLSchema 2001/XMLSchema-instance XML/1998/namespace \
      2000/xmlns/ 2003/05/soap-envelope 2005/08/addressing 1999/XSL/Transform
      """)
    + SAMLText.names(
      "http://schemas.xmlsoap.org/",
      """
      soap/envelope/ soap/actor/next ws/2005/02/trust ws/2004/09/policy ws/2004/08/addressing \
      ws/2005/02/trust/Issue ws/2005/05/identity ws/2005/05/identity/NoProofKey \
      ws/2006/12/federation ws/2005/05/identity/claims ws/2009/09/identity/claims \
      ws/2005/02/trust/RSTR/Issue
      """)
    + SAMLText.names(
      "http://docs.oasis-open.org/",
      """
      ws-sx/ws-trust/200512 ws-sx/ws-trust/200512/Issue ws-sx/ws-trust/200512/Bearer \
      ws-sx/ws-trust/200512/RSTRC/IssueFinal ws-sx/ws-trust/200512/PublicKey \
      wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd \
      wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd \
      wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary \
      wss/oasis-wss-wssecurity-secext-1.1.xsd wss/oasis-wss-saml-token-profile-1.1#SAMLV1.1 \
      wss/oasis-wss-saml-token-profile-1.1#SAMLV2.0 \
      wss/oasis-wss-saml-token-profile-1.0#SAMLAssertionID \
      wss/oasis-wss-saml-token-profile-1.1#SAMLID wsfed/authorization/200706
      """)
    + SAMLText.names(
      "http://www.w3.org/2003/05/soap-envelope/role/", "next none ultimateReceiver")
    + ["urn:liberty:paos:2003-08", "urn:liberty:paos:2006-08"]
    + SAMLText.names(
      "http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0", " #SimpleWebToken")
    + [
      "http://schemas.xmlsoap.org/ws/2009/11/swt-token-profile-1.0",
      "urn:ietf:params:oauth:token-type:jwt", "urn:ietf:params:xml:ns:keyprov:pskc",
      "http://oauth.net/grant_type/swt/1.0/bearer",
    ]
}
