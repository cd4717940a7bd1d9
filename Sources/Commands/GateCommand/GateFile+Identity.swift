#if Server
  import CommandServer
  import CommandSupport
  import GateService
  import LocalFiles
  import SecurityKeys

  extension GateFile {
    /// What signs identities for the application; nil where the file has nothing of it.
    ///
    /// - Parameters:
    ///   - own: The keys of SAML, none of which may serve here.
    ///   - providers: Those to which keys of ours prove who we are.
    /// - Throws: `gate.file-value`, `gate.key-twice`, `key.*`.
    func identityToken(
      _ settings: SiteSettings, apart own: SAMLKeys, _ providers: [SignInProvider]
    ) throws(TokenError) -> IdentityToken? {
      guard let token = configuration.identityToken else { return nil }
      var others = (own.signing.map(\.publicKey) + own.decryption.map(\.publicKey)).map {
        (purpose: "SAML", key: $0)
      }
      for case let method as OpenIDMethod in providers.map(\.method) {
        var keys = method.party.configuration.announcedKeys
        if case .privateKey(let key, _) = method.party.configuration.authentication {
          keys.append(key)
        }
        others += keys.map { ("clientKey", $0.publicKey) }
        others += method.party.configuration.decryptionKeys.compactMap(\.privateKey).map {
          ("decryptKeys", $0.publicKey)
        }
      }
      var keys: [SigningKey] = []
      for name in token.keyFiles {
        let key = try SigningKey(privateKey("identityToken.keys", name))
        if let other = others.first(where: { $0.key.isSameKey(as: key.publicKey) }) {
          throw TokenError(
            .gateKeyTwice, node: "identityToken.keys, \(located(name))",
            expected: "a key of its own", found: "the key of \(other.purpose)")
        }
        keys.append(key)
      }
      return try IdentityToken(
        header: token.header, keys: keys, settings: settings, audience: configuration.origin,
        lifetime: token.lifetime, members: token.members)
    }
  }
#endif
