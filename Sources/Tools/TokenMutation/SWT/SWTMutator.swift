import Claims
import Octets
import SecurityKeys
import TokenBasics

/// Makes the variants of a Simple Web Token.
struct SWTMutator {
  /// The octets before the MAC, without the ampersand.
  private let signed: String
  private let mac: [UInt8]
  private let endpoint: Endpoint
  private let key: SymmetricKey?
  private let list: MutationList

  init?(
    _ octets: [UInt8], _ endpoint: Endpoint, _ key: SymmetricKey?,
    _ receive: @escaping (Mutation) -> Void
  ) {
    let text = String(decoding: octets, as: UTF8.self)
    let pairs = text.split(separator: "&", omittingEmptySubsequences: false)
    guard pairs.count > 1, let last = pairs.last, last.hasPrefix(Self.macName),
      let base64 = try? FormEncoding.decode(
        Array(last.dropFirst(Self.macName.count).utf8)[...], plus: .isPlus),
      let mac = try? Base64.decode(base64.span)
    else { return nil }
    signed = pairs.dropLast().joined(separator: "&")
    self.mac = mac
    self.endpoint = endpoint
    self.key = key
    list = MutationList(original: octets, receive)
  }

  private static let macName = "HMACSHA256="

  func all() {
    addMACs()
    addContent()
    addPairs()
    if key != nil {
      addSealedTimes()
      addSealedNames()
    }
  }

  private func token(_ signed: String, mac: String) -> [UInt8] {
    Array("\(signed)&\(Self.macName)\(mac)".utf8)
  }

  /// A base64 text, form-encoded.
  private func escaped(_ base64: String) -> String { FormEncoding.encode(base64) }

  private var genuineMAC: String { escaped(Base64.encode(mac)) }

  private func addMACs() {
    list.add("mac/removed", "there is no MAC", ["SWT-1"], .signatureMissing, Array(signed.utf8))
    list.add("mac/empty", "the MAC is empty", ["SWT-1"], .signatureMissing, token(signed, mac: ""))
    list.add(
      "mac/other-case", "the name of the MAC is in lower case", ["SWT-5"], .signatureMissing,
      Array("\(signed)&hmacsha256=\(genuineMAC)".utf8))
    list.add(
      "mac/escaped-name", "the name of the MAC has an escape", ["SWT-4"], .signatureMissing,
      Array("\(signed)&%48MACSHA256=\(genuineMAC)".utf8))
    for (label, position) in [("first", 0), ("middle", 16), ("last", 31)] where mac.count == 32 {
      var changed = mac
      changed[position] ^= 1
      list.add(
        "mac/flip-\(label)", "one bit of the MAC is flipped", ["SWT-8"], .macMismatch,
        token(signed, mac: escaped(Base64.encode(changed))))
    }
    list.add(
      "mac/zero", "the MAC is all zeros", ["SWT-8"], .macMismatch,
      token(signed, mac: escaped(Base64.encode([UInt8](repeating: 0, count: 32)))))
    for (label, bytes) in [
      ("cut", Array(mac.dropLast())), ("one-byte", Array(mac.prefix(1))), ("longer", mac + [0]),
      ("sha1-length", Array(mac.prefix(20))), ("sha512-length", mac + mac),
    ] {
      list.add(
        "mac/\(label)", "the MAC has another length", ["SWT-9"], .malformedMAC,
        token(signed, mac: escaped(Base64.encode(bytes))))
    }
    for trick in Base64Tricks.variants(of: Base64.encode(mac)) where trick.name != "nbsp" {
      list.add(
        "mac/\(trick.name)", "the MAC is not canonical base64: \(trick.summary)", ["SWT-11"],
        .malformedMAC, token(signed, mac: escaped(trick.text)))
    }
    list.add(
      "mac/bad-escape", "the MAC has a malformed percent-escape", ["SWT-12"], .malformedMAC,
      token(signed, mac: genuineMAC + "%3"))
    list.add(
      "mac/twice", "the MAC is there twice", ["SWT-6"], .macRepeated,
      token(signed + "&" + Self.macName + genuineMAC, mac: genuineMAC))
    list.add(
      "mac/not-last", "a pair follows the MAC", ["SWT-2", "SWT-3"], .macNotLast,
      token(signed, mac: genuineMAC + "&forged=admin"))
    list.add(
      "mac/first", "the MAC is first", ["SWT-2"], .macNotLast,
      Array("\(Self.macName)\(genuineMAC)&\(signed)".utf8))
    list.add(
      "mac/trailing-ampersand", "an ampersand follows the MAC", ["SWT-2"], .macNotLast,
      token(signed, mac: genuineMAC + "&"))
    if let wrong = try? SymmetricKey(bytes: [UInt8](repeating: 0, count: 32)),
      let forged = sealed(signed + "&forged=admin", wrong)
    {
      list.add(
        "mac/attacker", "another key signed another claim", ["SWT-8"], .macMismatch, forged)
    }
  }

  private func addContent() {
    let pairs = signed.split(separator: "&").map(String.init)
    let custom = pairs.firstIndex { pair in
      !["Issuer=", "Audience=", "ExpiresOn="].contains { pair.hasPrefix($0) }
    }
    var (longer, fewer) = (pairs, pairs)
    if let custom {
      longer[custom] += ".evil.example"
      fewer.remove(at: custom)
    }
    for (label, attacks, text) in [
      ("added", ["SWT-2"], signed + "&forged=admin"),
      ("added-first", ["SWT-2"], "forged=admin&" + signed),
      ("cut", ["SWT-14"], fewer.joined(separator: "&")),
      ("swapped", ["SWT-10"], pairs.reversed().joined(separator: "&")),
      ("escaped-otherwise", ["SWT-10"], reescaped(signed)),
      ("value-longer", ["SWT-8"], longer.joined(separator: "&")),
      ("upper-case-escapes", ["SWT-10"], upperCaseEscapes(signed)),
    ] where text != signed {
      list.add(
        "content/\(label)", "the signed octets are changed, if only in their spelling", attacks,
        .macMismatch, token(text, mac: genuineMAC))
    }
  }

  /// The first letter of the last value as an escape: the decoded value is the same.
  private func reescaped(_ text: String) -> String {
    guard let equals = text.lastIndex(of: "="),
      let letter = text[text.index(after: equals)...].utf8.first, letter != ASCII.percent,
      letter != ASCII.plus
    else { return text }
    let rest = text[text.index(after: equals)...].dropFirst()
    return text[...equals] + "%" + Hex.encode([letter]) + rest
  }

  private func upperCaseEscapes(_ text: String) -> String {
    var result: [UInt8] = []
    var remaining = 0
    for byte in text.utf8 {
      let isHex = remaining > 0 && (0x61...0x66).contains(byte)
      result.append(isHex ? byte - 0x20 : byte)
      remaining = byte == ASCII.percent ? 2 : max(0, remaining - 1)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Input that cannot be a token, whoever signed it.
  private func addPairs() {
    let first = signed.split(separator: "&").first.map(String.init) ?? ""
    let name = String(first.prefix { $0 != "=" })
    let pairs: [(String, [String], TokenError.Code, String)] = [
      ("duplicate", ["SWT-6", "SWT-7"], .duplicatePairName, first),
      ("duplicate-other-value", ["SWT-7"], .duplicatePairName, name + "=admin"),
      ("duplicate-Issuer", ["SWT-6"], .duplicatePairName, "Issuer=evil"),
      ("duplicate-escaped", ["SWT-7"], .duplicatePairName, "%49ssuer=evil"),
      ("reserved-lower-case", ["SWT-5"], .reservedNameVariant, "issuer=evil"),
      ("reserved-upper-case", ["SWT-5"], .reservedNameVariant, "AUDIENCE=evil"),
      ("reserved-expires", ["SWT-5"], .reservedNameVariant, "expireson=9999999999"),
      ("reserved-mac", ["SWT-4"], .reservedNameVariant, "%48MACSHA256=x"),
      ("bad-escape", ["SWT-12"], .malformedPercentEscape, "role=%zz"),
      ("cut-escape", ["SWT-12"], .malformedPercentEscape, "role=%4"),
      ("not-UTF-8", ["SWT-13"], .notUTF8, "role=%FF"),
      ("overlong-UTF-8", ["SWT-13"], .notUTF8, "role=%C0%AF"),
      ("surrogate", ["SWT-13"], .notUTF8, "role=%ED%A0%80"),
      ("line-feed", ["SWT-15"], .swtCharacter, "role=a%0Ab"),
      ("nul", ["SWT-15"], .swtCharacter, "role=%00"),
      ("raw-space", ["SWT-15"], .swtCharacter, "role=a b"),
      ("raw-quote", ["SWT-15"], .swtCharacter, "role=\"a\""),
      ("raw-letter", ["SWT-15"], .swtCharacter, "role=ä"),
      ("no-equals", ["SWT-16"], .malformedPair, "role"),
      ("no-name", ["SWT-16"], .malformedPair, "=admin"), ("empty", ["SWT-16"], .malformedPair, ""),
    ]
    for (label, attacks, code, pair) in pairs {
      list.add(
        "pair/\(label)", "a pair is put in that no token can have", attacks, code,
        token("\(signed)&\(pair)", mac: genuineMAC))
    }
    let many = (0...Limits().pairs).map { "&n\($0)=" }.joined()
    list.add(
      "limit/pairs", "there are more pairs than the default limit allows", ["DOS-1"],
      .tooManyPairs, token(signed + many, mac: genuineMAC))
    list.add(
      "pair/line-end", "a space and a line end follow the token", ["SWT-15"], .swtCharacter,
      token(signed, mac: genuineMAC + " \n"))
  }

  // MARK: With the issuer's key

  private func sealed(_ signed: String, _ key: SymmetricKey) -> [UInt8]? {
    key.authenticate(signed.utf8.span, with: .sha256).map {
      token(signed, mac: escaped(Base64.encode($0)))
    }
  }

  private func addSealed(
    _ name: String, _ summary: String, _ attacks: [String], _ expected: TokenError.Code,
    _ signed: String
  ) {
    guard let key, signed != self.signed else { return }
    list.add(name, summary, attacks, expected, issuerSigned: true, sealed(signed, key))
  }

  /// The signed octets with another value of one pair; nil removes the pair.
  private func setting(_ name: String, _ value: String?) -> String {
    signed.split(separator: "&").compactMap { pair -> String? in
      guard pair.hasPrefix(name + "=") else { return String(pair) }
      return value.map { "\(name)=\($0)" }
    }.joined(separator: "&")
  }

  private func addSealedTimes() {
    let now = endpoint.now.seconds
    for (label, end) in [
      ("now", now - Int64(endpoint.skew)), ("a-second-ago", now - Int64(endpoint.skew) - 1),
      ("long-ago", 1),
    ] {
      addSealed(
        "time/expired-\(label)", "the issuer signed a token that has expired", ["TIME-1"],
        .expired, setting("ExpiresOn", "\(end)"))
    }
    addSealed(
      "time/no-end", "the token has no end", ["SWT-17"], .noExpiry,
      setting("ExpiresOn", nil))
    for (label, end) in [
      ("date", FormEncoding.encode("2099-01-01T00:00:00Z")), ("negative", "-1"),
      ("plus", "%2B4070908800"), ("fraction", "4070908800.5"), ("exponent", "4e9"),
      ("hexadecimal", "0xFFFFFFFFF"), ("not-a-number", "NaN"), ("infinite", "Infinity"),
      ("space", "+4070908800"), ("empty", ""), ("huge", "99999999999999999999"),
      ("thirteen-digits", "4070908800000"), ("wide-digits", FormEncoding.encode("４070908800")),
    ] {
      addSealed(
        "time/malformed-\(label)", "the end of validity is no number of seconds",
        ["TIME-5", "SWT-18"], .malformedTime, setting("ExpiresOn", end))
    }
  }

  private func addSealedNames() {
    addSealed(
      "issuer/none", "the token names no issuer", ["SWT-19"], .issuerMissing,
      setting("Issuer", nil))
    addSealed(
      "issuer/empty", "the issuer is empty", ["SWT-19"], .issuerMissing,
      setting("Issuer", ""))
    if endpoint.namesIssuers {
      addSealed(
        "issuer/signed-for-another", "the key of one issuer signs in the name of another",
        ["KEY-17"], .issuerUntrusted, setting("Issuer", "evil"))
    }
    guard endpoint.checksAudience else { return }
    let ours =
      signed.split(separator: "&").first { $0.hasPrefix("Audience=") }.map {
        String($0.dropFirst(9))
      } ?? ""
    // An escape is one character.
    let shorter = String(ours.dropLast(ours.dropLast(2).last == "%" ? 3 : 1))
    let others: [(String, String)] = [
      ("other", "other"), ("slash", ours + "%2f"), ("longer", ours + ".evil.example"),
      ("shorter", shorter),
      ("empty", ""), ("wildcard", "*"),
    ]
    for (label, other) in others {
      addSealed(
        "audience/\(label)", "the issuer made the token for another audience", ["SEM-13"],
        .audienceMismatch, setting("Audience", other))
    }
    addSealed(
      "audience/none", "the token does not say whom it is for", ["SEM-14"],
      .audienceMissing, setting("Audience", nil))
  }
}
