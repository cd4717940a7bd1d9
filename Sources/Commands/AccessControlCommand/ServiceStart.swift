#if Server
  import HTTPExchange
  import TokenBasics

  /// What `acs init` writes.
  struct ServiceStart {
    let issuer: HTTPURL
    /// The public origin of the gate that believes the service.
    let gate: HTTPOrigin
    let isForAgents: Bool
    let subjectFrom: String?
    /// Whether people sign in at a SAML identity provider, whose metadata is idp.xml, and not as a test person.
    let isSAML: Bool

    /// acs.json.
    var text: String {
      let base = issuer.origin.description + "/"
      let listen = issuer.origin.host.contains(":") ? "127.0.0.1" : issuer.origin.host
      let isHere = issuer.origin.scheme == "http"
      let address = isHere ? "\(listen):\(issuer.origin.port)" : "127.0.0.1:8090"
      return """
        {
          "$schema": "acs.schema.json",
          "issuer": \(JSONWriter.literal(base)),
          "listen": \(JSONWriter.literal(address)),
          "state": "acs.db",
          "providers": [
            \(provider)
          ],
          "ruleGroups": [{"name": "default", "generate": ["organisation"], "rules": []}],
          "relyingParties": [
            \(party)
          ]\(isForAgents ? registration : "")
        }

        """
    }

    private var provider: String {
      guard isSAML else {
        return """
          {"id": "organisation", "name": "Example organisation",
               "people": [{"name": "Ada", "claims": {
                 "nameidentifier": "ada", "emailaddress": "ada@example.org", "name": "Ada Lovelace"}}],
               "offers": ["nameidentifier", "emailaddress", "name"]}
          """
      }
      let subject = subjectFrom.map { #", "subjectFrom": \#(JSONWriter.literal($0))"# } ?? ""
      return
        #"{"id": "organisation", "name": "Your organisation", "saml": {"metadata": "idp.xml"}\#(subject)}"#
    }

    private var party: String {
      isForAgents
        ? """
        {"realm": \(JSONWriter.literal(gate.description + "/mcp")), "name": "Tools", "format": "JWT",
             "rules": ["default"], "protocols": ["openID"], "scopes": ["tools"]}
        """
        : """
        {"realm": "gate", "name": "Gate", "format": "JWT", "rules": ["default"], "protocols": ["openID"],
             "return": [\(JSONWriter.literal(gate.description + "/.gate/openid/login/callback"))]}
        """
    }

    private var registration: String {
      """
      ,
        "registration": {"relyingParty": \(JSONWriter.literal(gate.description + "/mcp")), "open": true}
      """
    }

    /// ACS.md.
    var page: String {
      let metadata = issuer.origin.description + "/v2/upstream/saml/metadata"
      let first =
        isSAML
        ? "Give \(metadata) to your organisation's identity provider once the service runs."
        : "Try it with the test person. To connect an organisation run `acs init --saml idp.xml` in another folder."
      let members =
        isForAgents
        ? """
        | `relyingParties` | the server that the tokens are for; `scopes` lists what clients may ask for |
        | `registration` | clients register themselves for that server. With `token` in place of `open` they need a secret for it |
        """
        : """
        | `relyingParties` | the gate as a client: `return` lists its redirect URIs |
        """
      return """
        # The token service at \(issuer.origin)

        1. `acs check acs.json`
        2. `acs run acs.json`
        3. \(first)
        4. \(isForAgents
          ? "Run `claims-gate init --resource` in another folder: it protects \(gate)/mcp."
          : "Run `claims-gate init` in another folder: people who open \(gate) sign in here.")

        ## The file

        | member | meaning |
        | --- | --- |
        | `issuer` | the name in the tokens and the base of every address |
        | `listen` | where the service listens; beyond loopback it needs `tls` |
        | `state` | the file of codes, sign-ins and registered clients |
        | `providers` | where people sign in |
        | `ruleGroups` | which claims pass from a provider into tokens: `generate` passes all that it offers |
        \(members)

        acs.keys has the signing keys and is secret. Every member is in docs/acs-reference.md. An editor completes the file with
        docs/schemas/acs.schema.json beside it.

        """
    }
  }
#endif
