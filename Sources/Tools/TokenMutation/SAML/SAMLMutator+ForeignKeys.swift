import Octets
import SecurityKeys
import TokenErrors
import XMLTree

extension SAMLMutator {
  /// Signatures by an untrusted key, which the message contains.
  func addForeignKeys() {
    guard let attacker = AttackerKey.key, let method = message.inSignature("SignatureMethod"),
      let family
    else { return }
    let isRSA = family == .rsaPKCS1 || family == .rsaPSS
    let expected: TokenError.Code = isRSA ? .signatureInvalid : .algorithmKeyMismatch
    let sealer = Sealer(attacker)
    let x509 =
      "<\(ds)KeyInfo><\(ds)X509Data><\(ds)X509Certificate>\(AttackerKey.certificate)"
      + "</\(ds)X509Certificate></\(ds)X509Data></\(ds)KeyInfo>"
    let fetched =
      "<\(ds)KeyInfo><\(ds)RetrievalMethod URI=\"http://127.0.0.1:9/key\"/></\(ds)KeyInfo>"
    for (label, summary, keyInfo) in [
      ("certificate", "its certificate is shown", x509 as String?),
      ("no-key-info", "no key is shown", ""),
      ("retrieval", "its key is to be fetched", fetched),
      ("genuine-key-info", "the issuer's key is still shown", nil),
    ] {
      var edits = forgedClaims as [XMLText.Edit?]
      edits.append(setting("Algorithm", SignatureAlgorithm.rsaSHA256.uri, of: method))
      if let keyInfo {
        if let shown = text.child("KeyInfo", of: message.signature) {
          edits.append(XMLText.Edit(text.elements[shown].whole, keyInfo))
        } else if !keyInfo.isEmpty {
          edits.append(text.appending(keyInfo, to: message.signature))
        }
      }
      list.add(
        "key/attacker-\(label)", "another key signed forged claims; \(summary)",
        ["KEY-1", "DSIG-16"], expected, edited(edits).flatMap { sealer.seal($0) })
    }
    // The digest is that of the forged claims, and the signature value the genuine one.
    let forged = edited(forgedClaims.map { $0 }).flatMap { sealer.seal($0) }.map(XMLText.init)
    guard let forged,
      let value = text.child("SignatureValue", of: message.signature),
      forged.elements.count == text.elements.count
    else { return }
    list.add(
      "key/digest-recomputed", "forged claims have their digest, under the genuine signature value",
      ["XSW-13"], .signatureInvalid,
      forged.applying([forged.replacingContent(of: value, with: content(value))]))
  }
}
