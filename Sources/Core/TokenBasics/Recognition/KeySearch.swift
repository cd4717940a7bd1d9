import Octets

/// Finds certificates and keys inside documents of other programs: what verifies is in them as base64.
enum KeySearch {
  /// A certificate or key inside a text.
  struct Found: Sendable {
    /// Where it stands, such as `line 3, behind idp_cert:`.
    let place: String
    let kind: TextKind
    /// Whether the octets are DER, and not the text of a PEM file.
    let isDER: Bool

    var isPrivate: Bool { kind.isPrivate }
  }

  /// The first certificate or public key in base64; else the first private key.
  static func first(in octets: ArraySlice<UInt8>) -> Found? {
    var secret: Found?
    var looked = 0
    var lineNumber = 1
    var lines = octets.prefix(mostOctets)
      .split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)[...]
    while let line = lines.popFirst(), looked < most {
      defer { lineNumber += 1 }
      guard let start = start(in: line) else { continue }
      looked += 1
      // It may go on over several lines.
      var text = Array(line[start...].prefix(while: isDigit))
      if start + text.count >= line.endIndex - 1 {
        for next in lines.prefix(longest) {
          let next = next.filter { !ASCII.isWhiteSpace($0) }
          guard next.count > 3, next.allSatisfy(isDigit) else { break }
          text += next
        }
      }
      guard let (kind, isDER) = kind(of: text[...]) else { continue }
      let found = Found(
        place: "line \(lineNumber)" + name(before: line[..<start]), kind: kind, isDER: isDER)
      if !found.isPrivate { return found }
      secret = secret ?? found
    }
    return secret
  }

  /// Bytes that are looked at: settings with a certificate in them are short.
  private static let mostOctets = 1 << 17
  /// Values that are decoded, and lines that one has.
  private static let most = 8
  private static let longest = 128

  private static func isDigit(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || "+/=".utf8.contains(byte)
  }

  /// The base64 of a SEQUENCE of DER that is as long as a key, and of `-----BEGIN`.
  static let beginnings = ["MII", "MFkw", "MCow", "MHYw", "LS0tLS1CRUdJTi"]

  /// Where base64 of a key begins: at the start of a word.
  private static func start(in line: ArraySlice<UInt8>) -> Int? {
    for beginning in beginnings {
      guard let place = line.firstRange(ofBytes: beginning)?.lowerBound,
        place == line.startIndex || !isDigit(line[place - 1]) || line[place - 1] == ASCII.equals
      else { continue }
      return place
    }
    return nil
  }

  /// What base64 of a key or PEM file is, and whether it is DER.
  static func kind(of text: ArraySlice<UInt8>) -> (TextKind, isDER: Bool)? {
    let digits = text.filter { $0 != ASCII.equals && !ASCII.isWhiteSpace($0) }
    guard digits.count > 48,
      let content = TextSample.decoded(digits.prefix(digits.count / 4 * 4 + 3)[...])
        ?? TextSample.decoded(digits.prefix(digits.count / 4 * 4)[...])
    else { return nil }
    if let kind = kind(ofPEM: content.prefix(64)) { return (kind, false) }
    guard let kind = DERShape.kind(content[...]) else { return nil }
    return [.certificate, .publicKey, .rsaPublicKey, .privateKey, .encryptedPrivateKey, .pkcs7]
      .contains(kind) ? (kind, true) : nil
  }

  /// What a PEM block holds, by its first line; nil for another text.
  static func kind(ofPEM beginning: ArraySlice<UInt8>) -> TextKind? {
    guard beginning.starts(with: "-----BEGIN ".utf8) else { return nil }
    if beginning.firstRange(ofBytes: "PRIVATE KEY") != nil { return .privateKey }
    return beginning.firstRange(ofBytes: "CERTIFICATE") != nil ? .certificate : .publicKey
  }

  /// The name of a setting or attribute that stands before a value on its line.
  private static func name(before part: ArraySlice<UInt8>) -> String {
    let words = String(decoding: part, as: UTF8.self).split { " \t\"'<>=".contains($0) }
    guard let name = words.last(where: { $0.contains(where: \.isLetter) }),
      name.utf8.count <= 48,
      name.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "_.-:;/".utf8.contains($0) }
      )
    else { return "" }
    return ", behind \(name)"
  }
}

/// The member of JSON that holds a certificate or key.
struct KeyMember: Sendable {
  /// As `jq` has it, such as `.data["tls.crt"]`.
  let path: String
  let kind: TextKind
  /// Whether it is base64, and not PEM as it is.
  let isBase64: Bool

  /// The first member with a certificate or public key, else the first with a private key; and whether one has a private key.
  static func first(in json: JSONValue) -> (member: KeyMember, hasPrivate: Bool)? {
    var found: [KeyMember] = []
    JSONPath.eachString(in: json) { path, text in
      if let (kind, isBase64) = kind(of: text) {
        found.append(KeyMember(path: path, kind: kind, isBase64: isBase64))
      }
      return found.count < 16
    }
    return (found.first { !$0.kind.isPrivate } ?? found.first).map {
      ($0, found.contains(where: \.kind.isPrivate))
    }
  }

  private static func kind(of text: String) -> (TextKind, isBase64: Bool)? {
    if let kind = KeySearch.kind(ofPEM: Array(text.utf8.prefix(64))[...]) { return (kind, false) }
    guard KeySearch.beginnings.contains(where: { text.hasPrefix($0) }) else { return nil }
    return KeySearch.kind(of: Array(text.utf8)[...]).map { ($0.0, true) }
  }
}
