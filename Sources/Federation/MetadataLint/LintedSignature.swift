import XMLSecurity
import XMLTree

/// Reads a signature without verifying it: a broken one has findings, not errors.
enum LintedSignature {
  static func references(of signature: Element) -> [Element] {
    signature.descendants(named: DSName.reference)
  }

  /// The elements that name an algorithm for signing or digesting, and the last part of its URI.
  static func algorithms(of signature: Element) -> [(Element, String)] {
    signature.descendants {
      $0.isNamed(DSName.signatureMethod) || $0.isNamed(DSName.digestMethod)
    }.map { ($0, $0.attribute(DSName.algorithm) ?? "") }
  }
}
