#if Server
  import AccessControl

  /// The file of the demonstration: five identity providers with test people, and a relying party for each format.
  enum DemoFile {
    static let formats = ["SAML 2.0", "SAML 1.1", "JWT", "SWT"]
    /// The provider that sends an access token to post with.
    static let facebook = "Facebook-1234567890"

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

    /// The names of the test people who can post, by their access tokens.
    static func people(_ file: ServiceFile) -> [String: String] {
      let people = file.providers.flatMap { provider -> [TestPerson] in
        guard case .testPeople(let people) = provider.kind else { return [] }
        return people
      }
      return Dictionary(
        people.compactMap { person in
          person.claims.single(.facebookAccessToken).map { ($0, person.name) }
        }, uniquingKeysWith: { first, _ in first })
    }

    static func text(_ addresses: DemoAddresses) -> String {
      let parties = formats.map { format in
        """
            {"realm": "\(realm(format))", "name": "SpeakEasy", "format": "\(format)",
             "return": ["\(addresses.application)signin"], "error": "\(addresses.application)signin", "rules": ["default"]}
        """
      }
      return """
        {
          "issuer": "\(addresses.issuer)",
          "name": "Access Control Service",
          "listen": "\(addresses.issuerListener)",
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
             "generate": ["\(facebook)", "uri:WindowsLiveID", "Google", "Yahoo!",
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
