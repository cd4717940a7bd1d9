import Octets
import SecurityKeys
import TokenBasics
import XMLOracle

/// Changes a Simple Web Token pair by pair, and usually signs it again, so that the code after the
/// MAC check runs too.
struct PairMutator {
  /// The secret that the target trusts.
  let key: SymmetricKey

  func mutate(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var pairs = octets.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .map { Array($0) }
    let index = random.below(pairs.count)
    switch random.below(11) {
    case 0: pairs.insert(pairs[index], at: random.below(pairs.count + 1))
    case 1: pairs.remove(at: index)
    case 2: pairs.swapAt(index, random.below(pairs.count))
    case 3: pairs[index] = reescape(pairs[index], &random)
    case 4: pairs[index].removeLast(random.below(pairs[index].count + 1))
    case 5: pairs.insert(Array(random.pick(Self.pairs).utf8), at: random.below(pairs.count + 1))
    case 6: pairs[index] = renamed(pairs[index], &random)
    case 7: pairs[index] = valued(pairs[index], &random)
    case 8: pairs[index] += Array(random.pick(Self.values).utf8)
    case 9: pairs[index] = recased(pairs[index], &random)
    default: pairs[index] = ByteMutator.mutate(pairs[index], &random)
    }
    let mutated = Array(pairs.joined(separator: [UInt8(ascii: "&")]))
    return random.chance(65) ? signed(mutated) : mutated
  }

  /// The octets before the last `&HMACSHA256=`, with their MAC.
  func signed(_ octets: [UInt8]) -> [UInt8] {
    var content = octets
    let mark = Array("&HMACSHA256=".utf8)
    if octets.count >= mark.count {
      for start in (0...octets.count - mark.count).reversed()
      where octets[start..<start + mark.count].elementsEqual(mark) {
        content = Array(octets[..<start])
        break
      }
    }
    guard let mac = key.authenticate(content.span, with: .sha256) else { return octets }
    var value = ""
    for character in Base64.encode(mac) {
      switch character {
      case "+": value += "%2b"
      case "/": value += "%2f"
      case "=": value += "%3d"
      default: value.append(character)
      }
    }
    return content + mark + Array(value.utf8)
  }

  private func reescape(_ pair: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    guard !pair.isEmpty else { return pair }
    var pair = pair
    let index = random.below(pair.count)
    guard pair[index] != UInt8(ascii: "%") else { return ByteMutator.mutate(pair, &random) }
    let digits = String(pair[index], radix: 16, uppercase: random.chance(50))
    let escape = "%" + (digits.utf8.count == 1 ? "0" : "") + digits
    pair.replaceSubrange(index...index, with: Array(escape.utf8))
    return pair
  }

  private func renamed(_ pair: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    let value = pair.drop { $0 != UInt8(ascii: "=") }
    return Array(random.pick(Self.names).utf8) + value
  }

  private func valued(_ pair: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    pair.prefix { $0 != UInt8(ascii: "=") } + Array("=\(random.pick(Self.values))".utf8)
  }

  private func recased(_ pair: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    guard let index = pair.indices.randomLetter(of: pair, &random) else { return pair }
    var pair = pair
    pair[index] ^= 0x20
    return pair
  }

  private static let names = [
    "Issuer", "Audience", "ExpiresOn", "HMACSHA256", "issuer", "HMACSHA256%20", "%49ssuer",
    "http%3a%2f%2fschemas.xmlsoap.org%2fws%2f2005%2f05%2fidentity%2fclaims%2fnameidentifier", "",
    "%C3%A9", "e%CC%81", "a",
  ]
  private static let values = [
    "", "%", "%0", "%zz", "%00", "%c3%28", "%e9", "+", "%2B", "a%26b%3Dc", "1893456000", "01",
    "99999999999999999999", "-1", "1e9", "%EF%BB%BF",
    "https%3a%2f%2ftalksns.accesscontrol.windows.net%2f",
    "uri%3atalks.example.org", "=", "==", "%26HMACSHA256%3D",
  ]
  private static let pairs = [
    "", "=", "a", "a=", "=a", "Issuer=", "Audience=uri%3atalks.example.org", "ExpiresOn=4102444800",
    "HMACSHA256=", "HMACSHA256=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3d", "%48MACSHA256=x",
    "hmacsha256=x", "Issuer=https%3a%2f%2ftalksns.accesscontrol.windows.net%2f",
  ]
}

extension Range<Int> {
  fileprivate func randomLetter(of bytes: [UInt8], _ random: inout SplitMix64) -> Int? {
    let letters = filter { ASCII.isLetter(bytes[$0]) }
    return letters.isEmpty ? nil : random.pick(letters)
  }
}
