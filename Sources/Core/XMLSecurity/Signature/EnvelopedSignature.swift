import Octets
import SecurityKeys
import TokenBasics
import XMLTree

/// A signature with one reference, to the element that it is in, whose SignedInfo a key was found to have signed. What
/// the reference digests is still to be compared.
struct EnvelopedSignature {
  let reference: Reference
  let method: CanonicalizationMethod
  /// Whether the reference is to the whole document (`URI=""`).
  let isOfDocument: Bool
  var match: KeyRing.Match

  /// - Parameters:
  ///   - id: The identifier of the element that the signature is in.
  ///   - mayBeOfDocument: Whether a reference to the whole document is accepted.
  /// - Throws: `signature.*`, `algorithm.*`, `key.*`, `xml.*`.
  init(
    _ signature: Element, id: ArraySlice<UInt8>, mayBeOfDocument: @autoclosure () -> Bool,
    keys: KeyRing, at now: Instant, limits: Limits, scratch: inout OctetWriter
  ) throws(TokenError) {
    let parsed = try Signature(reading: signature, allowsObjects: false, limits: limits)
    guard parsed.referenceCount == 1 else {
      throw TokenError(
        .referenceCount, node: signature.path, expected: "1", found: "\(parsed.referenceCount)")
    }
    reference = parsed.reference
    isOfDocument = reference.isToDocument
    guard isOfDocument ? mayBeOfDocument() : reference.isTo(id) else {
      throw TokenError(
        .referenceURI, node: reference.node.path,
        expected: TokenError.excerpt("#" + String(decoding: id, as: UTF8.self)),
        found: reference.uri.map(TokenError.excerpt) ?? "no URI")
    }
    let steps = try reference.canonicalization()
    guard steps.isEnveloped else {
      throw TokenError(
        .refusedTransform, node: reference.node.path,
        expected: "enveloped-signature, then a canonicalization")
    }
    method = steps.method
    match = try parsed.match(keys, at: now, &scratch)
  }

  /// The warning of a signature that stands in another place than the schema's.
  static func misplaced(in element: Element) -> String {
    "signature: the Signature of \(TokenError.excerpt(element.localName)) does not stand where "
      + "its schema has it"
  }
}
