#if Server
  import AccessControl
  import SecurityKeys
  import TokenBasics

  /// The keys of one algorithm of JSON Web Tokens: the one that signs, the next, and the public half of the one before.
  struct KeptWebKeys {
    let algorithm: SignatureAlgorithm
    private let current: PrivateKey
    private let next: PrivateKey
    private let previous: PublicKey?

    /// New keys.
    ///
    /// - Throws: `key.unreadable` where OpenSSL refuses.
    init(_ algorithm: SignatureAlgorithm) throws(TokenError) {
      self.init(
        algorithm, current: try Self.key(algorithm), next: try Self.key(algorithm), previous: nil)
    }

    private init(
      _ algorithm: SignatureAlgorithm, current: PrivateKey, next: PrivateKey, previous: PublicKey?
    ) {
      self.algorithm = algorithm
      self.current = current
      self.next = next
      self.previous = previous
    }

    private static func key(_ algorithm: SignatureAlgorithm) throws(TokenError) -> PrivateKey {
      switch algorithm.family {
      case .ecdsa: try PrivateKey(generating: .ec256)
      case .ed25519: try PrivateKey(generating: .ed25519)
      default: try PrivateKey(generating: .rsa2048)
      }
    }

    /// The keys of a member of the file; nil for anything else.
    init?(_ name: String, _ json: JSONValue) {
      guard let algorithm = WebSigningKey.algorithms.first(where: { $0.nameInJOSE == name }),
        let current = Self.octets(json["current"]), let next = Self.octets(json["next"]),
        let signing = try? PrivateKey(pemOrDER: current),
        let following = try? PrivateKey(pemOrDER: next),
        [signing, following].allSatisfy({ $0.publicKey.accepts(algorithm) })
      else { return nil }
      self.init(
        algorithm, current: signing, next: following,
        previous: Self.octets(json["previous"]).flatMap { try? PublicKey(der: $0) })
    }

    private static func octets(_ json: JSONValue?) -> [UInt8]? {
      json?.string.flatMap { try? Base64.decode(Array($0.utf8)) }
    }

    /// The next key signs, and there is another next one. What the current one signed stays good.
    func rolled() throws(TokenError) -> Self {
      Self(
        algorithm, current: next, next: try Self.key(algorithm), previous: current.publicKey)
    }

    /// Writes the member.
    func write(to json: inout JSONWriter) {
      json.name(text: algorithm.nameInJOSE)
      json.object { json in
        json.member("current", Base64.encode(current.exportedDER))
        json.member("next", Base64.encode(next.exportedDER))
        json.member("previous", previous.map { Base64.encode($0.der) })
      }
    }

    /// What the namespace signs with and publishes.
    ///
    /// - Throws: `key.weak` for an RSA key in the file that this command did not make.
    func signingKey() throws(TokenError) -> WebSigningKey {
      WebSigningKey(
        try SigningKey(current, algorithm: algorithm),
        others: [next.publicKey] + (previous.map { [$0] } ?? []))
    }
  }
#endif
