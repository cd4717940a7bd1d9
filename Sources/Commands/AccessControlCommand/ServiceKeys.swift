#if Server
  import AccessControl
  import CommandServer
  import LocalFiles
  import Octets
  import SecurityKeys
  import TokenBasics

  /// The keys of a service: the current pair, the next and the one before, a symmetric key, and the key of cookies and
  /// codes. They are made on the first run and kept in a file that its owner alone reads.
  struct ServiceKeys {
    private(set) var current: KeptKeyPair
    private(set) var next: KeptKeyPair
    /// The certificate of the pair before; tokens that it signed are still about.
    private(set) var previous: Certificate?
    /// The key of that certificate: providers may encrypt to it until they read our metadata anew. Nil in a file of an earlier
    /// release until the next rollover.
    private var previousKey: PrivateKey?
    private let symmetric: [UInt8]
    let sealing: [UInt8]
    /// Makes the identifiers of subjects. It is their identity and is never rolled over.
    private let identifiers: [UInt8]
    /// The keys of other algorithms of JSON Web Tokens than RS256, which relying parties ask for.
    private(set) var web: [KeptWebKeys] = []
    /// The password of the admin pages.
    let password: String

    /// New keys.
    ///
    /// - Parameter algorithms: Those of JSON Web Tokens that need keys of their own.
    init(
      name: String, algorithms: [SignatureAlgorithm] = [], at now: Instant
    ) throws(TokenError) {
      current = try KeptKeyPair(name: name, at: now)
      next = try KeptKeyPair(name: name, at: now)
      symmetric = SystemRandom.octets(32)
      sealing = SystemRandom.octets(SealingKey.length)
      identifiers = SystemRandom.octets(32)
      password = Hex.encode(SystemRandom.octets(12))
      try add(algorithms)
    }

    /// Makes the keys of algorithms that have none yet.
    private mutating func add(_ algorithms: [SignatureAlgorithm]) throws(TokenError) {
      for algorithm in missing(algorithms) { web.append(try KeptWebKeys(algorithm)) }
    }

    private func missing(_ algorithms: [SignatureAlgorithm]) -> [SignatureAlgorithm] {
      algorithms.filter { algorithm in !web.contains { $0.algorithm == algorithm } }
    }

    /// The keys of a file; new ones, which are written, where there is none.
    ///
    /// Of two first runs at once one makes the file, and both have its keys. Keys of algorithms that the file has none for
    /// are made and written, too.
    ///
    /// - Parameter algorithms: Those of JSON Web Tokens that need keys of their own.
    /// - Throws: `issuing.file-value` for a file that is no such file or cannot be written.
    init(
      path: String, name: String, algorithms: [SignatureAlgorithm] = [], at now: Instant
    ) throws(TokenError) {
      if let found = try Self(path: path) {
        self =
          found.missing(algorithms).isEmpty
          ? found
          : try Self.change(path: path, name: name, at: now) { keys throws(TokenError) in
            try keys.add(algorithms)
          }
        return
      }
      let made = try Self(name: name, algorithms: algorithms, at: now)
      do throws(FileFailure) {
        try AtomicFile(path: path).create(
          with: made.json, draft: ".new-" + Hex.encode(SystemRandom.octets(8)))
      } catch {
        throw error.error(.issuingFileValue, path, expected: "a file that can be written")
      }
      guard let kept = try Self(path: path) else {
        throw TokenError(.issuingFileValue, node: path, expected: "a file of keys", found: "none")
      }
      self = kept
    }

    /// The keys of a file; nil where there is none.
    ///
    /// - Throws: `issuing.file-value` for a file that is no such file.
    init?(path: String) throws(TokenError) {
      let found: [UInt8]?
      do throws(FileFailure) {
        found = try AtomicFile(path: path).read(limit: 1 << 20)
      } catch {
        throw error.error(.issuingFileValue, path, expected: "a file of keys, or none")
      }
      guard let found else { return nil }
      guard let json = try? JSONParser.parse(found), let keys = Self(json) else {
        throw TokenError(
          .issuingFileValue, node: path, expected: "a file of keys", found: "something else")
      }
      self = keys
    }

    /// Rolls the keys of a file over; two rollovers at once are one after the other.
    ///
    /// - Parameter patience: How long it waits for another.
    /// - Throws: `issuing.file-value`.
    static func roll(
      path: String, name: String, at now: Instant, patience: Duration = .seconds(10)
    ) throws(TokenError) -> Self {
      try change(path: path, name: name, at: now, patience: patience) { keys throws(TokenError) in
        try keys.roll(name: name, at: now)
      }
    }

    /// Changes the keys of a file; two changes at once are one after the other.
    private static func change(
      path: String, name: String, at now: Instant, patience: Duration = .seconds(10),
      _ change: (inout Self) throws(TokenError) -> Void
    ) throws(TokenError) -> Self {
      let lock: OpenFile?
      do throws(FileFailure) {
        lock = try AtomicFile(path: path).lock(for: patience)
      } catch {
        throw error.error(.issuingFileValue, path, expected: "a file that can be locked")
      }
      guard lock != nil else {
        throw TokenError(
          .issuingFileValue, node: path, expected: "a file that nobody writes", found: "a lock")
      }
      var keys = try Self(path: path, name: name, at: now)
      try change(&keys)
      try keys.write(to: path)
      withExtendedLifetime(lock) {}
      return keys
    }

    private init?(_ json: JSONValue) {
      guard let current = KeptKeyPair(json["current"]), let next = KeptKeyPair(json["next"]),
        let symmetric = json["symmetric"]?.string.flatMap(Self.octets),
        let sealing = json["sealing"]?.string.flatMap(Self.octets),
        let password = json["password"]?.string
      else { return nil }
      self.current = current
      self.next = next
      previous = json["previous"]?.string.flatMap(Self.octets).flatMap {
        try? Certificate(der: $0)
      }
      previousKey = json["previousKey"]?.string.flatMap(Self.octets).flatMap {
        try? PrivateKey(pemOrDER: $0)
      }
      self.symmetric = symmetric
      self.sealing = sealing
      // A file of an earlier version has none of its own.
      identifiers =
        json["identifiers"]?.string.flatMap(Self.octets)
        ?? SealingKey(sealing)?.code(for: "identifiers") ?? []
      guard identifiers.count == 32 else { return nil }
      self.password = password
      for (name, value) in json["web"]?.members ?? [] {
        guard let keys = KeptWebKeys(name, value) else { return nil }
        web.append(keys)
      }
    }

    /// The next pair signs from now on, and there is another next one. What the current one signed stays good: its
    /// certificate is still published.
    mutating func roll(name: String, at now: Instant) throws(TokenError) {
      (previous, previousKey) = (current.certificate, current.key)
      current = next
      next = try KeptKeyPair(name: name, at: now)
      for index in web.indices { web[index] = try web[index].rolled() }
    }

    /// Writes the file, readable by its owner alone.
    ///
    /// - Throws: `issuing.file-value`.
    func write(to path: String) throws(TokenError) {
      do throws(FileFailure) {
        try AtomicFile(path: path).replace(with: json)
      } catch {
        throw error.error(.issuingFileValue, path, expected: "a file that can be written")
      }
    }

    private var json: [UInt8] {
      var json = JSONWriter()
      json.object { json in
        for (name, pair) in [("current", current), ("next", next)] {
          json.name(text: name)
          pair.write(to: &json)
        }
        if let previous {
          json.name("previous")
          json.string(Base64.encode(previous.der))
        }
        json.member("previousKey", previousKey.map { Base64.encode($0.exportedDER) })
        for (name, text) in [
          ("symmetric", Base64.encode(symmetric)), ("sealing", Base64.encode(sealing)),
          ("identifiers", Base64.encode(identifiers)),
          ("password", password),
        ] {
          json.member(named: name, text)
        }
        if !web.isEmpty {
          json.name("web")
          json.object { json in web.forEach { $0.write(to: &json) } }
        }
      }
      json.endLine()
      return json.bytes
    }

    private static func octets(_ text: String) -> [UInt8]? {
      try? Base64.decode(Array(text.utf8))
    }

    /// What the namespace signs with and publishes.
    func namespaceKeys() throws(TokenError) -> NamespaceKeys {
      var signing: [WebSigningKey] = []
      for keys in web { signing.append(try keys.signingKey()) }
      return NamespaceKeys(
        signing: try SigningKey(current.key, certificate: current.certificate),
        otherCertificates: [next.certificate] + (previous.map { [$0] } ?? []),
        symmetric: try SymmetricKey(bytes: symmetric), web: signing,
        identifiers: try SymmetricKey(bytes: identifiers))
    }

    /// Our side of SAML and WS-Federation towards providers. They read our metadata seldom: the next key is announced before it
    /// signs, and what they encrypt to the key before is still opened.
    ///
    /// - Throws: `key.*`.
    func samlKeys() throws(TokenError) -> SAMLKeys {
      var signing = [
        try SigningKey(current.key, certificate: current.certificate),
        try SigningKey(next.key, certificate: next.certificate),
      ]
      var decryption = [current.key, next.key]
      if let previous, let previousKey {
        signing.append(try SigningKey(previousKey, certificate: previous))
        decryption.append(previousKey)
      }
      return SAMLKeys(
        signing: signing, decryption: decryption,
        encryptionCertificates: [current.certificate, next.certificate])
    }

    /// The symmetric key for a relying party that is to verify Simple Web Tokens.
    var symmetricKey: Secret { Secret(Base64.encode(symmetric)) }
  }
#endif
