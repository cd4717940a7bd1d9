import Octets
import SecurityKeys
package import TokenBasics
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

/// Common changes to a document between its signer and its verifier, undone.
enum CommonAlterations {
  /// Octets that the signer may have signed, each with the later change, as a sentence.
  static func variants(
    of subtree: Subtree, _ method: CanonicalizationMethod
  ) -> [(octets: [UInt8], suspect: String)] {
    let octets = Canonicalizer.octets(subtree, method)
    return [
      (withoutIndentation(octets, leaving: []), "the document was indented after it was signed"),
      // libxmlsec writes a line end between the elements of a signature.
      (
        withoutIndentation(octets, leaving: [ASCII.lineFeed]),
        "the document was indented after it was signed"
      ),
      (
        replacing("&#xD;", with: "", in: octets),
        "line ends were turned into CR LF after it was signed"
      ),
      (
        replacing("\n", with: "&#xD;\n", in: octets),
        "line ends were turned into LF after it was signed"
      ),
    ] + otherMethods(method).map { (Canonicalizer.octets(subtree, $0.0), $0.1) }
  }

  private static func otherMethods(
    _ method: CanonicalizationMethod
  ) -> [(CanonicalizationMethod, String)] {
    var methods: [(CanonicalizationMethod, String)] = [
      (
        CanonicalizationMethod(.exclusive),
        "the signer left out the prefix list, or is not exclusive"
      ),
      (CanonicalizationMethod(.inclusive10), "the signer used Canonical XML 1.0"),
      (CanonicalizationMethod(.inclusive11), "the signer used Canonical XML 1.1"),
    ]
    for prefixes in [["xs"], ["xs", "xsi"], ["#default", "saml", "ds", "xs", "xsi"]] {
      methods.append(
        (
          CanonicalizationMethod(.exclusive, inclusivePrefixes: prefixes),
          "the prefix list \"\(prefixes.joined(separator: " "))\" was dropped"
        ))
    }
    var commented = method
    commented.withComments = true
    methods.append((commented, "the signer digested comments"))
    return methods.filter { $0.0 != method }
  }

  /// Canonical octets with nothing, or with `rest`, in place of each white space between tags.
  private static func withoutIndentation(_ octets: [UInt8], leaving rest: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count)
    var index = 0
    while index < octets.count {
      result.append(octets[index])
      index += 1
      guard result.last == UInt8(ascii: ">") else { continue }
      var end = index
      while end < octets.count, [0x20, 0x09, 0x0A].contains(octets[end]) { end += 1 }
      if end > index, end < octets.count, octets[end] == UInt8(ascii: "<") {
        result += rest
        index = end
      }
    }
    return result
  }

  private static func replacing(_ old: String, with new: String, in octets: [UInt8]) -> [UInt8] {
    let text = String(decoding: octets, as: UTF8.self)
    return Array(
      text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new).utf8)
  }
}
