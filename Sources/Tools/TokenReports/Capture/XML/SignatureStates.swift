import Claims
import SecurityKeys
import TokenBasics
import TokenMutation
import XMLTree

/// Which digests and signature values of a document fit, and the renewal of those that did.
struct SignatureStates {
  private struct State {
    let signature: Int
    var goodReferences: [Int] = []
    var signer: TestKeys.Signer?
  }

  private var states: [State] = []
  private let session: CaptureSession

  init(of octets: [UInt8], _ session: CaptureSession) {
    self.session = session
    guard let signed = SignedOctets(octets, session.trust.limits) else { return }
    for signature in signed.signatures {
      var state = State(signature: signature)
      for (place, reference) in signed.references(of: signature).enumerated() {
        if let value = Self.octets(signed, "DigestValue", of: reference),
          signed.digest(reference, of: signature) == value
        {
          state.goodReferences.append(place)
        } else {
          session.note("a digest that does not fit is random octets, which do not fit either")
        }
      }
      if let algorithm = signed.algorithm(of: signature),
        let message = signed.signedInfo(of: signature),
        let value = Self.octets(signed, "SignatureValue", of: signature)
      {
        state.signer = session.signer(of: value, over: message, algorithm)
      }
      if state.signer == nil {
        session.note("a signature that no key at hand made is random octets of the same length")
      }
      states.append(state)
    }
  }

  private static func octets(_ signed: SignedOctets, _ name: String, of index: Int) -> [UInt8]? {
    signed.text.child(name, of: index).flatMap {
      Base64Layout(signed.text.octets[signed.text.elements[$0].content]).octets
    }
  }

  /// The document with new digests and signature values in place of those that fitted.
  func renewing(_ octets: [UInt8]) -> [UInt8] {
    var octets = octets
    for state in states {
      guard let signed = SignedOctets(octets, session.trust.limits) else { return octets }
      let references = signed.references(of: state.signature)
      var edits: [XMLText.Edit] = []
      for place in state.goodReferences where place < references.count {
        guard let digest = signed.digest(references[place], of: state.signature) else { continue }
        edits += edit(signed, "DigestValue", of: references[place], digest)
      }
      octets = signed.text.applying(edits)
      guard let signer = state.signer, let digested = SignedOctets(octets, session.trust.limits),
        let algorithm = digested.algorithm(of: state.signature),
        let message = digested.signedInfo(of: state.signature),
        let value = session.sign(message, algorithm, signer)
      else { continue }
      octets = digested.text.applying(
        edit(digested, "SignatureValue", of: state.signature, value))
    }
    return octets
  }

  private func edit(
    _ signed: SignedOctets, _ name: String, of index: Int, _ octets: [UInt8]
  ) -> [XMLText.Edit] {
    guard let child = signed.text.child(name, of: index) else { return [] }
    let content = signed.text.elements[child].content
    let source = signed.text.octets[content]
    var made = Base64Layout(source).encoding(octets)
    if let divided = ReversibleText(content: source), divided.decoded.count == made.count {
      made = divided.encoding(made)
    }
    return [XMLText.Edit(content, String(decoding: made, as: UTF8.self))]
  }
}
