#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import Octets

  struct MintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "mint",
      abstract: "Issues a token, or the metadata of an issuer.",
      discussion: """
        Examples:
          claims mint jwt --help
          claims mint jwt --count 1000 --subject 'user-{n}' --issuer https://idp.example/ \\
            --audience urn:app --signing-key idp.key > tokens.jsonl

        The token is all of standard output, with a line end behind it. The same arguments give the \
        same bytes when --at and --id name what is otherwise taken from the clock and from chance, \
        and the algorithm is an HMAC or RSA PKCS #1 v1.5 (rsa-sha256, -384, -512): OpenSSL \
        randomises RSA-PSS and ECDSA. A token that is encrypted has other bytes every time.
        """,
      subcommands: [
        MintSWTCommand.self, MintSAML11Command.self, MintSAML20Command.self,
        MintJWTCommand.self, MintMetadataCommand.self,
      ])

    /// Writes the token of a draft, or as many as `--count` says, each on a line of JSON.
    ///
    /// - Throws: exit status 2 for an error of `issue`, and for an identifier of several tokens.
    static func print(
      _ options: DraftOptions, id: String? = nil, notBefore: Instant? = nil,
      _ issue: (TokenDraft) throws(TokenError) -> [UInt8]
    ) throws(CommandFailure) {
      guard let count = options.count else {
        let draft = try options.draft(id: id, notBefore: notBefore)
        return try print { () throws(TokenError) in try issue(draft) }
      }
      guard id == nil else {
        throw CommandFailure(
          .usage, "--count and --id exclude each other: each token has an identifier of its own",
          hint: "see --help")
      }
      var lines = JSONWriter()
      for number in 1...count {
        let draft = try options.draft(notBefore: notBefore, number: number)
        let octets: [UInt8]
        do throws(TokenError) { octets = try issue(draft) } catch {
          throw CommandFailure(usage: error)
        }
        lines.object { json in
          json.name("id")
          json.integer(number)
          json.member("token", String(decoding: octets, as: UTF8.self))
        }
        lines.endLine()
        guard lines.bytes.count > 1 << 16 || number == count else { continue }
        try Results.write(lines.bytes)
        lines = JSONWriter()
      }
    }

    /// Writes the token of `issue`; an error of it is wrong usage.
    static func print(_ issue: () throws(TokenError) -> [UInt8]) throws(CommandFailure) {
      let octets: [UInt8]
      do throws(TokenError) {
        octets = try issue()
      } catch {
        throw CommandFailure(usage: error)
      }
      try Results.write(octets + [ASCII.lineFeed])
    }
  }
#endif
