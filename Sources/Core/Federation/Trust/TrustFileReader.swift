import Octets
import TokenBasics

/// Reads the members of a trust file one by one and records errors with their place.
struct TrustFileReader<Files: FileSource> {
  private let bytes: [UInt8]
  private let lines: LineIndex
  let files: Files
  var errors: [TokenError] = []
  var warnings: [String] = []
  private(set) var passedOver: [TokenError] = []
  /// The formats of the entries with keys so far, by the issuer's name in UTF-8.
  private var pinnedFormats: [[UInt8]: Set<TokenFormat>] = [:]
  /// The name of the issuer by each `id` so far, both in UTF-8.
  private var identified: [[UInt8]: [UInt8]] = [:]
  /// The issuers that are fetched or asked.
  var remoteIssuers: [RemoteIssuer] = []
  /// The issuers of the metadata files so far.
  var describedIssuers: Set<[UInt8]> = []

  init(_ bytes: [UInt8], files: Files) {
    self.bytes = bytes
    lines = LineIndex(bytes)
    self.files = files
  }

  mutating func read() -> Trust? {
    let json: JSONValue
    do {
      json = try JSONParser.parse(bytes)
    } catch {
      let code: TokenError.Code =
        error.code == .duplicateJSONName ? .trustFileKey : .trustFileSyntax
      errors.append(notTrustFile(code, error))
      return nil
    }
    checkMembers(
      json,
      allowed: [
        "skew", "audiences", "issuers", "limits", "certificateDates", "decryptionKeys",
        "encryptionAlgorithms", MemberReader.schema,
      ], "the file")
    if let schema = json[MemberReader.schema], schema.string?.isEmpty ?? true {
      errors.append(valueError(schema, "a string that is not empty"))
    }
    var trust = Trust(issuers: [], audiences: .oneOf([]))
    readRules(json, &trust)
    if let issuers = json["issuers"] {
      guard let list = issuers.array else {
        errors.append(valueError(issuers, "an array"))
        return trust
      }
      readIssuers(list, certificateDates(json["certificateDates"]) ?? .warn, &trust)
    }
    trust.passedOver = passedOver
    trust.remoteIssuers = remoteIssuers
    if trust.issuers.isEmpty, remoteIssuers.isEmpty, errors.isEmpty {
      warnings.append("no issuer is trusted: every token is refused")
    }
    return trust
  }

  /// What holds for every issuer.
  private mutating func readRules(_ json: JSONValue, _ trust: inout Trust) {
    let audiences = strings(json["audiences"])
    trust.audiences = .oneOf(audiences)
    if audiences.isEmpty {
      warnings.append(
        "no audience is named: every token is refused unless the accepted audiences are given otherwise"
      )
    }
    if let skew = json["skew"] {
      do throws(TokenError) {
        guard let seconds = skew.integer else { throw valueError(skew, "a whole number") }
        try trust.setSkew(seconds)
      } catch {
        errors.append(located(error, skew))
      }
    }
    if let limits = json["limits"] { trust.limits = readLimits(limits) }
    if let keys = json["decryptionKeys"] { trust.decryptionKeys = readDecryptionKeys(keys) }
    if let names = json["encryptionAlgorithms"] {
      trust.encryptionAlgorithms = readEncryptionAlgorithms(names)
    }
  }

  // MARK: Issuers

  private mutating func readIssuers(
    _ list: [JSONValue], _ dates: TrustedKey.CertificateDates, _ trust: inout Trust
  ) {
    for issuer in list {
      var entries = readIssuer(issuer, dates)
      checkNames(of: entries, issuer)
      identify(&entries, issuer["id"])
      trust.issuers += entries
    }
    for name in trust.namesPinnedAgainstMetadata {
      warnings.append(
        "metadata describes \(TokenError.excerpt(name)), which an entry with keys pins: what "
          + "metadata says about it is not used")
    }
  }

  private mutating func readIssuer(
    _ json: JSONValue, _ dates: TrustedKey.CertificateDates
  ) -> [TrustedIssuer] {
    if let metadata = json["metadata"] { return readMetadata(json, metadata, dates) }
    if RemoteIssuer.members.contains(where: { json[$0] != nil }) {
      readRemote(json)
      return []
    }
    checkMembers(
      json,
      allowed: [
        "id", "name", "keys", "formats", "algorithms", "claimsPrefix", "stripPrefix",
        "certificateDates", "type", "idTokens", "signInAssertions", "claims",
      ], "an issuer")
    guard let name = json["name"]?.string, !name.isEmpty else {
      errors.append(valueError(json["name"] ?? json, "a name"))
      return []
    }
    if let warning = IssuerTemplate.warning(about: name) { warnings.append(warning) }
    let (algorithms, exceptions) = readAlgorithms(json["algorithms"])
    let ownDates = certificateDates(json["certificateDates"]) ?? dates
    let formats = json["formats"].map { readFormats($0) }
    let projection = projection(json)
    guard let keys = json["keys"]?.array, !keys.isEmpty else {
      errors.append(valueError(json["keys"] ?? json, "at least one key"))
      return []
    }
    let trusted = keys.flatMap { key in
      readKeys(key, algorithms, exceptions, ownDates).map { read, usual in
        (read, formats ?? usual)
      }
    }
    let rules = readAccessTokenRules(json)
    return TrustedIssuer.entries(.exactly(name), keys: trusted, projection: projection).map {
      var entry = $0
      entry.accessTokens = rules
      return entry
    }
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
      errors.append(valueError(json, "a key as a string, or a public JWK"))
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
      errors.append(unusableFile(error, json, expected: "a readable key"))
      return []
    }
  }

  /// The key of a public JWK that stands in the file itself, as `claims trust fetch` writes them.
  private mutating func written(_ json: JSONValue) -> [TrustedKey] {
    do throws(TokenError) {
      let octets = bytes[json.range.clamped(to: bytes.indices)]
      let set = try JSONWebKeySet(parsing: Array(octets))
      warnings += set.warnings.map { "\(place(json)), \($0)" }
      return set.keys
    } catch {
      errors.append(located(error, json))
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
      errors.append(
        valueError(json, "1 to 64 letters, digits, '-', '.', '_' and '~', and not the word any"))
      return nil
    }
    guard let name = names.first else { return nil }
    guard names.count == 1, identified[Array(id.utf8)].map({ $0 == name }) ?? true else {
      errors.append(valueError(json, "an id of one issuer"))
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
      errors.append(
        TokenError(
          .ambiguousIssuer, node: place(json),
          expected: "one entry for \(both.joined(separator: ", "))",
          found: TokenError.excerpt(name)))
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

  /// The error for a file that `json` names. Its hint is that of the cause, unless the file is not
  /// there.
  func unusableFile(_ error: TokenError, _ json: JSONValue, expected: String) -> TokenError {
    let isThere =
      error.code.family != "registry"
      && ![.unreadableFile, .trustFileReference].contains(error.code)
    return TokenError(
      .trustFileReference, node: place(json), expected: error.expected ?? expected,
      found: ["\(error.code): \(error.message)", error.node, error.found].compactMap { $0 }.joined(
        separator: ", "),
      hint: isThere ? error.hint : error.ownHint)
  }

  /// The error for content that is no JSON object, with what it is where that is known.
  private func notTrustFile(_ code: TokenError.Code, _ error: TokenError) -> TokenError {
    guard let kind = ContentKind(bytes), kind != .json else {
      return TokenError(code, node: error.node, expected: error.expected, found: error.found)
    }
    let hint: String? =
      switch kind {
      case .pem:
        "a key or certificate belongs to the trusted keys, or to those of an issuer in a trust file"
      case .xml:
        "metadata belongs to the trusted metadata, or as {\"metadata\": PATH} to the issuers of a trust file"
      case .html: TokenError.Code.htmlPage.hint
      case .utf16: TokenError.Code.utf16Input.hint
      case .gzip, .zlib, .zip: TokenError.Code.compressedInput.hint
      case .json, .compactJWS: nil
      }
    return TokenError(code, node: error.node, expected: "JSON", found: kind.name, hint: hint)
  }

  /// A prefix is stripped only where it is the only one.
  mutating func projection(_ json: JSONValue) -> ClaimProjection {
    let prefixes = strings(json["claimsPrefix"])
    guard flag(json["stripPrefix"]), let first = prefixes.first else {
      return ClaimProjection(prefixes: prefixes)
    }
    if prefixes.count > 1, let place = json["claimsPrefix"] {
      errors.append(
        TokenError(
          .trustFileValue, node: self.place(place),
          expected: "one prefix beside stripPrefix, since two types without theirs could be one",
          found: "\(prefixes.count) prefixes"))
    }
    return .stripping(first)
  }

  mutating func readFormats(_ json: JSONValue) -> Set<TokenFormat> {
    guard let list = json.array, !list.isEmpty else {
      errors.append(valueError(json, "a list of formats"))
      return []
    }
    return Set(
      list.compactMap { (item) -> TokenFormat? in
        guard let name = item.string, let format = TokenFormat(name) else {
          errors.append(valueError(item, "swt, saml11, saml20, jwt or sdjwt"))
          return nil
        }
        return format
      })
  }

  /// Names of signature algorithms are the only ones allowed; names of exceptions are allowed in
  /// addition.
  mutating func readAlgorithms(
    _ json: JSONValue?
  ) -> ([SignatureAlgorithm]?, Set<LegacyException>) {
    guard let json else { return (nil, []) }
    guard let list = json.array, !list.isEmpty else {
      errors.append(valueError(json, "a list of algorithms"))
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
        errors.append(
          TokenError(
            .unknownAlgorithmName, node: place(item), expected: SignatureAlgorithm.namesExpected,
            found: TokenError.excerpt(name)))
      }
    }
    return (algorithms.isEmpty ? nil : algorithms, exceptions)
  }

  // MARK: Members

  mutating func checkMembers(_ json: JSONValue, allowed: [String], _ what: String) {
    guard let members = json.members else {
      errors.append(valueError(json, "an object for \(what)"))
      return
    }
    for (name, value) in members where !allowed.contains(name) {
      errors.append(
        TokenError(
          .trustFileKey, node: place(value), expected: allowed.joined(separator: ", "),
          found: TokenError.excerpt(name)))
    }
  }

  private mutating func strings(_ json: JSONValue?) -> [String] {
    guard let json else { return [] }
    guard let list = json.array else {
      errors.append(valueError(json, "a list of strings"))
      return []
    }
    return list.compactMap { item in
      guard let text = item.string, !text.isEmpty else {
        errors.append(valueError(item, "a string that is not empty"))
        return nil
      }
      return text
    }
  }

  mutating func flag(_ json: JSONValue?) -> Bool {
    guard let json else { return false }
    if json.bool == nil { errors.append(valueError(json, "true or false")) }
    return json.bool ?? false
  }

  mutating func certificateDates(_ json: JSONValue?) -> TrustedKey.CertificateDates? {
    guard let json else { return nil }
    guard let text = json.string, let dates = TrustedKey.CertificateDates(rawValue: text) else {
      errors.append(valueError(json, "warn or enforce"))
      return nil
    }
    return dates
  }

  func valueError(_ json: JSONValue, _ expected: String) -> TokenError {
    TokenError(.trustFileValue, node: place(json), expected: expected, found: json.kindName)
  }

  private func located(_ error: TokenError, _ json: JSONValue) -> TokenError {
    var error = error
    error.node = place(json)
    return error
  }

  func place(_ json: JSONValue) -> String {
    lines.place(of: json.range.lowerBound)
  }
}
