import Federation
import SecurityKeys
import TestSupport
import TokenBasics
import XMLTree

/// Signs content that no trusted issuer would sign: the work after a signature is measured too.
enum IssuerSignature {
  /// An enveloped signature over an element with the identifier `_a`; over an empty one when
  /// `element` cannot be parsed.
  static func over(_ element: String) -> String {
    var limits = Limits()
    limits.bytes = Limits.hardByteLimit
    let document = try? Document(parsing: Array(element.utf8), limits: limits)
    let exclusive = CanonicalizationMethod(.exclusive)
    let octets = document.map { Canonicalizer.octets($0.root.subtree, exclusive) } ?? []
    let digest = DigestAlgorithm.sha256.digest(of: octets) ?? []
    let signedInfo = """
      <ds:SignedInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:CanonicalizationMethod \
      Algorithm="\(exclusive.uri)"></ds:CanonicalizationMethod><ds:SignatureMethod \
      Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"></ds:SignatureMethod>\
      <ds:Reference URI="#_a"><ds:Transforms><ds:Transform \
      Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"></ds:Transform>\
      <ds:Transform Algorithm="\(exclusive.uri)"></ds:Transform></ds:Transforms><ds:DigestMethod \
      Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod><ds:DigestValue>\
      \(Base64.encode(digest))</ds:DigestValue></ds:Reference></ds:SignedInfo>
      """
    let value = (try? key.sign(Array(signedInfo.utf8))) ?? []
    return """
      <ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#">\(signedInfo)\
      <ds:SignatureValue>\(Base64.encode(value))</ds:SignatureValue></ds:Signature>
      """
  }

  private static let key: SigningKey = {
    do throws(TokenError) {
      return try SigningKey(PrivateKey(pemOrDER: TestVector.bytes("keys/idp-rsa.key")))
    } catch {
      fail("no signing key: \(error)")
    }
  }()
}
