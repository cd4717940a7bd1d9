import SecurityKeys
package import TokenErrors
package import XMLTree

/// Likely causes of a digest mismatch, found by trying common changes.
package struct DigestDiagnosis: Sendable {
  /// The octets that were digested.
  package let octets: [UInt8]
  /// The changes that, undone, make the digest match; each as a sentence.
  package let suspects: [String]

  /// Digests `element` without its enveloped signature, and variants of it. Nil when the signature
  /// cannot be read or its digest matches.
  package init?(_ element: Element, _ signature: Element, limits: Limits) {
    guard
      let parsed = try? Signature(reading: signature, allowsObjects: false, limits: limits),
      let steps = try? parsed.reference.canonicalization()
    else { return nil }
    let reference = parsed.reference
    let subtree = element.omitting(signature).subtree
    let octets = Canonicalizer.octets(subtree, steps.method)
    func fits(_ octets: [UInt8]) -> Bool {
      reference.digestAlgorithm.digest(of: octets) == reference.digest.bytes
    }
    guard !fits(octets) else { return nil }
    self.octets = octets

    suspects = CommonAlterations.variants(of: subtree, steps.method).filter { fits($0.octets) }
      .map(\.suspect)
  }
}
