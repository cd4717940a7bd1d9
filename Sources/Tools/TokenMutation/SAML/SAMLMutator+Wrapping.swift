import Claims
import TokenBasics
import XMLTree

extension SAMLMutator {
  /// Forged assertions and responses around, beside and inside the genuine ones.
  func addWrapping() {
    addTwinAssertions()
    addNestedAssertions()
    addSignaturePayloads()
    addResponses()
    addRoots()
    addTwinEverywhere()
  }

  private var assertionText: String { message.whole(message.assertion) }

  private func forged(_ identifier: Forgery.Identifier, signed: Bool = false) -> String {
    Forgery.twin(
      of: assertionText, naming: forgedSubject, identifier: identifier, keepsSignature: signed)
  }

  /// The digest's code where an outer signature covers the change, else `code`.
  private func unlessCovered(_ code: TokenError.Code) -> TokenError.Code {
    message.responseSignature == nil ? code : .digestMismatch
  }

  /// Two assertions side by side.
  private func addTwinAssertions() {
    guard text.elements[message.assertion].parent != nil else { return }
    let place = text.elements[message.assertion].whole
    let bare = message.whole(message.assertion, without: message.assertionSignature)
    for (label, attacks, signed) in [
      ("unsigned", ["XSW-3", "XSW-22"], false), ("with-copied-signature", ["XSW-9"], true),
    ] {
      let twin = forged(.other, signed: signed)
      list.add(
        "wrapping/first-\(label)", "a forged assertion is before the genuine one", attacks,
        .severalAssertions, edited(XMLText.Edit(at: place.lowerBound, twin)))
      list.add(
        "wrapping/second-\(label)", "a forged assertion is after the genuine one", attacks,
        .severalAssertions, edited(XMLText.Edit(at: place.upperBound, twin)))
    }
    list.add(
      "wrapping/signature-taken", "a forged assertion has the signature of the one behind it",
      ["XSW-5", "XSW-9"], .severalAssertions,
      edited(XMLText.Edit(place, forged(.other, signed: true) + bare)))
  }

  /// The genuine assertion inside a forged one.
  private func addNestedAssertions() {
    let place = text.elements[message.assertion].whole
    let bare = message.whole(message.assertion, without: message.assertionSignature)
    guard message.assertionSignature != nil else { return }
    let outer = XMLText(Array(forged(.other).utf8))
    list.add(
      "wrapping/nested", "the genuine assertion is inside the forged one", ["XSW-4"],
      unlessCovered(.signatureMisplaced),
      edited(XMLText.Edit(place, spliced(outer, outer.appending(assertionText, to: 0)))))
    let signed = XMLText(Array(forged(.other, signed: true).utf8))
    let same = XMLText(Array(forged(.same, signed: true).utf8))
    guard let signature = signed.child("Signature", of: 0) else { return }
    let object = "<\(ds)Object>\(bare)</\(ds)Object>"
    list.add(
      "wrapping/in-signature", "the genuine assertion is inside the forged one's signature",
      ["XSW-6"], unlessCovered(.signatureStructure),
      edited(XMLText.Edit(place, spliced(signed, signed.appending(bare, to: signature)))))
    list.add(
      "wrapping/in-object", "the genuine assertion is an Object of the forged one's signature",
      ["XSW-8"], unlessCovered(.signatureStructure),
      edited(XMLText.Edit(place, spliced(signed, signed.appending(object, to: signature)))))
    list.add(
      "wrapping/in-object-same-id", "as an Object, under the same identifier", ["XSW-8"],
      .duplicateID,
      edited(XMLText.Edit(place, spliced(same, same.appending(object, to: signature)))))
    list.add(
      "wrapping/content", "the claims are forged under the genuine signature", ["XSW-25"],
      .digestMismatch, edited(XMLText.Edit(place, forged(.same, signed: true))))
    if text.elements[message.assertion].parent != nil {
      list.add(
        "wrapping/copy-beside", "the genuine assertion is beside a forged one of its identifier",
        ["XSW-25", "XSW-7"],
        message.response == nil ? .severalAssertions : .duplicateID,
        edited(XMLText.Edit(place, bare + forged(.same, signed: true))))
    }
  }

  private func spliced(_ text: XMLText, _ edit: XMLText.Edit) -> String {
    String(decoding: text.applying([edit]), as: UTF8.self)
  }

  /// Forged content in parts that the genuine signature does not cover.
  private func addSignaturePayloads() {
    let signature = message.signature
    let payload = forged(.other)
    list.add(
      "wrapping/payload-in-object", "a forged assertion is an Object of the genuine signature",
      ["XSW-15"], .signatureStructure,
      edited(text.appending("<\(ds)Object>\(payload)</\(ds)Object>", to: signature)))
    list.add(
      "wrapping/payload-in-signature", "a forged assertion is a child of the genuine signature",
      ["XSW-15"], .signatureStructure, edited(text.appending(payload, to: signature)))
    list.add(
      "wrapping/payload-in-value", "a forged assertion is inside SignatureValue", ["XSW-15"],
      .signatureStructure,
      edited(text.child("SignatureValue", of: signature).map { text.appending(payload, to: $0) }))
    list.add(
      "wrapping/advice", "a forged assertion is put into an Advice", ["XSW-24"], .digestMismatch,
      edited(
        message.inAssertion("Conditions").map {
          let prefix = text.elements[message.assertion].prefix
          return XMLText.Edit(
            at: text.elements[$0].whole.upperBound, "<\(prefix)Advice>\(payload)</\(prefix)Advice>")
        }))
  }

  /// Of the elements of one name in one parent, the first and the last.
  private func firstAndLast(of places: [Int]) -> Set<Int> {
    var ends: [String: (first: Int, last: Int)] = [:]
    for index in places {
      let element = text.elements[index]
      let key = "\(element.parent ?? -1) \(element.name)"
      ends[key] = (ends[key]?.first ?? index, index)
    }
    return Set(ends.values.flatMap { [$0.first, $0.last] })
  }

  /// A twin with the same identifier inside each element in turn.
  private func addTwinEverywhere() {
    let outermost = message.response ?? message.assertion
    let size = text.octets.count + text.elements[message.assertion].whole.count
    guard size <= Limits().bytes else { return }
    let twin = forged(.same)
    let places = [outermost] + text.descendants(of: outermost)
    if message.isVersion2, let status = text.child("Status", of: outermost) {
      list.add(
        "wrapping/in-extensions", "a forged assertion of the genuine identifier is in Extensions",
        ["XSW-7"], .duplicateID,
        edited(
          XMLText.Edit(
            at: text.elements[status].whole.lowerBound,
            "<evil:Extensions xmlns:evil=\"\(MessageText.protocolNamespace)\">\(twin)</evil:Extensions>"
          )))
    }
    let room = Limits().depth - 20
    let chosen = places.count > 400 ? firstAndLast(of: places) : Set(places)
    for (number, index) in places.enumerated()
    where chosen.contains(index) && text.depth(of: index) < room {
      list.add(
        "wrapping/twin-\(number)-in-\(text.elements[index].localName)",
        "a forged assertion of the genuine identifier is put into an element",
        ["XSW-7", "XSW-25", "REF-9"], .duplicateID, edited(text.appending(twin, to: index)))
    }
  }
}
