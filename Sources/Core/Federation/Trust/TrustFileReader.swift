import Octets
import Settings
import TokenBasics

/// Reads the members of a trust file one by one and records errors with their place.
struct TrustFileReader<Files: FileSource> {
  private let bytes: [UInt8]
  let file: SettingsFile
  let files: Files
  var warnings: [String] = []
  var passedOver: [TokenError] = []
  /// The formats of the entries with keys so far, by the issuer's name in UTF-8.
  private var pinnedFormats: [[UInt8]: Set<TokenFormat>] = [:]
  /// The name of the issuer by each `id` so far, both in UTF-8.
  private var identified: [[UInt8]: [UInt8]] = [:]
  /// The issuers that are fetched or asked.
  var remoteIssuers: [RemoteIssuer] = []
  /// The issuers of the metadata files so far.
  var describedIssuers: Set<[UInt8]> = []

  init(_ bytes: [UInt8], _ file: SettingsFile, files: Files) {
    self.bytes = bytes
    self.file = file
    self.files = files
  }

  mutating func read() -> Trust {
    let root = file.root()
    var trust = Trust(issuers: [], audiences: .oneOf([]))
    readRules(root, &trust)
    let dates = certificateDates(
      root, "for every issuer: what to do about an expired certificate", without: "`warn`")
    let issuers = root.objects(
      "issuers", "issuers we trust",
      kinds: [
        SettingsKind("described", marks: ["metadata"]),
        SettingsKind("remote", marks: RemoteIssuer.members), SettingsKind("keyed"),
      ], without: "none")
    readIssuers(issuers, dates ?? .warn, &trust)
    trust.passedOver = passedOver
    trust.remoteIssuers = remoteIssuers
    if root["issuers"]?.array != nil || root["issuers"] == nil, trust.issuers.isEmpty,
      remoteIssuers.isEmpty, file.isClean
    {
      warnings.append("no issuer is trusted: every token is refused")
    }
    return trust
  }

  /// What holds for every issuer.
  private mutating func readRules(_ root: SettingsObject, _ trust: inout Trust) {
    let skew = root.value(
      "skew", "seconds that clocks may differ", .whole(Trust.skewRange),
      without: "\(trust.skew)")
    if let skew {
      do throws(TokenError) {
        if let seconds = skew.integer {
          try trust.setSkew(seconds)
        } else {
          file.refuse(skew, "a whole number")
        }
      } catch {
        file.report(error, at: skew)
      }
    }
    let audiences = root.texts(
      "audiences", "our names; a token must name one, byte for byte",
      without: "none: every token is refused")
    trust.audiences = .oneOf(audiences)
    if audiences.isEmpty {
      warnings.append(
        "no audience is named: every token is refused unless the accepted audiences are given otherwise"
      )
    }
    if let limits = root.object(
      "limits", "how much work a token may cause, see below", without: "see below")
    {
      trust.limits = readLimits(limits)
    }
    if let keys = readDecryptionKeys(root) { trust.decryptionKeys = keys }
    if let names = readEncryptionAlgorithms(root) { trust.encryptionAlgorithms = names }
  }

  // MARK: Issuers

  private mutating func readIssuers(
    _ list: [SettingsObject], _ dates: TrustedKey.CertificateDates, _ trust: inout Trust
  ) {
    for issuer in list {
      var entries: [TrustedIssuer] =
        switch issuer.kind {
        case "described": readMetadata(issuer, dates)
        case "remote": readRemote(issuer)
        default: readKeyed(issuer, dates)
        }
      guard let json = issuer.json else { continue }
      checkNames(of: entries, json)
      if issuer.kind != "remote" { identify(&entries, json["id"]) }
      trust.issuers += entries
    }
    for name in trust.namesPinnedAgainstMetadata {
      warnings.append(
        "metadata describes \(TokenError.excerpt(name)), which an entry with keys pins: what "
          + "metadata says about it is not used")
    }
  }

  /// Reads an issuer whose keys are in files, or in the file itself.
  private mutating func readKeyed(
    _ issuer: SettingsObject, _ dates: TrustedKey.CertificateDates
  ) -> [TrustedIssuer] {
    let name = issuerName(issuer)
    declareIdentifier(issuer)
    let keys = issuer.value(
      "keys",
      "a PEM or DER file (certificate or public key), `hmac:BASE64`, `hmac-file:PATH` (base64 text or raw bytes), "
        + "`jwks:PATH` (a JWK set), or a public JWK itself, as `claims trust fetch` writes them; several for a rollover",
      .list(
        .either([
          .anyText,
          .schema(
            #"{"type": "object", "required": ["kty"], "description": "A public JWK."}"#),
        ]), least: 1), required: true)
    let formats = readFormats(
      issuer,
      without: "`swt` for a secret, `jwt` for a JWK or a set of them, SAML and JWT for a public key"
    )
    let (algorithms, exceptions) = readAlgorithms(issuer)
    let projection = projection(issuer)
    let ownDates = certificateDates(issuer, "as above, for this issuer") ?? dates
    let rules = readAccessTokenRules(issuer)
    if let keys, keys.array?.isEmpty ?? true { file.refuseSecret(keys, "at least one key") }
    guard let name, let list = keys?.array else { return [] }
    let trusted = list.flatMap { key in
      let read = readKeys(key, algorithms, exceptions, ownDates).map { read, usual in
        (read, formats ?? usual)
      }
      noteUseless(read, at: key)
      return read
    }
    return TrustedIssuer.entries(.exactly(name), keys: trusted, projection: projection).map {
      var entry = $0
      entry.accessTokens = rules
      return entry
    }
  }

  /// The name of an issuer.
  mutating func issuerName(_ issuer: SettingsObject) -> String? {
    let name = issuer.text(
      "name", "the issuer as its tokens name it, byte for byte", required: true)
    if let name, let warning = IssuerTemplate.warning(about: name) { warnings.append(warning) }
    return name
  }

  /// Declares the identifier, which is read once the names of the issuer are known.
  func declareIdentifier(_ issuer: SettingsObject) {
    _ = issuer.value(
      "id",
      "how a service's own configuration names the issuer, such as the rules of [claims-gate](gate.md); one issuer has "
        + "it, and it changes no verdict. An entry of metadata may have it where that describes one issuer",
      .text(pattern: "^(?!any$)[A-Za-z0-9._~-]{1,64}$"), without: "none")
  }

  /// The keys of one text of `keys`, or of one JWK there, each with its usual formats.
  private mutating func readKeys(
    _ json: JSONValue, _ algorithms: [SignatureAlgorithm]?, _ exceptions: Set<LegacyException>,
    _ dates: TrustedKey.CertificateDates
  ) -> [(TrustedKey, Set<TokenFormat>)] {
    func limited(_ read: TrustedKey) -> TrustedKey {
      var trusted = read
      trusted.algorithms = intersection(read.algorithms, algorithms)
      trusted.exceptions = exceptions
      trusted.certificateDates = dates
      return trusted
    }
    if json.members != nil { return written(json).map { (limited($0), [.jwt]) } }
    guard let specification = json.string else {
      file.refuseSecret(json, "a key as a string, or a public JWK")
      return []
    }
    do throws(TokenError) {
      let content = try KeySpecification.read(
        specification, allowing: exceptions, files: files)
      passedOver += content.passedOver
      warnings += content.warnings
      return content.keys.map { read in
        (limited(read), KeySpecification.defaultFormats(of: specification, key: read.key))
      }
    } catch {
      reportUnusable(error, json, expected: "a readable key")
      return []
    }
  }

  /// The key of a public JWK that stands in the file itself, as `claims trust fetch` writes them.
  private mutating func written(_ json: JSONValue) -> [TrustedKey] {
    do throws(TokenError) {
      let octets = bytes[json.range.clamped(to: bytes.indices)]
      let set = try JSONWebKeySet(parsing: Array(octets))
      warnings += set.warnings.map { "\(file.place(json)), \($0)" }
      return set.keys
    } catch {
      file.report(error, at: json)
      return []
    }
  }

  /// Gives the entries of one issuer its identifier, which no other issuer has.
  private mutating func identify(_ entries: inout [TrustedIssuer], _ json: JSONValue?) {
    guard let json, !entries.isEmpty else { return }
    let names = Set(
      entries.compactMap { (entry) -> [UInt8]? in
        if case .exactly(let name) = entry.name { Array(name.utf8) } else { nil }
      })
    guard let id = identifier(json, of: names) else { return }
    for place in entries.indices { entries[place].id = id }
  }

  /// An identifier that no other issuer has; nil for one that is refused.
  mutating func identifier(_ json: JSONValue, of names: Set<[UInt8]>) -> String? {
    guard let id = json.string, (1...64).contains(id.utf8.count), id != "any",
      id.utf8.allSatisfy({
        ASCII.isLetter($0) || ASCII.isDigit($0) || "-._~".utf8.contains($0)
      })
    else {
      file.refuse(json, "1 to 64 letters, digits, '-', '.', '_' and '~', and not the word any")
      return nil
    }
    guard let name = names.first else { return nil }
    guard names.count == 1, identified[Array(id.utf8)].map({ $0 == name }) ?? true else {
      file.refuse(json, "an id of one issuer")
      return nil
    }
    identified[Array(id.utf8)] = name
    return id
  }

  /// One issuer has one source of keys: a name may occur again only with other formats.
  private mutating func checkNames(of entries: [TrustedIssuer], _ json: JSONValue) {
    for entry in entries where entry.source == .configuration {
      guard case .exactly(let name) = entry.name else { continue }
      claim(name, entry.formats, json)
    }
  }

  /// Notes the formats for which an issuer is named, each of which is named once.
  mutating func claim(_ name: String, _ formats: Set<TokenFormat>, _ json: JSONValue) {
    let earlier = pinnedFormats[Array(name.utf8), default: []]
    let both = earlier.intersection(formats).map(\.name).sorted()
    if !both.isEmpty {
      file.report(
        TokenError(
          .ambiguousIssuer, expected: "one entry for \(both.joined(separator: ", "))",
          found: TokenError.excerpt(name)), at: json)
    }
    pinnedFormats[Array(name.utf8)] = earlier.union(formats)
  }

  /// The algorithms that both the key and the file allow, where they restrict them.
  private func intersection(
    _ own: [SignatureAlgorithm]?, _ listed: [SignatureAlgorithm]?
  ) -> [SignatureAlgorithm]? {
    guard let own, let listed else { return own ?? listed }
    return own.filter(listed.contains)
  }

  /// Reports a file that `json` names. The hint is that of the cause, unless the file is missing.
  func reportUnusable(_ error: TokenError, _ json: JSONValue, expected: String) {
    let isThere =
      error.code.family != "registry"
      && ![.unreadableFile, .trustFileReference].contains(error.code)
    file.report(
      TokenError(
        .trustFileReference, expected: error.expected ?? expected,
        found: ["\(error.code): \(error.message)", error.node, error.found].compactMap { $0 }
          .joined(separator: ", "),
        hint: isThere ? error.hint : error.ownHint), at: json)
  }

  /// A prefix is stripped only where it is the only one.
  mutating func projection(_ issuer: SettingsObject) -> ClaimProjection {
    let prefixes = issuer.texts(
      "claimsPrefix",
      "which claims of this issuer are shown: those whose type begins with one of these",
      without: "all")
    let strips = issuer.flag(
      "stripPrefix",
      "cut the prefix off. That takes exactly one prefix, since `urn:a/role` and `urn:b/role` would both be `role`. A "
        + "service still sees Entra's marks of groups that it left out")
    guard strips, let first = prefixes.first else { return ClaimProjection(prefixes: prefixes) }
    if prefixes.count > 1, let place = issuer["claimsPrefix"] {
      file.refuse(
        place, "one prefix beside stripPrefix, since two types without theirs could be one",
        showing: "\(prefixes.count) prefixes")
    }
    return .stripping(first)
  }

  mutating func readFormats(_ issuer: SettingsObject, without: String) -> Set<TokenFormat>? {
    let value = issuer.value(
      "formats",
      "what the keys vouch for: `swt`, `saml11`, `saml20`, `jwt`, `sdjwt` (SD-JWT, for which a key vouches only where "
        + "this names it)",
      .list(.words(["swt", "saml11", "saml20", "jwt", "sdjwt"]), least: 1), without: without)
    guard let value else { return nil }
    guard let list = value.array, !list.isEmpty else {
      file.refuse(value, "a list of formats")
      return []
    }
    return Set(
      list.compactMap { (item) -> TokenFormat? in
        guard let name = item.string, let format = TokenFormat(name) else {
          file.refuse(item, "swt, saml11, saml20, jwt or sdjwt")
          return nil
        }
        return format
      })
  }

  /// Names of signature algorithms are the only ones allowed; names of exceptions are allowed in
  /// addition.
  mutating func readAlgorithms(
    _ issuer: SettingsObject, also: String = ""
  ) -> ([SignatureAlgorithm]?, Set<LegacyException>) {
    let value = issuer.value(
      "algorithms",
      "the only signature algorithms allowed, and legacy exceptions by name\(also)",
      .list(.text(), least: 1), without: "all of the key's type that are not legacy")
    guard let value else { return (nil, []) }
    guard let list = value.array, !list.isEmpty else {
      file.refuse(value, "a list of algorithms")
      return (nil, [])
    }
    var algorithms: [SignatureAlgorithm] = []
    var exceptions: Set<LegacyException> = []
    for item in list {
      let name = item.string ?? ""
      let algorithm = SignatureAlgorithm(named: name)
      let exception = LegacyException(name)
      if let algorithm { algorithms.append(algorithm) }
      if let exception { exceptions.insert(exception) }
      if algorithm == nil, exception == nil {
        file.report(
          TokenError(
            .unknownAlgorithmName, expected: SignatureAlgorithm.namesExpected,
            found: TokenError.excerpt(name)), at: item)
      }
    }
    return (algorithms.isEmpty ? nil : algorithms, exceptions)
  }

  // MARK: Members

  mutating func certificateDates(
    _ object: SettingsObject, _ words: String, without: String? = nil
  ) -> TrustedKey.CertificateDates? {
    let value = object.value(
      "certificateDates", "`warn` or `enforce`, \(words)", .words(["warn", "enforce"]),
      without: without)
    guard let value else { return nil }
    guard let text = value.string, let dates = TrustedKey.CertificateDates(rawValue: text) else {
      file.refuse(value, "warn or enforce")
      return nil
    }
    return dates
  }
}
