import Octets
import TokenErrors
import XMLTree

extension SAMLMutator {
  /// The signature value and the digest, changed, cut and encoded differently.
  func addSignatureValues() {
    addValue(
      "SignatureValue", text.child("SignatureValue", of: message.signature),
      malformed: .malformedSignatureValue, wrong: .signatureInvalid, wrongLength: .signatureInvalid)
    // The digest is part of what the signature value covers, which is verified first.
    addValue(
      "DigestValue", message.inSignature("DigestValue"), malformed: .malformedDigestValue,
      wrong: .signatureInvalid, wrongLength: .malformedDigestValue)
  }

  private func addValue(
    _ name: String, _ index: Int?, malformed: TokenError.Code, wrong: TokenError.Code,
    wrongLength: TokenError.Code
  ) {
    guard let index else { return }
    let base64 = content(index).filter { !$0.isWhitespace }
    guard let bytes = try? Base64.decode(Array(base64.utf8).span), bytes.count > 16 else { return }
    let family = "value"
    let whole = text.elements[index].name
    for (label, content) in [
      ("empty", ""), ("white-space", "  \n "), ("instruction", base64 + "<?x y?>"),
      ("element", base64 + "<x/>"), ("element-first", "<\(whole)>AAAA</\(whole)>" + base64),
    ] {
      list.add(
        "\(family)/\(name)-\(label)", "\(name) is no base64 text", ["DSIG-2", "DSIG-6"], malformed,
        edited(filling(index, content)))
    }
    for trick in Base64Tricks.variants(of: base64) {
      list.add(
        "\(family)/\(name)-\(trick.name)", "\(name) is not canonical base64: \(trick.summary)",
        ["DSIG-14"], malformed, edited(filling(index, trick.text)))
    }
    for (label, position) in [
      ("first", 0), ("middle", bytes.count / 2), ("last", bytes.count - 1),
    ] {
      var changed = bytes
      changed[position] ^= 1
      list.add(
        "\(family)/\(name)-flip-\(label)", "one bit of \(name) is flipped", ["DSIG-13", "FZ-2"],
        wrong, edited(filling(index, Base64.encode(changed))))
    }
    for (label, changed) in [
      ("cut", Array(bytes.dropLast())), ("half", Array(bytes.prefix(bytes.count / 2))),
      ("longer", bytes + [0]),
    ] {
      list.add(
        "\(family)/\(name)-\(label)", "\(name) has another length", ["DSIG-13", "CRY-6"],
        wrongLength, edited(filling(index, Base64.encode(changed))))
    }
    list.add(
      "\(family)/\(name)-zero", "\(name) is all zeros", ["CRY-7"], wrong,
      edited(filling(index, Base64.encode([UInt8](repeating: 0, count: bytes.count)))))
  }
}
