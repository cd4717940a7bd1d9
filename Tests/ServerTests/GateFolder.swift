#if Server
  import Foundation
  import IdentityProviderTesting
  import SecurityKeys
  import TestSupport

  /// A folder with the metadata of a provider, in which a test writes the files of a gate.
  final class GateFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "gate-\(UUID().uuidString)")
    let idp: IdentityProviderSimulator

    init() throws {
      idp = try IdentityProviderSimulator()
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try write("idp.xml", metadata)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var metadata: String {
      """
      <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example/">\
      <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">\
      <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>\
      <ds:X509Certificate>\(Data(idp.certificate.der).base64EncodedString())</ds:X509Certificate></ds:X509Data>\
      </ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService \
      Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example/sso"/>\
      </md:IDPSSODescriptor></md:EntityDescriptor>
      """
    }

    var names: Set<String> {
      Set((try? FileManager.default.contentsOfDirectory(atPath: url.path())) ?? [])
    }

    func path(_ name: String) -> String { url.appending(path: name).path() }

    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: url.appending(path: name))
    }

    func write(_ name: String, _ octets: [UInt8]) throws {
      try Data(octets).write(to: url.appending(path: name))
    }

    /// The path of the usual file with these members besides.
    func file(_ members: String = "", listen: String = "[::1]:4180") throws -> String {
      try write(
        "gate.json",
        """
        {"public": "https://app.example", "listen": "\(listen)",
         "proxy": {"kind": "nginx", "peers": ["127.0.0.1"]},
         "providers": [{"id": "campus", "saml": {"metadata": "idp.xml"}}],
         "headers": {"X-Remote-User": "subject"}\(members)}
        """)
      return path("gate.json")
    }
  }
#endif
