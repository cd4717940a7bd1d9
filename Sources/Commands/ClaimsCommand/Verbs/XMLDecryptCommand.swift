#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import Octets
  import XMLSecurity
  import XMLTree

  struct XMLDecryptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "decrypt",
      abstract: "Prints the plaintext of an EncryptedData or EncryptedAssertion.",
      discussion: """
        The plaintext is what anybody may have encrypted: decryption proves nothing of its origin. \
        It must be the element or the content that Type says. Where Type says nothing and RSA 1.5 and \
        CBC were used, under which a wrong key gives other octets instead of an error, it must be text \
        or XML.
        """)

    @Option(
      name: .customLong("key"),
      help: "A private key (PEM or DER file), or a shared key as aes:BASE64. Repeatable.")
    var keys: [String]

    @Option(
      name: .customLong("allow-algorithm"),
      help: "Let one legacy algorithm in, by name or URI. Repeatable.")
    var allowed: [String] = []

    @Argument(help: "The document, with one encrypted element; - for standard input.")
    var file: String

    func run() throws {
      var decryptor = try decryptor()
      let octets = try InputFile.read(file, upTo: Limits().bytes)
      let plaintext: [UInt8]
      do throws(TokenError) {
        let document = try Document(parsing: UTF16Input.asUTF8(octets))
        _ = try IdentifierIndex(document, .named([]))
        let data = try encryptedData(in: document.root)
        let decrypted = try decryptor.decrypt(data)
        guard PlaintextTypeCheck.fits(decrypted, data, Limits()) else {
          throw Decryptor.failure(data)
        }
        plaintext = decrypted.octets
      } catch {
        throw CommandFailure(.rejected, error.description, hint: error.hint)
      }
      try Results.write(plaintext)
    }

    private func encryptedData(in root: Element) throws(TokenError) -> EncryptedData {
      let found = root.descendants(named: XEName.encryptedData)
      guard found.count == 1, let data = found.first else {
        throw TokenError(
          .encryptionStructure, node: root.path, expected: "one EncryptedData",
          found: "\(found.count)")
      }
      // Any element may be around it; its siblings may be its keys.
      let beside = try data.parent?.children().filter { $0.isNamed(XEName.encryptedKey) } ?? []
      return try EncryptedData(reading: data, beside: beside, holding: .anything, Limits())
    }

    private func decryptor() throws(CommandFailure) -> Decryptor {
      do throws(TokenError) {
        var privateKeys: [PrivateKey] = []
        var secrets: [[UInt8]] = []
        for specification in keys {
          if specification.hasPrefix("aes:") {
            secrets.append(try Base64.decode(Array(specification.utf8.dropFirst(4))))
          } else {
            let bytes = try ConfigurationFiles().read(specification)
            do {
              privateKeys.append(try PrivateKey(pemOrDER: bytes))
            } catch {
              throw error.located(at: specification)
            }
          }
        }
        return Decryptor(
          keys: privateKeys, secrets: secrets, exceptions: try Arguments.exceptions(allowed),
          limits: Limits())
      } catch {
        throw CommandFailure(usage: error)
      }
    }
  }
#endif
