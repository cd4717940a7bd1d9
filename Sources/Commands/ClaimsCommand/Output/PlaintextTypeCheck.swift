#if CommandLine
  import Federation
  import Octets
  import XMLSecurity
  import XMLTree

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
