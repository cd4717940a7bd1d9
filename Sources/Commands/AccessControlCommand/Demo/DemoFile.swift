#if Server
  import AccessControl
  import CommandServer
  import Hummingbird

  /// The file of the demonstration: five identity providers with test people, and a relying party for each format.
  enum DemoFile {
    static let issuer = "http://127.0.0.1:8090/"
    static let application = "http://127.0.0.1:8091"
    static let feed = "http://127.0.0.1:8092/"
    static let formats = ["SWT", "JWT", "SAML 1.1", "SAML 2.0"]

    /// A listener of the demonstration beside the issuer's.
    static func listener<Responder: HTTPResponder>(
      _ responder: Responder, _ port: Int
    ) throws(TokenError) -> Listener
    where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
      try Listener(
        responder, at: HostPort(host: "127.0.0.1", port: port), connections: 64,
        logger: AccessControlServer.logger)
    }

    static func realm(_ format: String) -> String { "urn:speakeasy:" + slug(format) }

    /// `saml-1.1` of `SAML 1.1`.
    static func slug(_ format: String) -> String {
      switch format {
      case "SWT": "swt"
      case "JWT": "jwt"
      case "SAML 1.1": "saml-1.1"
      default: "saml-2.0"
      }
    }

    static var text: String {
      let parties = formats.map { format in
        """
            {"realm": "\(realm(format))", "name": "SpeakEasy, \(format)", "format": "\(format)",
             "return": ["\(application)/signin"], "error": "\(application)/signin", "rules": ["default"]}
        """
      }
      return """
        {
          "issuer": "\(issuer)",
          "name": "Access Control Service",
          "listen": "127.0.0.1:8090",
          "state": "memory",
          "providers": [
            {"kind": "facebook", "application": "1234567890"},
            {"kind": "windowsLive"},
            {"kind": "google"},
            {"kind": "yahoo"},
            {"id": "http://fs.example.org/adfs/services/trust", "name": "Example Corp"}
          ],
          "ruleGroups": [
            {"name": "default",
             "generate": ["Facebook-1234567890", "uri:WindowsLiveID", "Google", "Yahoo!",
                          "http://fs.example.org/adfs/services/trust"],
             "rules": [
               {"if": {"from": "http://fs.example.org/adfs/services/trust", "type": "role", "value": "staff"},
                "type": "http://speakeasy.example/claims/can", "value": "moderate", "note": "staff may moderate"},
               {"if": {"from": "acs", "type": "http://speakeasy.example/claims/can", "value": "moderate"},
                "type": "http://speakeasy.example/claims/can", "value": "post", "note": "whoever moderates may post"}
             ]}
          ],
          "relyingParties": [
        \(parties.joined(separator: ",\n"))
          ],
          "serviceIdentities": [{"name": "uploader", "password": "for-the-demo-only"}]
        }
        """
    }
  }
#endif
