import Octets

/// A setting of another program that names an issuer, the address of its keys or an audience.
struct IssuerSetting: Sendable {
  /// As the program writes it.
  let name: String
  /// The member of a trust file that takes the value.
  let member: Member

  enum Member: String, Sendable {
    case name = "name"
    case tenant = "name (https://login.microsoftonline.com/TENANT/v2.0)"
    case keysAt = "keysAt"
    case openID = "name, with openID: true"
    case audiences = "audiences"
  }

  /// The first setting of each member, in the order of the text.
  static func all(in sample: TextSample) -> [IssuerSetting] {
    var found: [IssuerSetting] = []
    let pairs = sample.text.utf8.split(maxSplits: most) { "\n\r{,".utf8.contains($0) }
    for pair in pairs.prefix(most) {
      guard let setting = setting(pair), !found.contains(where: { $0.member == setting.member })
      else { continue }
      found.append(setting)
    }
    return found
  }

  /// Pairs of a name and a value that are looked at.
  private static let most = 4_096

  /// The setting of `name: value` or `name=value`, which may stand in quotation marks, in a list or behind a path of names.
  private static func setting(_ pair: Substring.UTF8View) -> IssuerSetting? {
    let start = pair.drop { ASCII.isWhiteSpace($0) || "-\"'".utf8.contains($0) }
    let path = start.prefix {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "_-.".utf8.contains($0)
    }
    guard path.count <= 128 else { return nil }
    let behind = start.dropFirst(path.count).drop { " \"'".utf8.contains($0) }
    guard let mark = behind.first, ":=".utf8.contains(mark),
      behind.dropFirst().contains(where: { !ASCII.isWhiteSpace($0) }),
      let name = path.split(separator: UInt8(ascii: ".")).last.map(Substring.init)
    else { return nil }
    let plain = name.lowercased().filter { $0.isLetter }
    // Names of variables have the name of the program before that of the setting.
    let row = rows.first { row in
      row.name == plain || name.contains("_") && row.isLong && plain.hasSuffix(row.name)
    }
    return row.map { IssuerSetting(name: String(name), member: $0.member) }
  }

  private struct Row: Sendable {
    /// In small letters, without hyphens and underscores.
    let name: String
    let member: Member
    /// Whether the name says enough with other words before it.
    var isLong: Bool { name.utf8.count >= 6 }

    init(_ name: String, _ member: Member) {
      self.name = name
      self.member = member
    }
  }

  private static let rows: [Row] = [
    Row("jwkseturi", .keysAt), Row("jwksuri", .keysAt), Row("jwkuri", .keysAt),
    Row("jwksurl", .keysAt), Row("jwkseturl", .keysAt), Row("jwkurl", .keysAt),
    Row("jwksendpoint", .keysAt), Row("issueruri", .name), Row("issuerurl", .name),
    Row("issuer", .name), Row("authserverurl", .name), Row("authority", .name),
    Row("tenantid", .tenant), Row("metadataaddress", .openID), Row("discoveryurl", .openID),
    Row("discoveryuri", .openID), Row("wellknownurl", .openID), Row("audiences", .audiences),
    Row("audience", .audiences),
  ]
}

extension TextAdvice {
  /// What to do about the settings of another program, by whose words they tell which values are of use here.
  static func settings(_ text: RecognisedText, _ place: TextPlace) -> String? {
    let isProgram = text.kind == .kubernetes || text.kind == .yaml && text.detail != nil
    guard isProgram || !text.settings.isEmpty && text.remark == nil else { return nil }
    switch place {
    case .trustFile:
      // YAML of no program may be a trust file in another syntax.
      guard isProgram || text.kind != .yaml else { return nil }
      let what = isProgram ? "this is \(text.name), and no trust file" : "this is no trust file"
      return what + values(text.settings) + "; \(place.remedy)"
    case .key, .keySet:
      guard let address = text.settings.first(where: { $0.member == .keysAt }) else { return nil }
      return "it holds no key: save what the address in its \(address.name) gives (curl -o FILE "
        + "ADDRESS), and name that as jwks:FILE"
    case .metadata where isProgram:
      return "this is \(text.name), and no metadata; \(place.remedy)"
    default: return nil
    }
  }

  /// Which values go into a trust file, and how the keys come into it.
  private static func values(_ settings: [IssuerSetting]) -> String {
    guard !settings.isEmpty else { return "" }
    let shown = settings.map { "\($0.name) as \($0.member.rawValue)" }.joined(separator: ", ")
    let hasKeys = settings.contains { $0.member == .keysAt || $0.member == .openID }
    let hasName = settings.contains { $0.member == .name || $0.member == .tenant }
    let fetched = hasKeys ? " (claims trust fetch gets the keys)" : ""
    return ": of its values, these go into one: \(shown)"
      + (hasName && !hasKeys ? ", with openID: true (claims trust fetch gets the keys)" : fetched)
  }
}
