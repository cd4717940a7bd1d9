import HTTPExchange
import Octets
import SecurityKeys
import TokenBasics

/// Reads the relying parties and the service identities: who gets tokens, and what proves it.
extension ServiceFileReader {
  mutating func readParties(
    _ json: JSONValue, _ groups: [RuleGroup], _ providers: [ACSIdentityProvider]
  ) -> [RelyingParty] {
    let list = file.list(json["relyingParties"])
    if let value = json["relyingParties"] {
      if list.isEmpty { file.refuse(value, "a list of relying parties") }
    } else {
      let _: JSONValue? = file.required(json, "relyingParties")
    }
    var parties: [RelyingParty] = []
    for entry in list {
      file.members(
        entry,
        [
          "realm", "name", "format", "return", "origins", "error", "backChannelLogout", "lifetime",
          "rules",
          "providers", "key",
          "encryptTo", "encryption", "signing", "clientSecret", "identifiers",
        ] + MetadataLocation.partyMembers + Self.exchangeMembers)
      guard let realm = file.text(entry["realm"]) ?? file.required(entry, "realm") else { continue }
      if parties.contains(where: { $0.realm.hasSameBytes(as: realm) }) {
        file.refuse(entry["realm"] ?? entry, "a realm of its own")
      }
      guard let format = format(entry) else { continue }
      let party = readParty(entry, realm, format, groups, providers)
      parties.append(party)
    }
    return parties
  }

  private mutating func readParty(
    _ entry: JSONValue, _ realm: String, _ format: TokenFormat, _ groups: [RuleGroup],
    _ providers: [ACSIdentityProvider]
  ) -> RelyingParty {
    var party = RelyingParty(
      realm: realm, name: file.text(entry["name"]), format: format,
      ruleGroups: known(entry["rules"], groups.map(\.name)))
    if party.ruleGroups.isEmpty {
      file.refuse(
        entry["rules"] ?? entry, "the name of a rule group: without rules there is no token")
    }
    checkReserved(party, groups)
    for value in file.list(entry["return"]) {
      switch redirectURI(value, format) {
      case .web(let url): party.returnAddresses.append(url)
      case .app(let uri): party.appAddresses.append(uri)
      case nil: break
      }
    }
    party.origins = file.list(entry["origins"]).compactMap { origin($0) }
    party.errorAddress = entry["error"].flatMap { address($0) }
    party.backChannelLogout = entry["backChannelLogout"].flatMap { address($0) }
    party.lifetime = file.seconds(
      entry["lifetime"], TokenDraft.defaultLifetime, 1...RelyingParty.longestLifetime)
    if entry["providers"] != nil {
      party.providers = known(entry["providers"], providers.map(\.id))
      if party.providers?.isEmpty == true {
        file.refuse(entry["providers"] ?? entry, "a provider, or no member for all of them")
      }
    }
    if let value = entry["identifiers"], let text = file.text(value) {
      party.hasPublicIdentifiers = text == "public"
      party.demandsPairwiseIdentifiers = text == "pairwise"
      if !["pairwise", "public"].contains(text) { file.refuse(value, "pairwise or public") }
    }
    party.key = entry["key"].flatMap { key($0, .partyKey(realm)) }
    party.requiresEncryption = readRecipient(entry, realm, format)
    party.signing = readSigning(entry)
    readEncryption(entry, realm, format)
    party.clientSecret = secret(entry["clientSecret"], .clientSecret(realm))
    party.exchange = readExchange(entry)
    party.listedProtocols = readProtocols(entry)
    party.signsResponses = file.flag(entry["signResponse"])
    if let value = entry["signResponse"], entry["metadata"] == nil {
      file.refuse(value, "metadata of a SAML 2.0 service provider beside it")
    }
    party.clientNames = readClientNames(entry)
    readMetadata(entry, realm, format)
    return party
  }

  /// Whether the tokens of a relying party are encrypted.
  private mutating func readRecipient(
    _ entry: JSONValue, _ realm: String, _ format: TokenFormat
  ) -> Bool {
    guard let name = file.text(entry["encryptTo"]) else { return false }
    recipientFileByRealm[realm] = name
    if format == .swt {
      file.refuse(
        entry["encryptTo"] ?? entry, "a SAML format or JWT beside it, which can be encrypted")
    }
    return true
  }

  /// How JSON Web Tokens for a relying party are encrypted; nil for AES-256-GCM.
  private mutating func readEncryption(
    _ entry: JSONValue, _ realm: String, _ format: TokenFormat
  ) {
    guard let value = entry["encryption"], let name = file.text(value) else { return }
    guard entry["encryptTo"] != nil, format == .jwt else {
      file.refuse(value, "encryptTo and the format JWT beside it")
      return
    }
    guard let known = ContentEncryption(rawValue: name) else {
      file.refuse(value, ContentEncryption.allCases.map(\.name).joined(separator: ", "))
      return
    }
    encryptionByRealm[realm] = known
  }

  /// The algorithm of JSON Web Tokens.
  private mutating func readSigning(_ entry: JSONValue) -> SignatureAlgorithm {
    guard let value = entry["signing"], let name = file.text(value) else { return .rsaSHA256 }
    guard let known = WebSigningKey.algorithms.first(where: { $0.nameInJOSE == name }) else {
      file.refuse(
        value, WebSigningKey.algorithms.map(\.nameInJOSE).joined(separator: ", "))
      return .rsaSHA256
    }
    return known
  }

  private mutating func readMetadata(
    _ entry: JSONValue, _ realm: String, _ format: TokenFormat
  ) {
    metadataByRealm[realm] = MetadataLocation(entry, of: realm, &file)
    if let value = entry["metadata"], format != .saml20 {
      file.refuse(value, "the format SAML 2.0 beside it")
    }
  }

  private mutating func format(_ entry: JSONValue) -> TokenFormat? {
    guard let value = entry["format"] else { return file.required(entry, "format") }
    let name = file.text(value)
    guard let known = ServiceFile.formats.first(where: { $0.name == name }) else {
      file.refuse(value, "SWT, JWT, SAML 1.1 or SAML 2.0")
      return nil
    }
    return known.format
  }

  /// Names, each of which has to be one of `allowed`.
  private mutating func known(_ json: JSONValue?, _ allowed: [String]) -> [String] {
    known(file.list(json), allowed)
  }

  mutating func known(_ list: [JSONValue], _ allowed: [String]) -> [String] {
    var names: [String] = []
    for value in list {
      guard let name = file.text(value) else { continue }
      if !allowed.contains(where: { $0.hasSameBytes(as: name) }) {
        file.refuse(value, "one of " + allowed.joined(separator: ", "))
      }
      names.append(name)
    }
    return names
  }

  /// The origin of pages: a scheme, a host and a port.
  private mutating func origin(_ json: JSONValue) -> HTTPOrigin? {
    guard let url = address(json) else { return nil }
    guard url.path == "/", url.query == nil else {
      file.refuse(json, "an origin without a path, such as https://app.example")
      return nil
    }
    return url.origin
  }

  /// A return address, or the URI of an app, which gets codes alone.
  private mutating func redirectURI(_ json: JSONValue, _ format: TokenFormat) -> RedirectURI? {
    guard let app = json.string.flatMap({ AppURI($0) }) else {
      return returnAddress(json).map { .web($0) }
    }
    guard format == .jwt else {
      file.refuse(
        json, "the format JWT beside it, since a browser takes nothing but codes to an app")
      return nil
    }
    return .app(app)
  }

  /// A return address, which is compared octet for octet and so has to be written as addresses are.
  private mutating func returnAddress(_ json: JSONValue) -> HTTPURL? {
    guard let url = address(json), let text = json.string else { return nil }
    guard !text.utf8.contains(UInt8(ascii: "*")) else {
      file.refuse(
        json,
        "each address written out: addresses are compared byte for byte, and * stands for itself",
        text)
      return nil
    }
    guard [text, text + "/"].contains(where: { $0.hasSameBytes(as: url.text) }) else {
      file.refuse(json, url.text)
      return nil
    }
    return url
  }

  /// Notes rules that give what the tokens of a relying party keep for themselves.
  private mutating func checkReserved(_ party: RelyingParty, _ groups: [RuleGroup]) {
    for group in groups where party.ruleGroups.contains(where: { $0.hasSameBytes(as: group.name) })
    {
      let places = rulePlaces[group.name] ?? []
      for (rule, place) in zip(group.rules, places) {
        // What an assertion says of the sign-in may be passed on in other formats of the same group.
        let isPassed =
          rule.outputType == nil && [.saml11, .saml20].contains(party.format)
        guard let place, !isPassed, let type = rule.outputType ?? rule.input.type,
          ReservedClaims.contains(type, in: party.format)
        else { continue }
        faults.append(
          TokenError(
            .issuingReservedClaim, node: file.place(place["type"] ?? place),
            expected: "another type, since tokens of \(party.realm) keep this one",
            found: TokenError.excerpt(type.name)))
      }
    }
  }

  mutating func address(_ json: JSONValue) -> HTTPURL? {
    guard let text = file.text(json) else { return nil }
    guard let url = try? HTTPURL(text) else {
      file.refuse(json, "an https address, or http on loopback")
      return nil
    }
    return url
  }

  /// A symmetric key in base64, or `file:NAME`. It is a secret: no error shows it.
  private mutating func key(
    _ json: JSONValue, _ place: ServiceFile.SecretPlace
  ) -> SymmetricKey? {
    guard let text = secret(json, place) else { return nil }
    guard let key = ServiceFile.symmetricKey(text.revealed) else {
      file.refuse(json, "32 octets or more in base64, or file:NAME", "something else")
      return nil
    }
    return key
  }

  /// A secret; nil for one that is in a file of its own, which is noted.
  mutating func secret(
    _ json: JSONValue?, _ place: ServiceFile.SecretPlace
  ) -> Secret? {
    guard let json, let text = file.text(json) else { return nil }
    guard text.hasPrefix("file:") else {
      if !HashedSecret.isReadable(text) {
        file.refuse(json, HashedSecret.expected, "something else")
      }
      return Secret(text)
    }
    let name = String(text.dropFirst(5))
    if name.isEmpty { file.refuse(json, "file:NAME", "file:") }
    secretFiles[place] = name
    return nil
  }

  // MARK: Service identities

  mutating func readIdentities(
    _ json: JSONValue?
  ) -> [ServiceIdentity] {
    var identities: [ServiceIdentity] = []
    for entry in file.list(json) {
      file.members(
        entry, ["name", "password", "key", "certificate", "redirect"] + Self.clientNameMembers)
      guard let name = file.text(entry["name"]) ?? file.required(entry, "name") else { continue }
      if identities.contains(where: { $0.name.hasSameBytes(as: name) }) {
        file.refuse(entry["name"] ?? entry, "a name of its own")
      }
      var identity = ServiceIdentity(
        name: name, password: secret(entry["password"], .password(name)),
        key: entry["key"].flatMap { key($0, .identityKey(name)) })
      if ["password", "key", "certificate"].allSatisfy({ entry[$0] == nil }) {
        file.refuse(entry, "a password, a key or a certificate", "none of them")
      }
      identity.redirectAddresses = file.list(entry["redirect"]).compactMap { returnAddress($0) }
      identity.clientNames = readClientNames(entry)
      if let certificate = file.text(entry["certificate"]) {
        certificateFileByName[name] = certificate
      }
      identities.append(identity)
    }
    return identities
  }
}
