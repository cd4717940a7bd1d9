#if CommandLine
  import ArgumentParser
  import CommandSupport
  import Federation
  import Octets
  import TokenBasics
  import XMLSecurity
  import XMLTree

  struct XMLDecryptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "decrypt",
      abstract: "Prints the plaintext of an EncryptedData or EncryptedAssertion.",
      discussion: """
        Examples:
          claims xml decrypt --key our.key document.xml

        The plaintext is what anybody may have encrypted: decryption proves nothing of its origin. \
        It must be the element or the content that Type says. Where Type says nothing and RSA 1.5 and \
        CBC were used, under which a wrong key gives other octets instead of an error, it must be text \
        or XML.
        """)

    @Option(
      name: .customLong("key"),
      help: ArgumentHelp(
        "A private key (PEM or DER file), or a shared key as aes:BASE64. Repeatable.",
        valueName: "SPEC"), completion: .file())
    var keys: [String]

    @OptionGroup var legacy: LegacyOptions

    @Argument(
      help: ArgumentHelp(
        "The document, with one encrypted element; - for standard input.", valueName: "FILE"),
      completion: .file())
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
          keys: privateKeys, secrets: secrets, exceptions: try legacy.exceptions(),
          limits: Limits())
      } catch {
        throw CommandFailure(usage: error)
      }
    }
  }

  /// Whether a plaintext is of the type that its `EncryptedData` declares (XML Encryption 1.1, 3.1).
  ///
  /// For a wrong key RSA 1.5 gives a random content key, with which CBC padding is valid one time in
  /// fifteen: the plaintext then is no XML.
  enum PlaintextTypeCheck {
    private enum Kind {
      case element
      case content
      case anything
    }

    static func fits(
      _ plaintext: Decryptor.Plaintext, _ data: EncryptedData, _ limits: Limits
    ) -> Bool {
      switch kind(data, plaintext) {
      case .anything: true
      case .element: isElement(plaintext.octets, in: data.element, limits)
      case .content: wrapped(plaintext.octets, in: data.element, limits) != nil
      }
    }

    private static func kind(_ data: EncryptedData, _ plaintext: Decryptor.Plaintext) -> Kind {
      if let type = data.element.attribute(ExpandedName("Type")) {
        if type.hasSameBytes(as: "http://www.w3.org/2001/04/xmlenc#Element") { return .element }
        if type.hasSameBytes(as: "http://www.w3.org/2001/04/xmlenc#Content") { return .content }
      } else if let parent = data.element.parent, isEncryptedElement(parent) {
        return .element
      }
      // A wrong key cannot be detected then, so only text and markup are accepted.
      let isDoubtful =
        !plaintext.cipher.isAuthenticated && plaintext.exceptions.contains(.rsaPKCS1Encryption)
      return isDoubtful ? .content : .anything
    }

    /// Whether the element holds encrypted content by SAML (SAML Core 2.2.4, 2.3.4, 2.7.3.2).
    private static func isEncryptedElement(_ element: Element) -> Bool {
      let names = ["EncryptedAssertion", "EncryptedAttribute", "EncryptedID", "NewEncryptedID"]
      let uris = ["assertion", "protocol"].map { "urn:oasis:names:tc:SAML:2.0:\($0)" }
      return uris.contains { uri in names.contains { element.isNamed(ExpandedName($0, in: uri)) } }
    }

    private static func isElement(
      _ octets: [UInt8], in context: Element, _ limits: Limits
    ) -> Bool {
      do throws(TokenError) {
        _ = try Document(parsing: octets, limits: limits)
        return true
      } catch {
        // It may use prefixes that only the message declares.
        guard error.code == .malformedNamespace,
          let document = wrapped(octets, in: context, limits)
        else { return false }
        return (try? document.root.children().count) == 1
      }
    }

    /// The plaintext in an element that declares what is in scope at `context`; nil for no XML.
    private static func wrapped(
      _ octets: [UInt8], in context: Element, _ limits: Limits
    ) -> Document? {
      try? Document(parsing: NamespaceScope(at: context).wrapping(octets), limits: limits)
    }
  }
#endif
