#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import LocalFiles
  import TokenBasics

  extension TrustCommand {
    /// `claims trust init [FOLDER]`
    struct InitCommand: ParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "init",
        abstract:
          "Writes a folder to start from: trust.json, a key, and a page that explains both.",
        discussion: """
          Examples:
            claims trust init
            claims trust init trust --issuer https://idp.example/ --audience https://rp.example/ --key idp.crt
            claims trust init trust --metadata idp.xml --audience https://rp.example/

          Existing files are never replaced. Without --key and --metadata the command makes a test key, with which \
          the page shows how to mint and verify a first token.
          """)

      @Argument(
        help: ArgumentHelp("The folder to write into, this one by default.", valueName: "FOLDER"),
        completion: .directory)
      var folder = "."
      @Option(
        help: ArgumentHelp(
          "The issuer whose tokens to accept; https://idp.example/ by default.", valueName: "NAME"))
      var issuer = "https://idp.example/"
      @Option(
        help: ArgumentHelp(
          "The audience that tokens have to name; https://rp.example/ by default.",
          valueName: "NAME"))
      var audience = "https://rp.example/"
      @Option(
        help: ArgumentHelp(
          "The issuer's certificate or public key (PEM or DER).", valueName: "FILE"),
        completion: .file())
      var key: String?
      @Option(
        help: ArgumentHelp("SAML metadata in place of --issuer and --key.", valueName: "FILE"),
        completion: .file())
      var metadata: String?

      func validate() throws {
        if key != nil, metadata != nil {
          throw ValidationError("--key and --metadata exclude each other")
        }
      }

      func run() throws {
        var files = NewFiles(in: folder)
        let issuer: String
        var isTest = false
        do throws(TokenError) {
          if let metadata {
            files.add("idp.xml", try TrustFileLoader.octets(of: metadata))
            issuer = #"{"metadata": "idp.xml", "formats": ["saml11", "saml20"]}"#
          } else {
            if let key {
              files.add("idp.crt", try TrustFileLoader.octets(of: key))
            } else {
              isTest = true
              let pair = try KeptKeyPair(name: "test", at: SystemTime().now)
              files.add("idp.crt", PEMText.certificate(pair.certificate))
              files.add("idp.key", PEMText.privateKey(pair.key))
            }
            issuer =
              #"{"name": \#(JSONWriter.literal(self.issuer)), "keys": ["idp.crt"], "formats": ["saml20", "jwt"]}"#
          }
        } catch {
          throw CommandFailure(usage: error)
        }
        files.add(
          "trust.json",
          """
          {
            "$schema": "trust.schema.json",
            "audiences": [\(JSONWriter.literal(audience))],
            "issuers": [
              \(issuer)
            ]
          }

          """)
        files.add("TRUST.md", page(isTest: isTest))
        try files.write()
        try Results.write(line: files.listing(next: "TRUST.md"))
      }

      private func page(isTest: Bool) -> String {
        let mint = """

          A first token, signed by the test key:

              claims mint jwt --issuer \(issuer) --audience \(audience) --subject ada \\
                --claim role=editor --signing-key idp.key > token.jwt
              claims verify --trust trust.json token.jwt

          Replace idp.crt by your issuer's certificate, and delete idp.key, before you verify real tokens.

          """
        return """
          # Whom to trust

          1. `claims trust check trust.json`
          2. `claims explain --trust trust.json TOKEN` shows every check of a token.
          \(isTest ? mint : "")
          | member | meaning |
          | --- | --- |
          | `audiences` | names of your service; a token has to name one of them, compared byte for byte |
          | `issuers[].name` | the issuer as its tokens name it |
          | `issuers[].keys` | files with its certificates or public keys |
          | `issuers[].formats` | the formats for which the keys vouch |
          | `issuers[].metadata` | SAML metadata, which has the name and the keys |

          Every member is in docs/trust-file.md. An editor completes the file with docs/schemas/trust.schema.json beside it.

          """
      }
    }
  }
#endif
