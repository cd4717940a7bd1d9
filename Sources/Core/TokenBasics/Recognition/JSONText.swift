import Octets

/// JSON, also with something wrong at its end.
enum JSONText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    if sample.begins("//") || sample.begins("/*") { return relaxed(sample) }
    guard let first = sample.first, "{[".utf8.contains(first), isLike(sample) else { return nil }
    guard let json = try? JSONParser.parse(Array(sample.octets)) else {
      if let several = TokenText.severalLines(sample) { return several }
      if let text = relaxed(sample) { return text }
      if sample.has("\"alg\""), sample.has("}.{") || sample.has("}\n{") {
        return RecognisedText(.tokenHeader, name: "a decoded token")
      }
      if PlainText.isPlaceholder(sample) { return RecognisedText(.placeholder) }
      if let lines = lines(sample) { return lines }
      if sample.begins("{'") || sample.begins("[{'") || sample.begins("['") {
        return RecognisedText(.json, name: "text with ' in place of \" (Python prints objects so)")
      }
      return sample.has(":") ? RecognisedText(.json, name: "text that is no whole JSON") : nil
    }
    if let bytes = bytes(json) { return bytes }
    if let list = json.array {
      if list.contains(where: { $0["kty"] != nil }) { return RecognisedText(.keyArray) }
      return MetadataSearch.member(in: json) ?? inside(sample)
        ?? ofKeyMember(json)
        ?? RecognisedText(.json, name: "an array of JSON")
    }
    return object(json, sample)
  }

  /// The document of another program that takes comments in its JSON; what is meant here keeps its error of syntax.
  private static func relaxed(_ sample: TextSample) -> RecognisedText? {
    guard let json = JSONRelaxed.parse(sample.octets), json.members != nil else { return nil }
    let text = object(json, sample)
    switch text.kind {
    case .otherDocument, .credentials, .discovery, .kubernetes, .kubeconfig, .serviceFile:
      return text
    default: return nil
    }
  }

  /// Lines of JSON, one object on each (NDJSON).
  private static func lines(_ sample: TextSample) -> RecognisedText? {
    let lines = sample.lines.prefix(8)
    guard lines.count > 1,
      lines.dropLast().allSatisfy({ (try? JSONParser.parse(Array($0.utf8)))?.members != nil })
    else { return nil }
    let first = sample.octets.prefix { $0 != ASCII.lineFeed }
    return RecognisedText(
      .jsonLines,
      detail: TokenSearch.tokens(in: first).first.map {
        "." + member($0.place).filter { $0 != "\"" }
      })
  }

  private static func byte(_ json: JSONValue) -> UInt8? {
    if case .number(let digits) = json.kind { UInt8(digits) } else { nil }
  }

  /// An array of numbers that are bytes, alone or as Node writes a `Buffer`.
  private static func bytes(_ json: JSONValue) -> RecognisedText? {
    guard let list = json.array ?? (json["type"]?.string == "Buffer" ? json["data"]?.array : nil),
      list.count > 16
    else { return nil }
    let bytes = list.compactMap { byte($0) }
    return bytes.count == list.count ? RecognisedText(.byteArray) : nil
  }

  /// Whether what follows the first bracket is the beginning of JSON, or of what is written in its place; a date or name
  /// in brackets begins lines of logs, chats and settings.
  private static func isLike(_ sample: TextSample) -> Bool {
    if PlainText.isPlaceholder(sample) { return true }
    var rest = sample.octets.drop { $0 == UInt8(ascii: "[") || ASCII.isWhiteSpace($0) }
    guard let first = rest.first else { return true }
    if sample.first == UInt8(ascii: "{") {
      return "\"'}/#{%".utf8.contains(first) || first == UInt8(ascii: "{") || ASCII.isLetter(first)
        || "_$".utf8.contains(first) || first >= 0x80
    }
    if "{\"'-]/".utf8.contains(first) || first >= 0x80 { return true }
    guard
      ASCII.isDigit(first)
        || ["true", "false", "null"].contains(where: { rest.starts(with: $0.utf8) })
    else { return false }
    let word = rest.prefix { ASCII.isDigit($0) || ASCII.isLetter($0) || $0 == UInt8(ascii: ".") }
    // A date has two dots.
    guard word.count(where: { $0 == UInt8(ascii: ".") }) < 2 else { return false }
    rest = rest.dropFirst(word.count).drop(while: ASCII.isWhiteSpace)
    return rest.isEmpty || rest.first == UInt8(ascii: ",")
      || rest.first == UInt8(ascii: "]") && rest.count == 1
  }

  private static func object(_ json: JSONValue, _ sample: TextSample) -> RecognisedText {
    func has(_ name: String) -> Bool { json[name] != nil }
    // A message of Access Control Service, whatever else is in it.
    if has("securityToken") { return RecognisedText(.json) }
    if let kind = json["kind"]?.string, has("apiVersion") { return kubernetes(json, kind) }
    if let key = key(json) { return key }
    if json["log"]?["entries"] != nil {
      return RecognisedText(.archive, detail: memberOfToken(sample))
    }
    let isSigned = has("payload") && (has("signature") || has("signatures"))
    if isSigned || has("ciphertext") {
      return RecognisedText(
        .jsonSerialization,
        name: "the JSON serialization of \(isSigned ? "a signed" : "an encrypted") token")
    }
    if let member = [
      "vp_token", "credential", "credentials", "verifiable_credential", "presentation_submission",
    ]
    .first(where: has) {
      return RecognisedText(
        .walletAnswer, detail: member,
        name: "an answer of a wallet or credential issuer with the member \(member)")
    }
    if let document = document(json) { return document }
    let fields = TokenField.names.filter { json[$0]?.string != nil && $0 != "securityToken" }
    if !fields.isEmpty {
      return RecognisedText(
        .jsonMember, detail: fields.joined(separator: " or "),
        name: "the member \(fields.joined(separator: ", "))")
    }
    if let metadata = MetadataSearch.member(in: json) { return metadata }
    if let inside = inside(sample) { return inside }
    let isClaims = ["iss", "sub", "exp"].contains(where: has)
    if !isClaims, let key = ofKeyMember(json) { return key }
    return (isClaims ? nil : DocumentVocabulary.recognise(json)) ?? claims(json)
      ?? RecognisedText(.json, name: described(json))
  }

  /// JSON of which a member holds a key or certificate.
  private static func ofKeyMember(_ json: JSONValue) -> RecognisedText? {
    guard let (member, hasPrivate) = KeyMember.first(in: json) else { return nil }
    let kind: TextKind = member.kind.isPrivate ? .credentials : .json
    return RecognisedText(
      kind, form: member.isBase64 ? .base64OfText : .plain, detail: member.path,
      name: "JSON with \(member.kind.rawValue) in the member \(member.path)"
        + (hasPrivate && !member.kind.isPrivate ? " and a private key beside it" : ""))
  }

  /// What `kubectl get -o json` writes.
  private static func kubernetes(_ json: JSONValue, _ kind: String) -> RecognisedText {
    if kind == "Config", json["clusters"] != nil || json["users"] != nil {
      return RecognisedText(.kubeconfig)
    }
    if let metadata = MetadataSearch.member(in: json) { return metadata }
    return RecognisedText(
      .kubernetes, detail: KeyMember.first(in: json)?.member.path ?? kind,
      name:
        "a Kubernetes document in JSON (\(TokenError.unquoted(TokenError.excerpt(kind, length: 32))))"
    )
  }

  private static func key(_ json: JSONValue) -> RecognisedText? {
    if let keys = json["keys"] {
      let isPrivate = (keys.array ?? []).contains { $0["d"] != nil || $0["k"] != nil }
      return RecognisedText(isPrivate ? .privateJWKSet : .jwkSet, name: TextKind.jwkSet.rawValue)
    }
    if json["kty"] != nil {
      if json["k"] != nil { return RecognisedText(.secretJWK) }
      return RecognisedText(json["d"] != nil ? .privateJWK : .jwk)
    }
    guard let members = json.members, !members.isEmpty else { return nil }
    if members.allSatisfy({ $0.value.string?.hasPrefix("-----BEGIN CERTIFICATE") ?? false }) {
      return RecognisedText(.certificatesByIdentifier)
    }
    return json["private_key"] != nil && json["client_email"] != nil
      ? RecognisedText(.serviceAccount) : nil
  }

  private static func document(_ json: JSONValue) -> RecognisedText? {
    if json["jwks_uri"] != nil, json["issuer"] != nil || json["redirect_uris"] == nil {
      return RecognisedText(
        .discovery, detail: json["jwks_uri"]?.string.map { TokenError.excerpt($0, length: 256) })
    }
    if json["resource"] != nil, json["authorization_servers"] != nil {
      return RecognisedText(.resourceMetadata)
    }
    if json["issuers"] != nil { return RecognisedText(.trustFile) }
    if json["providers"] != nil || json["applications"] != nil || json["parties"] != nil {
      return RecognisedText(.serviceFile)
    }
    if let error = json["error"], json["access_token"] == nil, json["id_token"] == nil {
      let name = error.string.map { " (\(TokenError.excerpt($0)))" } ?? ""
      return RecognisedText(.errorAnswer, name: "an error of a server" + name)
    }
    if json["active"]?.bool != nil { return RecognisedText(.introspection) }
    return nil
  }

  private static func claims(_ json: JSONValue) -> RecognisedText? {
    if json["alg"] != nil, json["sub"] == nil, json["iss"] == nil {
      return RecognisedText(.tokenHeader)
    }
    return json["iss"] != nil || json["exp"] != nil || json["sub"] != nil
      ? RecognisedText(.userInfo, name: "claims without a signature") : nil
  }

  /// A token anywhere in it.
  private static func inside(_ sample: TextSample) -> RecognisedText? {
    let members = TokenSearch.tokens(in: sample.octets).map { member($0.place) }
    guard let first = members.first else { return nil }
    let shown = members.prefix(3).joined(separator: " and ")
    var text = RecognisedText(
      .jsonMember, detail: first,
      name: members.count == 1
        ? "JSON, with the token in \(first)" : "JSON, with \(members.count) tokens, in \(shown)")
    text.tokens = members
    return text
  }

  private static func memberOfToken(_ sample: TextSample) -> String? {
    TokenSearch.tokens(in: sample.octets).first.map { member($0.place) }
  }

  private static func member(_ place: String) -> String {
    place.hasPrefix("the member ") ? String(place.dropFirst("the member ".count)) : place
  }

  private static func described(_ json: JSONValue) -> String {
    let names = TextOutline.list((json.members ?? []).map(\.name))
    return names.isEmpty ? "an empty JSON object" : "a JSON object with \(names)"
  }
}
