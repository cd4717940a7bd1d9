import Federation
import Octets
import TokenBasics
import XMLSecurity
import XMLTree

/// What stands around an assertion that cannot be read, because it is encrypted or the sign-in failed, and what a
/// message of a sign-out says: who sent it, to whom, how it went, and how it is encrypted. Nothing of it is verified.
struct Envelope {
  private let message: Element

  /// Nil for what is no message around an assertion.
  init?(_ octets: [UInt8], as pinned: PinnedFormat?, limits: Limits) {
    guard let root = WireLayers(octets, as: pinned, limits: limits).document?.root else {
      return nil
    }
    let messages = [root] + root.descendants { _ in true }
    guard
      let message = messages.first(where: { Self.names.contains($0.localName) })
        ?? messages.first(where: { $0.isNamed(XEName.encryptedData) })
    else { return nil }
    self.message = message
  }

  /// The JSON of the header of a compact token, on one line.
  static func header(_ octets: [UInt8], as pinned: PinnedFormat?, limits: Limits) -> [UInt8]? {
    guard let layer = WireLayers(octets, as: pinned, limits: limits).innermost,
      case .compactJWS = layer.kind,
      let header = try? Base64.decode(
        Array(layer.octets.prefix { $0 != UInt8(ascii: ".") }), .url),
      (try? JSONParser.parse(header, limits: limits)) != nil
    else { return nil }
    // Between members alone: a text of JSON has no line feed as it is.
    return header.map { ASCII.isWhiteSpace($0) ? UInt8(ascii: " ") : $0 }
  }

  /// The JSON of the header of an encrypted token, which is all that stands around the one inside.
  static func encryptedHeader(
    _ octets: [UInt8], as pinned: PinnedFormat?, limits: Limits
  ) -> [UInt8]? {
    guard let layer = WireLayers(octets, as: pinned, limits: limits).innermost,
      JSONWebEncryption.hasParts(layer.octets.span),
      !SelectiveDisclosureToken.hasSeparator(layer.octets.span)
    else { return nil }
    return header(octets, as: pinned, limits: limits)
  }

  func write(to json: inout JSONWriter) {
    json.name("envelope")
    json.object { json in
      json.member("message", message.localName)
      json.member("id", attribute("ID") ?? attribute("ResponseID"))
      json.member("issuer", child("Issuer", of: message).flatMap(Self.text))
      json.member("destination", attribute("Destination") ?? attribute("Recipient"))
      json.member("inResponseTo", attribute("InResponseTo"))
      json.member("issued", attribute("IssueInstant"))
      if let status = child("Status", of: message) { write(status, &json) }
      write(encrypted: Self.parts(message), &json)
    }
  }

  private func write(_ status: Element, _ json: inout JSONWriter) {
    json.name("status")
    json.object { json in
      json.name("codes")
      json.array { json in
        for code in status.descendants(where: { $0.localName == "StatusCode" }) {
          if let value = Self.attribute("Value", of: code) { json.string(value) }
        }
      }
      json.member("message", child("StatusMessage", of: status).flatMap(Self.text))
    }
  }

  private func write(encrypted parts: [Element], _ json: inout JSONWriter) {
    guard !parts.isEmpty else { return }
    json.name("encrypted")
    json.array { json in
      for part in parts.prefix(Self.mostParts) {
        json.object { json in
          json.member("algorithm", method(of: part))
          json.name("keys")
          json.array { json in
            // A key stands inside the data or beside it.
            let holder =
              part.parent.map { $0.localName == "EncryptedAssertion" ? $0 : part } ?? part
            for key in holder.descendants(named: XEName.encryptedKey).prefix(Self.mostParts) {
              json.object { json in
                json.member("algorithm", method(of: key))
                json.member("recipient", Self.attribute("Recipient", of: key))
                json.member("keyName", first("KeyName", in: key).flatMap(Self.text))
                json.member("serial", first("X509SerialNumber", in: key).flatMap(Self.text))
                json.member("certificateOf", first("X509IssuerName", in: key).flatMap(Self.text))
              }
            }
          }
        }
      }
    }
  }

  private static func parts(_ message: Element) -> [Element] {
    message.isNamed(XEName.encryptedData)
      ? [message] : message.descendants(named: XEName.encryptedData)
  }

  private func method(of part: Element) -> String? {
    child("EncryptionMethod", of: part).flatMap { Self.attribute("Algorithm", of: $0) }
  }

  private func attribute(_ name: String) -> String? { Self.attribute(name, of: message) }

  private static func attribute(_ name: String, of element: Element) -> String? {
    element.attributes.first { $0.localName == name && $0.namespaceURI.isEmpty }
      .map { element.string($0.value) }
  }

  private func child(_ name: String, of element: Element) -> Element? {
    (try? element.children())?.first { $0.localName == name }
  }

  private func first(_ name: String, in element: Element) -> Element? {
    element.descendants { $0.localName == name }.first
  }

  private static func text(_ element: Element) -> String? { try? element.collapsedText() }

  /// Messages that are shown: around an assertion, and of sign-outs and requests, which have none.
  private static let names = ["Response", "LogoutRequest", "LogoutResponse", "AuthnRequest"]

  /// Of each kind; a message with more is not one that a person looks at.
  private static let mostParts = 16
}
