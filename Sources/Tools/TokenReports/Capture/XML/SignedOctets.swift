import SecurityKeys
import TokenBasics
import TokenMutation
import XMLTree

/// What the signatures of a document digest and sign, by the places of its text.
struct SignedOctets {
  let text: XMLText
  private let document: Document
  private let nodes: [Element]

  /// Nil for a document that does not parse.
  init?(_ octets: [UInt8], _ limits: Limits) {
    text = XMLText(octets)
    guard let document = try? Document(parsing: octets, limits: limits) else { return nil }
    self.document = document
    nodes = document.root.descendants { _ in true }
    guard nodes.count == text.elements.count else { return nil }
  }

  /// The signatures, inner ones first.
  var signatures: [Int] {
    text.elements.indices.filter {
      text.elements[$0].localName == "Signature"
        && nodes[$0].namespaceURI == MessageText.signatureNamespace
    }.sorted { text.depth(of: $0) > text.depth(of: $1) }
  }

  func references(of signature: Int) -> [Int] {
    guard let info = text.child("SignedInfo", of: signature) else { return [] }
    return text.children(of: info).filter { text.elements[$0].localName == "Reference" }
  }

  /// The digest that a reference should have.
  func digest(_ reference: Int, of signature: Int) -> [UInt8]? {
    guard
      let uri = text.child("DigestMethod", of: reference).flatMap({ attribute("Algorithm", $0) }),
      let algorithm = DigestAlgorithm.allCases.first(where: { $0.uri == uri }),
      let target = target(attribute("URI", reference))
    else { return nil }
    let transforms = text.child("Transforms", of: reference).map { text.children(of: $0) } ?? []
    let names = transforms.map { attribute("Algorithm", $0) ?? "" }
    let isEnveloped = names.contains { $0.hasSuffix("#enveloped-signature") }
    var method = CanonicalizationMethod(.inclusive10)
    for (transform, name) in zip(transforms, names) where !name.hasSuffix("#enveloped-signature") {
      guard let named = self.method(transform) else { return nil }
      method = named
    }
    // A reference to an element digests it without comments (XML Signature 1.1, 4.4.3.3).
    method.withComments = false
    return algorithm.digest(
      of: Canonicalizer.octets(subtree(target, omitting: isEnveloped ? signature : nil), method))
  }

  private func subtree(_ target: Int?, omitting signature: Int?) -> Subtree {
    guard let target else {
      return signature.map { document.subtree(omitting: nodes[$0]) } ?? document.subtree
    }
    guard let signature,
      text.elements[target].whole.contains(text.elements[signature].whole.lowerBound)
    else { return nodes[target].subtree }
    return nodes[target].omitting(nodes[signature]).subtree
  }

  /// The element that a URI names; nil inside for the document, nil outside for nothing.
  private func target(_ uri: String?) -> Int?? {
    guard let uri else { return nil }
    if uri.isEmpty { return .some(nil) }
    guard uri.hasPrefix("#") else { return nil }
    let wanted = uri.dropFirst()
    let found = text.elements.indices.first { index in
      ["ID", "Id", "AssertionID", "ResponseID"].contains { name in
        attribute(name, index).map { $0.utf8.elementsEqual(wanted.utf8) } ?? false
      }
    }
    return found.map { .some($0) }
  }

  /// The octets under the signature value.
  func signedInfo(of signature: Int) -> [UInt8]? {
    guard let info = text.child("SignedInfo", of: signature),
      let canonicalization = text.child("CanonicalizationMethod", of: info),
      let method = method(canonicalization)
    else { return nil }
    return Canonicalizer.octets(nodes[info].subtree, method)
  }

  func algorithm(of signature: Int) -> SignatureAlgorithm? {
    text.child("SignedInfo", of: signature).flatMap { text.child("SignatureMethod", of: $0) }
      .flatMap { attribute("Algorithm", $0) }.flatMap {
        SignatureAlgorithm.named(uri: $0.utf8.span)
      }
  }

  private func method(_ index: Int) -> CanonicalizationMethod? {
    guard var method = attribute("Algorithm", index).flatMap({ CanonicalizationMethod(uri: $0) })
    else { return nil }
    if let list = text.child("InclusiveNamespaces", of: index),
      let prefixes = attribute("PrefixList", list)
    {
      method.inclusivePrefixes = prefixes.split(separator: " ").map(String.init)
    }
    return method
  }

  private func attribute(_ name: String, _ index: Int) -> String? {
    text.elements[index].attribute(name).map(text.value(of:))
  }

  func node(_ index: Int) -> Element { nodes[index] }
}
