import Claims
import TokenBasics
import XMLTree

extension SAMLMutator {
  /// Content that a Response cannot have, or another Response around it.
  func addResponses() {
    guard let response = message.response else { return }
    let place = text.elements[message.assertion].whole
    let bare = message.whole(message.assertion, without: message.assertionSignature)
    let assertion = message.whole(message.assertion)
    let namespace = text.namespace(of: message.assertion)
    let twin = Forgery.twin(
      of: assertion, naming: forgedSubject, identifier: .other, keepsSignature: true)
    list.add(
      "wrapping/hidden", "the genuine assertion is in an unknown element", ["XSW-10"],
      .unexpectedElement, edited(XMLText.Edit(place, "\(twin)<foo>\(bare)</foo>")))
    list.add(
      "wrapping/foreign-assertion", "an Assertion of another namespace comes first", ["XSW-32"],
      .unexpectedElement,
      edited(
        XMLText.Edit(
          at: place.lowerBound,
          "<evil:Assertion xmlns:evil=\"urn:evil\"><evil:Subject/></evil:Assertion>")))
    list.add(
      "wrapping/loose-attributes", "an AttributeStatement is beside the assertion",
      ["XSW-27"], .unexpectedElement,
      edited(
        XMLText.Edit(at: place.upperBound, "<e:AttributeStatement xmlns:e=\"\(namespace)\"/>")))
    list.add(
      "wrapping/loose-text", "text is beside the assertion", ["XSW-33"], .unexpectedText,
      edited(XMLText.Edit(at: place.upperBound, forgedSubject)))
    if message.isVersion2 {
      list.add(
        "wrapping/encrypted-beside", "an encrypted assertion is beside the genuine one",
        ["XSW-23"], .severalAssertions,
        edited(
          XMLText.Edit(
            at: place.upperBound,
            "<e:EncryptedAssertion xmlns:e=\"\(MessageText.assertionNamespace)\"/>")))
    }
    addStatusOrder(response)
    addSmuggledDigest(response)
    addResponseTwins(response)
  }

  private func addStatusOrder(_ response: Int) {
    guard let status = text.child("Status", of: response) else { return }
    list.add(
      "response/two-Status", "there are two Status", ["XSW-33"], .repeatedElement,
      edited(repeating(status)))
    list.add(
      "response/Status-last", "the Status is after the assertion", ["XSW-33"],
      .unexpectedElement,
      edited(
        removing(status),
        XMLText.Edit(
          at: text.elements[message.assertion].whole.upperBound, message.whole(status))))
    list.add(
      "response/no-Status", "there is no Status", ["XSW-33"], .missingElement,
      edited(removing(status)))
    if let issuer = text.child("Issuer", of: response) {
      list.add(
        "response/two-Issuer", "there are two Issuer", ["XSW-33"], .repeatedElement,
        edited(repeating(issuer)))
    }
    list.add(
      "wrapping/shared-id", "the Response has the identifier of the assertion", ["XSW-31"],
      .duplicateID,
      edited(
        setting(
          message.identifierName(of: response), message.identifier(of: message.assertion),
          of: response)))
  }

  /// The digest of forged content where a careless search would find it (CVE-2024-45409).
  private func addSmuggledDigest(_ response: Int) {
    // Without forged claims it would be a valid message.
    guard message.isVersion2, !forgedClaims.isEmpty, text.child("Extensions", of: response) == nil,
      let status = text.child("Status", of: response),
      let value = message.inSignature("DigestValue")
    else { return }
    let smuggled =
      "<evil:Extensions xmlns:evil=\"\(MessageText.protocolNamespace)\">"
      + "<ds:DigestValue xmlns:ds=\"\(MessageText.signatureNamespace)\">\(content(value))"
      + "</ds:DigestValue></evil:Extensions>"
    var edits = forgedClaims as [XMLText.Edit?]
    edits.append(XMLText.Edit(at: text.elements[status].whole.lowerBound, smuggled))
    list.add(
      "wrapping/smuggled-digest", "a digest is where only a careless search finds it",
      ["XSW-13"], .digestMismatch, edited(edits))
  }

  /// The genuine Response inside of a forged one.
  private func addResponseTwins(_ response: Int) {
    guard let signature = message.responseSignature else { return }
    let genuine = message.whole(response)
    let bare = message.whole(response, without: signature)
    let place = text.elements[response].whole
    for (label, attacks, identifier) in [
      ("", ["XSW-1", "XSW-2"], Forgery.Identifier.other), ("-same-id", ["XSW-11"], .same),
    ] {
      let twin = XMLText(
        Array(
          Forgery.twin(
            of: genuine, naming: forgedSubject, identifier: identifier, keepsSignature: true
          ).utf8))
      guard let inner = twin.child("Signature", of: 0) else { continue }
      let isSame = identifier == .same
      for (name, code, edit) in [
        ("in-signature", TokenError.Code.signatureStructure, twin.appending(bare, to: inner)),
        (
          "before-signature", .unexpectedElement,
          XMLText.Edit(at: twin.elements[inner].whole.lowerBound, bare)
        ),
      ] {
        list.add(
          "wrapping/response-\(name)\(label)", "the genuine Response is inside a forged one",
          attacks, isSame ? .duplicateID : code,
          edited(XMLText.Edit(place, String(decoding: twin.applying([edit]), as: UTF8.self))))
      }
    }
  }

  /// Roots that are no message for this endpoint.
  func addRoots() {
    guard let root = text.elements.indices.first else { return }
    let element = text.elements[root]
    let renamed = element.prefix + "LogoutRequest"
    let name = element.startTag.lowerBound + 1
    let length = element.name.utf8.count
    let end = element.content.upperBound + 2
    list.add(
      "root/other-message", "the message calls itself a LogoutRequest", ["XSW-17"],
      .unexpectedRoot,
      edited(
        XMLText.Edit(name..<(name + length), renamed), XMLText.Edit(end..<(end + length), renamed)))
    list.add(
      "root/around", "an unknown element is around the message", ["XSW-26"],
      wrapped(levels: 1, .unexpectedRoot),
      edited(
        XMLText.Edit(at: element.whole.lowerBound, "<x>"),
        XMLText.Edit(at: element.whole.upperBound, "</x>")))
    guard message.response == root || message.assertion == root else { return }
    list.add(
      "root/soap", "a SOAP envelope has another element behind the message", ["XSW-26"],
      wrapped(levels: 2, .unexpectedElement),
      edited(
        XMLText.Edit(
          at: element.whole.lowerBound,
          "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"),
        XMLText.Edit(at: element.whole.upperBound, "<x/></s:Body></s:Envelope>")))
  }

  /// The code for a message with that many elements around it: a deep one exceeds the depth limit.
  private func wrapped(levels: Int, _ code: TokenError.Code) -> TokenError.Code {
    text.depth + levels > Limits().depth ? .xmlDepth : code
  }

  /// Statements of an unsigned Response about itself: they can reject a token and never satisfy.
  func addResponse() {
    guard let response = message.response else { return }
    let version = message.isVersion2 ? "Version" : "MajorVersion"
    list.add(
      "response/version", "the Response is of another version", ["SEM-1"], .messageVersion,
      edited(setting(version, "3", of: response)))
    let time = text.elements[response].attribute("IssueInstant")
    list.add(
      "response/malformed-time", "the time of the Response is no time", ["TIME-5"], .malformedTime,
      edited(time.map { XMLText.Edit($0.value, "yesterday") }))
    list.add(
      "response/no-identifier", "the Response has no identifier", ["REF-23"], .missingAttribute,
      edited(text.removingAttribute(message.identifierName(of: response), of: response)))
    guard message.responseSignature == nil else { return }
    let later = endpoint.now.advanced(bySeconds: Int64(endpoint.firstFuture)).withMilliseconds
    list.add(
      "response/future", "the Response was issued in the future", ["TIME-3", "XSW-36"],
      .issuedInFuture, edited(time.map { XMLText.Edit($0.value, later) }))
    list.add(
      "response/status", "the Response reports a failure around a good assertion", ["SEM-2"],
      .responseStatus,
      edited(
        text.descendant("StatusCode", of: response).flatMap { text.elements[$0].attribute("Value") }
          .map {
            let value = text.text($0.value)
            return XMLText.Edit($0.value, value.dropLast("Success".count) + "Requester")
          }))
    if let issuer = text.child("Issuer", of: response) {
      list.add(
        "response/issuer", "the Response names another issuer", ["XSW-35", "SEM-6"],
        .issuerMismatch, edited(filling(issuer, "https://evil.example/")))
    }
    addDelivery(response)
    addHollowResponse(response)
  }

  private func addDelivery(_ response: Int) {
    let address = message.isVersion2 ? "Destination" : "Recipient"
    if let recipient = endpoint.expectations.recipient {
      for (label, other) in [
        ("other", "https://evil.example/acs"), ("slash", recipient + "/"),
        ("query", recipient + "?x=1"), ("empty", ""),
      ] {
        list.add(
          "response/destination-\(label)", "the Response was sent somewhere else",
          ["SEM-7", "XSW-36"], .destinationMismatch,
          edited(setting(address, Self.escaped(other), of: response)))
      }
    }
    if endpoint.expectations.inResponseTo != nil {
      list.add(
        "response/other-request", "the Response answers another request", ["SEM-8", "XSW-36"],
        .responseRequestMismatch, edited(setting("InResponseTo", "_other", of: response)))
      list.add(
        "response/no-request", "the Response answers no request", ["SEM-8"], .responseUnsolicited,
        edited(text.removingAttribute("InResponseTo", of: response)))
    }
  }
}
