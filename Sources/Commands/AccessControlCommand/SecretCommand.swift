#if Server
  import AccessControl
  import ArgumentParser
  import CommandSupport
  import LocalFiles

  /// `acs secret < secret.txt`
  struct SecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "secret",
      abstract: "Reads a secret on standard input and prints the digest that the file may have.",
      discussion: """
        A clientSecret, a password or a token of the file is only compared, so the file may have its scrypt digest.

        Examples:
          acs secret < secret.txt
        """)

    func run() async throws {
      let octets: [UInt8]
      do throws(FileFailure) {
        octets = try OpenFile.standardInput.readAll(limit: 4_096)
      } catch {
        throw CommandFailure(service: [
          error.error(.issuingFileValue, "standard input", expected: "a secret")
        ])
      }
      guard let secret = SecretText.of(octets), let text = HashedSecret.text(of: secret) else {
        throw CommandFailure(service: [
          TokenError(
            .issuingFileValue, node: "standard input", expected: "a secret of at most 1,024 octets",
            found: "none, or a longer one")
        ])
      }
      try Results.write(line: text)
    }
  }
#endif
