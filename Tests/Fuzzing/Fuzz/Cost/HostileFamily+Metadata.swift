extension HostileFamily {
  static let metadata = [
    HostileFamily("entities", .metadata) { scale in
      "<md:EntitiesDescriptor \(namespace)>"
        + numbered(scale * 600) {
          "<md:EntityDescriptor entityID='e\($0)'>\(role(""))</md:EntityDescriptor>"
        }
        + "</md:EntitiesDescriptor>"
    },
    HostileFamily("groups in groups", .metadata) { scale in
      times(scale * 2, "<md:EntitiesDescriptor \(namespace)>")
        + times(scale * 2, "</md:EntitiesDescriptor>")
    },
    HostileFamily("endpoints of one role", .metadata) { scale in
      entity(
        role(
          times(
            scale * 900,
            "<md:SingleSignOnService Binding='b' Location='http://sp.example/'/>")))
    },
    HostileFamily("roles of one entity", .metadata) { entity(times($0 * 800, role(""))) },
    HostileFamily("keys of one role", .metadata) { scale in
      entity(
        role(
          times(
            scale * 400,
            "<md:KeyDescriptor><ds:KeyInfo xmlns:ds='http://www.w3.org/2000/09/xmldsig#'>"
              + "<ds:X509Data><ds:X509Certificate>AAAA</ds:X509Certificate></ds:X509Data>"
              + "</ds:KeyInfo></md:KeyDescriptor>")))
    },
    HostileFamily("scopes that are patterns", .metadata) { scale in
      entity(
        "<md:Extensions>"
          + times(
            scale * 1_000,
            "<s:Scope xmlns:s='urn:mace:shibboleth:metadata:1.0' regexp='true'>(a+)+$</s:Scope>")
          + "</md:Extensions>")
    },
    HostileFamily("a long entity name", .metadata) { scale in
      "<md:EntityDescriptor \(namespace) entityID='\(times(scale * 100_000, "e"))'/>"
    },
  ]

  private static let namespace = "xmlns:md='urn:oasis:names:tc:SAML:2.0:metadata'"

  private static func entity(_ content: String) -> String {
    "<md:EntityDescriptor \(namespace) entityID='https://idp.example/idp'>\(content)"
      + "</md:EntityDescriptor>"
  }

  private static func role(_ content: String) -> String {
    "<md:IDPSSODescriptor protocolSupportEnumeration='urn:oasis:names:tc:SAML:2.0:protocol'>"
      + "\(content)</md:IDPSSODescriptor>"
  }
}
