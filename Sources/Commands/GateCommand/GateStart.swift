#if Server
  import CommandSupport
  import GateService
  import HTTPExchange
  import LocalFiles
  import Octets
  import SecurityKeys
  import TokenBasics

  /// What `claims-gate init` writes.
  struct GateStart {
    let origin: HTTPOrigin
    let application: HostPort
    let proxy: ProxyKind
    /// Whether the gate protects a server for programs by access tokens.
    let isResource: Bool
    /// The issuer of OpenID Connect, or of the access tokens; empty for SAML.
    let issuer: String
    let clientID: String

    /// The identifier of the protected resource.
    private var identifier: String { origin.description + "/mcp" }

    /// Adds gate.json, everything that it names, the proxy's configuration and a page.
    ///
    /// - Parameter metadata: The SAML metadata of the identity provider; nil for OpenID Connect.
    /// - Throws: exit status 2 where the options make no file that the gate accepts.
    func add(to files: inout NewFiles, metadata: [UInt8]?) throws(CommandFailure) {
      let text = gate(isSAML: metadata != nil)
      let (configuration, errors) = GateConfiguration.read(Array(text.utf8))
      guard let configuration else { throw CommandFailure(usage: errors) }
      do throws(TokenError) {
        let recipe = try ProxyRecipe(
          configuration, addresses: [(origin: origin, address: application)])
        files.add("gate.json", text)
        files.add("GATE.md", page(recipe.files.map(\.name), isSAML: metadata != nil))
        if isResource {
          files.add("trust.json", trust)
        } else {
          files.add(
            "cookies.keys", Base64.encode(SystemRandom.octets(SealingKey.length)) + "\n")
        }
        if let metadata {
          files.add("idp.xml", metadata)
          let keys = try KeptKeyPair(name: origin.host, at: SystemTime().now)
          files.add("gate.key", PEMText.privateKey(keys.key))
          files.add("gate.crt", PEMText.certificate(keys.certificate))
        }
        for file in recipe.files { files.add(file.name, file.text) }
      } catch {
        throw CommandFailure(usage: error)
      }
    }

    private func gate(isSAML: Bool) -> String {
      var members = [
        #""$schema": "gate.schema.json""#, #""public": \#(JSONWriter.literal(origin.description))"#,
        #""listen": "127.0.0.1:4180", "operations": "127.0.0.1:4181""#,
        #""proxy": {"kind": "\#(proxy.rawValue)", "peers": ["127.0.0.1"]}"#,
      ]
      if isResource {
        members += [
          #""tokens": "trust.json""#, #""headers": {"X-Remote-User": "subject"}"#,
          """
          "applications": [
              {"origin": \(JSONWriter.literal(origin.description)),
               "resource": {"identifier": \(JSONWriter.literal(identifier)), "authorizationServers": [\(JSONWriter.literal(issuer))],
                            "scopes": ["tools"]},
               "rules": [{"path": "/mcp", "scope": ["tools"], "sessions": false}]}
            ]
          """,
        ]
      } else {
        let provider =
          isSAML
          ? #"{"id": "campus", "name": "Campus", "saml": {"metadata": "idp.xml"}}"#
          : #"{"id": "login", "name": "Sign-in", "openID": {"issuer": \#(JSONWriter.literal(issuer)), "clientID": \#(JSONWriter.literal(clientID))}}"#
        if isSAML {
          members.append(
            #""signingKey": "gate.key", "certificate": "gate.crt", "decryptKeys": ["gate.key"]"#)
        }
        members += [
          #""cookieKeys": "cookies.keys""#, #""providers": [\#(provider)]"#,
          #""session": {"store": "sqlite:gate.db", "lifetime": 28800, "idle": 1800}"#,
          #""headers": {"X-Remote-User": "subject", "X-Remote-Email": "email"}"#, #""rules": []"#,
        ]
      }
      return "{\n  " + members.joined(separator: ",\n  ") + "\n}\n"
    }

    private var trust: String {
      """
      {
        "audiences": [\(JSONWriter.literal(identifier))],
        "issuers": [{"name": \(JSONWriter.literal(issuer)), "openID": true, "type": "at+jwt"}]
      }

      """
    }

    private func page(_ recipe: [String], isSAML: Bool) -> String {
      let rows =
        isResource
        ? """
        | `tokens` | trust.json: whose access tokens count, and for which audience |
        | `applications[].resource` | what clients discover: the address that is protected, who issues tokens for it, its scopes |
        | `applications[].rules` | what a token needs: here the scope `tools`, and no browser session |
        """
        : """
        | `cookieKeys` | the key that seals cookies. Every gate of one site has the same file |
        | `providers` | where people sign in |
        | `session` | where sessions are stored, and after how many seconds they end |
        | `rules` | which paths need which claims; without a rule everybody who signs in gets in |
        """
      let register =
        isResource
        ? "Run `acs init --agents` in another folder and start it: it issues the tokens."
        : isSAML
          ? "Give the output of `claims-gate metadata gate.json` to the identity provider."
          : "Register the redirect URI \(origin)/.gate/openid/login/callback for client \(clientID) at \(issuer)"
      return """
        # The gate before \(origin)

        1. \(register)
        2. `claims-gate check gate.json`
        3. `claims-gate run gate.json`
        4. Start the application at \(application), and the proxy with \(recipe.joined(separator: " and ")).
        5. `claims-gate doctor gate.json \(origin)/` shows whether the proxy protects every path.

        ## The file

        | member | meaning |
        | --- | --- |
        | `public` | the origin that browsers see. Addresses and cookies are made from it |
        | `listen`, `operations` | where the proxy asks the gate, and where `/health` and `/metrics` answer |
        | `proxy` | the kind of proxy, and the addresses from which it may ask |
        | `headers` | headers that the application gets, each with the claim that it carries |
        \(rows)

        Every member is in docs/gate-reference.md. An editor completes the file with docs/schemas/gate.schema.json beside it. The
        recipe is made from the file: after a change of `headers` or `applications` write it again with
        `claims-gate recipe gate.json --application \(origin)=\(application)`.

        """
    }
  }
#endif
