import Federation
import XMLTree

/// How the token travelled: each encoding, from the outside in, and the elements around the token in XML.
struct LayersSection: PageSection {
  let layers: WireLayers
  /// The token inside the XML.
  let token: Element?
  let disclosure: Disclosure

  func write(to page: inout HTMLWriter) {
    page.element(.ol) { page in
      for layer in layers.layers {
        page.element(.li) { page in
          page.element(.b, text: Self.name(layer.kind))
          page.text(", \(layer.octets.count) octets")
          if case .xml = layer.kind, let token, !around(token).isEmpty {
            page.text(": ")
            page.element(.code, text: around(token).joined(separator: " › "))
          }
          if disclosure.showsValues { excerpt(layer, &page) }
        }
      }
    }
    if let error = layers.error {
      page.element(.p) { page in
        page.text("No further layer can be removed: \(error.message) ")
        page.element(.code, text: error.code.rawValue)
      }
    }
    if !disclosure.showsValues {
      page.element(
        .p, .styled("note"),
        text: "The octets of the layers are left out, since they contain every value.")
    }
  }

  /// The elements from the outermost to the token.
  private func around(_ token: Element) -> [String] {
    var names = [PageText.cut(token.localName, 64)]
    var current = token
    while let parent = current.parent, names.count < 12 {
      names.append(PageText.cut(parent.localName, 64))
      current = parent
    }
    return names.reversed()
  }

  /// The content of the other layers is shown further down.
  private func excerpt(_ layer: WireLayers.Layer, _ page: inout HTMLWriter) {
    switch layer.kind {
    case .percentEncoding, .base64, .notifyMessage, .unknown:
      page.element(.pre) { page in
        page.value(String(decoding: layer.octets.prefix(PageLimits.inputOctets), as: UTF8.self))
        if layer.octets.count > PageLimits.inputOctets { page.text("…") }
      }
    case .deflate, .xml, .pairs, .compactJWS: break
    }
  }

  static func name(_ kind: WireLayers.Kind) -> String {
    switch kind {
    case .percentEncoding: "Percent-encoded base64"
    case .base64: "Base64"
    case .deflate: "DEFLATE stream"
    case .notifyMessage:
      "JSON message of Access Control Service, whose securityToken is escaped XML"
    case .xml: "XML"
    case .pairs: "Simple Web Token: name-value pairs"
    case .compactJWS: "Compact token: parts in base64url"
    case .unknown: "Octets of no known form"
    }
  }
}
