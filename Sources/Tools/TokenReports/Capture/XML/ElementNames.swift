import TokenBasics
import TokenMutation
import XMLTree

/// Which names of a document are those of standards.
struct ElementNames {
  /// Whether the name of each element is one.
  private(set) var isKnown: [Bool] = []
  /// Whether the name of each attribute is one, element by element.
  private(set) var knownAttributes: [[Bool]] = []

  init(_ text: XMLText) {
    var scope = Scope()
    var open: [(element: Int, prefixes: [String])] = []
    isKnown.reserveCapacity(text.elements.count)
    for (index, element) in text.elements.enumerated() {
      while let last = open.last, last.element != element.parent {
        scope.leave(last.prefixes)
        open.removeLast()
      }
      open.append((index, scope.enter(element, text)))
      let isOwn =
        scope.isKnown(element.prefix.dropLast()) && MarkupText.contains(element.localName)
      isKnown.append(isOwn)
      knownAttributes.append(
        element.attributes.map { attribute in
          let parts = attribute.name.split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
          guard let local = parts.last, MarkupText.contains(String(local)) else { return false }
          return parts.count == 1 ? isOwn : scope.isKnown(parts[0])
        })
    }
  }

  /// The namespace declarations around one place.
  private struct Scope {
    private var namespaces: [String: [Bool]] = ["xml": [true]]

    mutating func enter(_ element: XMLText.Element, _ text: XMLText) -> [String] {
      var prefixes: [String] = []
      for attribute in element.attributes where attribute.name.hasPrefix("xmlns") {
        let rest = attribute.name.dropFirst(5)
        guard rest.isEmpty || rest.first == ":" else { continue }
        let prefix = String(rest.dropFirst())
        let value = ReversibleText(xml: text.octets[attribute.value]).decoded
        namespaces[prefix, default: []].append(
          KnownNamespaces.contains(String(decoding: value, as: UTF8.self)))
        prefixes.append(prefix)
      }
      return prefixes
    }

    mutating func leave(_ prefixes: [String]) {
      for prefix in prefixes { _ = namespaces[prefix]?.popLast() }
    }

    func isKnown(_ prefix: Substring) -> Bool { namespaces[String(prefix)]?.last ?? false }
  }
}

/// Namespaces whose names are kept where a standard has them.
enum KnownNamespaces {
  static func contains(_ uri: String) -> Bool { all.contains(uri) }

  private static let all: Set<String> = [
    "urn:oasis:names:tc:SAML:1.0:assertion", "urn:oasis:names:tc:SAML:1.0:protocol",
    "urn:oasis:names:tc:SAML:2.0:assertion", "urn:oasis:names:tc:SAML:2.0:protocol",
    "urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp", "urn:liberty:paos:2003-08",
    "urn:liberty:paos:2006-08",
    "http://www.w3.org/2000/09/xmldsig#", "http://www.w3.org/2009/xmldsig11#",
    "http://www.w3.org/2001/04/xmlenc#", "http://www.w3.org/2009/xmlenc11#",
    "http://www.w3.org/2001/10/xml-exc-c14n#", "http://www.w3.org/2001/XMLSchema-instance",
    "http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope",
    "http://schemas.xmlsoap.org/ws/2005/02/trust",
    "http://docs.oasis-open.org/ws-sx/ws-trust/200512",
    "http://schemas.xmlsoap.org/ws/2004/09/policy", "http://www.w3.org/2005/08/addressing",
    "http://schemas.xmlsoap.org/ws/2004/08/addressing", "http://www.w3.org/XML/1998/namespace",
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd",
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd",
    "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd",
  ]
}
