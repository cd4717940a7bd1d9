import SecurityKeys
import TokenBasics
import XMLTree

/// Makes the variants of a SAML message.
struct SAMLMutator {
  let message: MessageText
  let endpoint: Endpoint
  /// Signs as the issuer, when its key is given.
  let sealer: Sealer?
  let list: MutationList

  init(
    _ message: MessageText, _ endpoint: Endpoint, _ sealer: Sealer?,
    _ receive: @escaping (Mutation) -> Void
  ) {
    self.message = message
    self.endpoint = endpoint
    self.sealer = sealer
    list = MutationList(original: message.text.octets, receive)
  }

  var text: XMLText { message.text }

  /// The subject of forged content, as text of XML.
  var forgedSubject: String { endpoint.attacker.map(Self.escaped) ?? Forgery.subject }

  func all() {
    addSignatureStructure()
    addSignatureValues()
    addReferences()
    addTransforms()
    addAlgorithms()
    addForeignKeys()
    addWrapping()
    addIdentifiers()
    addDocuments()
    addLimits()
    addContent()
    addResponse()
    if sealer != nil {
      addSealedTimes()
      addSealedAudiences()
      addSealedSubjects()
      addSealedStructure()
      addSealedHollows()
      addSealedSignatures()
    }
  }

  /// Variants of the message around an encrypted assertion.
  func aroundEncryption() {
    if message.responseSignature != nil {
      addSignatureStructure()
      addSignatureValues()
      addReferences()
      addTransforms()
      addAlgorithms()
      addForeignKeys()
    }
    addResponse()
  }

  /// Variants of an assertion that will be encrypted: changed after it was signed, signed by another
  /// key, or signed anew by the issuer.
  func insideEncryption() {
    addContent()
    addForeignKeys()
    if sealer != nil {
      addSealedTimes()
      addSealedAudiences()
      addSealedSubjects()
    }
  }

  /// The message with these edits; nil when one of them cannot be made.
  func edited(_ edits: XMLText.Edit?...) -> [UInt8]? { edited(edits) }

  /// The message with these edits; nil when there is none, or one of them cannot be made.
  func edited(_ edits: [XMLText.Edit?]) -> [UInt8]? {
    let known = edits.compactMap { $0 }
    guard !known.isEmpty, known.count == edits.count else { return nil }
    return text.applying(known)
  }

  /// Adds a variant that the issuer signed anew.
  func addSealed(
    _ name: String, _ summary: String, _ attacks: [String], _ expected: TokenError.Code,
    _ edits: [XMLText.Edit?]
  ) {
    guard let octets = edited(edits), let sealed = sealer?.seal(octets) else { return }
    list.add(name, summary, attacks, expected, issuerSigned: true, sealed)
  }

  /// The prefix of the signature's elements, with its colon.
  var ds: String { text.elements[message.signature].prefix }

  /// The value of an attribute.
  func value(_ name: String, of index: Int?) -> String? {
    index.flatMap { text.elements[$0].attribute(name) }.map { text.text($0.value) }
  }

  /// An element's text content.
  func content(_ index: Int) -> String { text.text(text.elements[index].content) }

  /// An element's text, repeated after it.
  func repeating(_ index: Int?) -> XMLText.Edit? {
    index.map {
      XMLText.Edit(at: text.elements[$0].whole.upperBound, message.withoutIdentifiers($0))
    }
  }

  func removing(_ index: Int?) -> XMLText.Edit? { index.map(text.removing) }

  func setting(_ name: String, _ value: String, of index: Int?) -> XMLText.Edit? {
    index.map { text.settingAttribute(name, to: value, of: $0) }
  }

  func filling(_ index: Int?, _ value: String) -> XMLText.Edit? {
    index.map { text.replacingContent(of: $0, with: value) }
  }

  /// Text escaped for an element or attribute, between quotes of either kind.
  static func escaped(_ text: String) -> String { MarkupEscaping.escaped(text, for: .page) }
}

/// Forged content in place of what was signed.
package enum Forgery {
  /// The subject that the attacker claims to be.
  package static let subject = "admin@rp.example"
  /// An identifier that no good token has.
  package static let identifier = "_forged"

  package enum Identifier: CaseIterable, Sendable {
    case same
    case other
    case absent
  }

  /// A copy of `element` with forged claims.
  ///
  /// - Parameters:
  ///   - element: The text of an `Assertion`, or of a `Response` with one.
  ///   - subject: Whom it names, as text of XML.
  ///   - identifier: The copy's identifier.
  ///   - keepsSignature: Whether its own signature stays in it unchanged.
  package static func twin(
    of element: String, naming subject: String = Self.subject, identifier: Identifier,
    keepsSignature: Bool
  ) -> String {
    let text = XMLText(Array(element.utf8))
    guard !text.elements.isEmpty else { return element }
    var edits: [XMLText.Edit] = []
    for index in text.elements.indices {
      let name = text.elements[index].localName
      if ["NameID", "NameIdentifier", "AttributeValue"].contains(name) {
        edits.append(text.replacingContent(of: index, with: subject))
      }
    }
    // A Response contains the forged assertion: its identifier would still occur twice.
    let infos = text.elements.filter { $0.localName == "SignedInfo" }.map(\.whole)
    for index in text.elements.indices where identifier != .same {
      let element = text.elements[index]
      // A signature that is kept is not edited.
      guard !infos.contains(where: { $0.contains(element.whole.lowerBound) }) else { continue }
      for name in ["ID", "Id", "AssertionID", "ResponseID"] {
        guard let attribute = element.attribute(name) else { continue }
        edits.append(
          identifier == .absent
            ? XMLText.Edit(attribute.whole, "")
            : XMLText.Edit(
              attribute.value, index == 0 ? self.identifier : "\(self.identifier)-\(index)"))
      }
    }
    if !keepsSignature {
      let signature = text.children(of: 0).first { text.elements[$0].localName == "Signature" }
      if let signature {
        // Edits inside it are dropped with it.
        edits.removeAll { text.elements[signature].whole.contains($0.range.lowerBound) }
        edits.append(text.removing(signature))
      }
    }
    return String(decoding: text.applying(edits), as: UTF8.self)
  }
}
