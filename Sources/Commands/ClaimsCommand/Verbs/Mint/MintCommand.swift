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

        The token is all of standard output, with a line end behind it. The same arguments give the \
        same bytes when --at and --id name what is otherwise taken from the clock and from chance, \
        and the algorithm is an HMAC or RSA PKCS #1 v1.5 (rsa-sha256, -384, -512): OpenSSL \
        randomises RSA-PSS and ECDSA. A token that is encrypted has other bytes every time.
        """,
      subcommands: [
        MintSWTCommand.self, MintSAML11Command.self, MintSAML20Command.self,
        MintJWTCommand.self, MintMetadataCommand.self,
      ])

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
