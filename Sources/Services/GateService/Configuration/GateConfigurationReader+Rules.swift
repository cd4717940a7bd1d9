import Federation
import Octets
import SignIn
import TokenBasics

extension GateConfigurationReader {
  /// Reads the rules into what can be judged: a rule that can never do what it seems to is an error.
  mutating func readRules(
    _ json: JSONValue?, _ providers: [ProviderConfiguration], _ people: GatePeople?,
    hasTokens: Bool
  ) -> [GateRule] {
    guard let json else { return [] }
    guard let list = json.array else {
      file.refuse(json, "a list of rules")
      return []
    }
    return list.compactMap { rule($0, providers, people, hasTokens: hasTokens) }
  }

  /// One rule; nil for one without a path.
  private mutating func rule(
    _ entry: JSONValue, _ providers: [ProviderConfiguration], _ people: GatePeople?,
    hasTokens: Bool
  ) -> GateRule? {
    file.members(
      entry,
      [
        "path", "method", "provider", "claim", "oneOf", "noneOf", "public", "contexts", "maxAge",
        "scope", "sessions",
      ])
    guard let path = path(entry) else { return nil }
    let claim = claimName(entry["claim"])
    let values = file.texts(entry["noneOf"] ?? entry["oneOf"])
    let lists = [entry["oneOf"], entry["noneOf"]].compactMap { $0 }
    if lists.count != (claim == nil ? 0 : 1) || (claim != nil && values.isEmpty) {
      file.refuse(entry, "a claim with values in oneOf or noneOf, or neither")
    }
    let own = readProviders(of: entry, providers, hasTokens: hasTokens)
    let counted =
      claim.map {
        counting($0, own, UnsaidClaim(place: file.place(entry), name: "", claim: $0), providers)
      } ?? own ?? .any
    if claim == "subject", let people {
      let ids = hasTokens ? nil : counted.identifiers ?? providers.map(\.id)
      checkSubjects(values, of: entry, people, ids)
    }
    var rule = GateRule(
      path: path, method: method(entry), claims: claim.map(GateClaim.types) ?? [],
      values: values, denies: entry["noneOf"] != nil, counting: counted,
      place: file.place(entry))
    rule.claim = claim ?? ""
    readAuthentication(entry, &rule, hasTokens: hasTokens)
    readPublic(entry, &rule)
    return rule
  }

  /// The name of a claim: a text, or the names of nested members as an array.
  mutating func claimName(_ json: JSONValue?) -> String? {
    guard let json, json.array != nil else { return file.text(json) }
    let type = ClaimPath.type(file.texts(json))
    if type == nil { file.refuse(json, "a name, or the names of at least two nested members") }
    return type?.name
  }

  /// What a path gets that no rule covers.
  mutating func readDefault(_ json: JSONValue) -> GateDefault {
    guard let value = json["default"], let text = file.text(value) else { return .signedIn }
    guard let standard = GateDefault(rawValue: text) else {
      file.refuse(
        value, "one of " + GateDefault.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      )
      return .signedIn
    }
    if standard == .refused, json["rules"]?.array?.isEmpty ?? true {
      file.refuse(value, "rules beside it: without one every path is refused", text)
    }
    return standard
  }

  /// How recent and strong a sign-in has to be, and what tokens and sessions are worth.
  private mutating func readAuthentication(
    _ entry: JSONValue, _ rule: inout GateRule, hasTokens: Bool
  ) {
    rule.contexts = names(entry["contexts"], "contexts, such as [\"urn:mfa\"]")
    rule.maxAge = entry["maxAge"].map { file.seconds($0, 3_600, 60...31_536_000) }
    rule.scopes = names(entry["scope"], "scopes, such as [\"write\"]")
    if let sessions = entry["sessions"] { rule.takesSessions = file.flag(sessions) }
    if let value = entry["scope"] ?? entry["sessions"], !hasTokens {
      file.refuse(
        value, "tokens in the file, since scope and sessions are about bearer tokens",
        entry["scope"] == nil ? "sessions" : "scope")
    }
  }

  /// A list of names without spaces, which is not empty; empty for no value.
  private mutating func names(_ json: JSONValue?, _ expected: String) -> [String] {
    guard let json else { return [] }
    let names = file.texts(json)
    if names.isEmpty || !names.allSatisfy(OpenIDClient.isToken) {
      file.refuse(json, "a list of \(expected)")
    }
    return names
  }

  /// A path that is open to everybody, of whom nothing can be demanded.
  private mutating func readPublic(_ entry: JSONValue, _ rule: inout GateRule) {
    guard let value = entry["public"] else { return }
    rule.isPublic = file.flag(value)
    guard rule.isPublic else {
      file.refuse(value, "true; without the member a path needs a sign-in", "false")
      return
    }
    let others = entry.members?.map(\.name).filter { !["path", "method", "public"].contains($0) }
    if let other = others?.first {
      file.refuse(entry[other] ?? entry, "nothing beside public but path and method", other)
    }
  }

  /// A subject that the application never sees in this form would match nothing.
  private mutating func checkSubjects(
    _ values: [String], of entry: JSONValue, _ people: GatePeople, _ providers: [String]?
  ) {
    guard let wrong = values.first(where: { !people.canBeSubject($0, of: providers) }) else {
      return
    }
    file.refuse(
      entry["noneOf"] ?? entry["oneOf"] ?? entry,
      "PROVIDER:SUBJECT, as the application sees it, since people are by provider", wrong)
  }

  /// A path as requests have it. Globs and expressions would protect nothing but themselves.
  private mutating func path(_ entry: JSONValue) -> RequestTarget? {
    guard var text = file.text(entry["path"]) ?? file.required(entry, "path") else { return nil }
    let place = entry["path"] ?? entry
    // The one pattern that says what a rule does.
    for end in ["/**", "/*"] where text.hasSuffix(end) {
      text.removeLast(end.count - 1)
      warnings.append(
        "\(file.place(place)): \(text)* is read as \(text): a rule is for its path and everything below"
      )
      break
    }
    guard !Self.isPattern(text) else {
      file.refuse(
        place,
        "a path without a pattern: a rule is for its path and everything below; a literal * is %2A")
      return nil
    }
    guard let path = try? RequestTarget(text), !text.utf8.contains(UInt8(ascii: "?")) else {
      file.refuse(place, "a path with one reading, percent-encoded where it is not ASCII")
      return nil
    }
    if text.hasPrefix(prefix), !prefix.isEmpty {
      file.refuse(place, "a path of the application; the gate answers below \(prefix) itself")
    }
    return path
  }

  /// Whether a text looks like what other programs take for a pattern: `*`, `[a-z]`, `{id}`, `(a|b)`, `<id>`, `^`,
  /// `$`, `.+` or a segment `:id`.
  private static func isPattern(_ text: String) -> Bool {
    text.utf8.contains { "*[]{}<>^|".utf8.contains($0) } || text.hasSuffix("$")
      || text.hasPrefix("~") || text.firstRange(of: "/:") != nil || text.firstRange(of: ".+") != nil
      || text.firstRange(of: "(?") != nil
  }

  private mutating func method(_ entry: JSONValue) -> String? {
    guard let method = file.text(entry["method"]) else { return nil }
    if !RequestMethod.isPlain(method) || method.utf8.contains(UInt8(ascii: "*")) {
      file.refuse(
        entry["method"] ?? entry,
        "one method in upper case, such as POST; without the member all methods")
    }
    return method
  }

  /// The providers that `provider` of an entry names; nil without the member.
  mutating func readProviders(
    of entry: JSONValue, _ providers: [ProviderConfiguration], hasTokens: Bool
  ) -> CountedProviders? {
    guard let json = entry["provider"] else { return nil }
    if json.string == "any" { return .any }
    let list = json.array == nil ? [json] : file.list(json)
    let names = list.compactMap { file.text($0) }
    if list.isEmpty { file.refuse(json, "an identifier of a provider, a list of them, or any") }
    for (name, value) in zip(names, list) {
      // A bearer token's issuer has its identifier in the trust file, which is read later.
      let isKnown = providers.contains { $0.id.hasSameBytes(as: name) }
      guard !isKnown, !hasTokens || !ProviderConfiguration.isIdentifier(name) else { continue }
      file.refuse(
        value, "the identifier of a provider: " + providers.map(\.id).joined(separator: ", "), name)
    }
    return .only(names)
  }

  /// The providers whose statements of a claim count: those of the entry, else those that the file names for all. Where
  /// there are several providers, one of both has to say it.
  ///
  /// - Parameters:
  ///   - claim: The claim as the file names it.
  ///   - own: What the entry says; nil for nothing.
  ///   - place: The entry, for the error.
  mutating func counting(
    _ claim: String, _ own: CountedProviders?, _ place: UnsaidClaim,
    _ providers: [ProviderConfiguration]
  ) -> CountedProviders {
    if let own { return own }
    guard !GateClaim.isReserved(claim) else { return .any }
    if counted == .unsaid, providers.count > 1 {
      file.add(place.error(naming: providers.first?.id ?? ""))
    }
    return counted
  }
}
