import XMLOracle

/// Changes JSON text by its words: strings, numbers, brackets.
enum JSONMutator {
  static func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var words = words(of: octets)
    guard words.count > 2 else { return ByteMutator.mutate(octets, &random) }
    let index = random.below(words.count)
    switch random.below(9) {
    case 0: words[index] = Array(random.pick(phrases).utf8)
    case 1: words.insert(Array(random.pick(phrases).utf8), at: index)
    case 2: words.remove(at: index)
    case 3: words.swapAt(index, random.below(words.count))
    case 4: words[index] = words[random.below(words.count)]
    case 5:
      // A member, or a part of one, twice.
      let end = min(words.count, index + 4)
      words.insert(contentsOf: Array(words[index..<end]), at: random.below(words.count + 1))
    case 6: words[index] = ByteMutator.mutate(words[index], &random)
    case 7:
      let members = "{" + random.pick(names) + ":" + random.pick(phrases) + ","
      guard let brace = words.firstIndex(of: [UInt8(ascii: "{")]) else { break }
      words[brace] = Array(members.utf8)
    default:
      let depth = 1 + random.below(40)
      let open = Array(repeating: UInt8(ascii: "["), count: depth)
      let close = Array(repeating: UInt8(ascii: "]"), count: depth)
      words[index] = open + words[index] + close
    }
    return Array(words.joined())
  }

  private static func words(of octets: [UInt8]) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var index = 0
    while index < octets.count {
      let start = index
      index += 1
      if octets[start] == UInt8(ascii: "\"") {
        while index < octets.count, octets[index] != UInt8(ascii: "\"") {
          index += octets[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, octets.count)
      } else if !structural.contains(octets[start]) {
        while index < octets.count, !structural.contains(octets[index]), octets[index] != 0x22 {
          index += 1
        }
      }
      words.append(Array(octets[start..<index]))
    }
    return words
  }

  private static let structural = Set("{}[],: \n\t\r".utf8)
  static let names = [
    "\"iss\"", "\"aud\"", "\"exp\"", "\"nbf\"", "\"iat\"", "\"sub\"", "\"jti\"", "\"alg\"",
    "\"crit\"",
    "\"b64\"", "\"kid\"", "\"jwk\"", "\"typ\"", "\"zip\"", "\"\\u0069ss\"", "\"\"", "\"é\"",
    "\"skew\"", "\"audiences\"", "\"issuers\"", "\"name\"", "\"keys\"", "\"formats\"", "\"limits\"",
    "\"depth\"", "\"metadata\"", "\"allow\"", "\"projection\"", "\"decryptionKeys\"",
    "\"certificateDates\"",
  ]
  private static let phrases =
    [
      "0", "-0", "1", "-1", "1893499500", "4102444800", "1e3", "1e400", "0.1", "9007199254740993",
      "99999999999999999999999", "true", "false", "null", "\"\"", "\"none\"", "\"HS256\"",
      "\"RS256\"",
      "\"ES256\"", "\"https://idp.example/idp\"", "\"https://rp.example/saml\"", "\"\\ud800\"",
      "\"\\u0000\"", "\"\\ud83d\\ude00\"", "[]", "{}", "[\"https://rp.example/saml\"]",
      "{\"a\":1,\"a\":2}",
      " ", ",", "//x", "\u{FEFF}", "NaN", "01", "+1", "'a'", "\"a\tb\"", "\"keys/idp-rsa.crt\"",
      "\"hmac-file:keys/hmac-64.key\"", "\"jwks:keys/jwks.json\"", "\"saml20\"", "\"swt\"", "\"*\"",
    ] + names
}
