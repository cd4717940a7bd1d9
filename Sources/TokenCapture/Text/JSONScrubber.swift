import Octets

/// Replaces the values of a JSON text, whether it is well-formed or not, and keeps everything else.
struct JSONScrubber {
  private let octets: [UInt8]
  private let replacer: Replacer
  /// Makes the contents of members that are read elsewhere.
  private let content: (String, ArraySlice<UInt8>) -> [UInt8]?

  init(
    _ octets: [UInt8], _ replacer: Replacer,
    content: @escaping (String, ArraySlice<UInt8>) -> [UInt8]? = { _, _ in nil }
  ) {
    self.octets = octets
    self.replacer = replacer
    self.content = content
  }

  func scrub() -> [UInt8] {
    var output: [UInt8] = []
    var member = ""
    var place = 0
    while place < octets.count {
      let byte = octets[place]
      if byte == UInt8(ascii: "\"") {
        let end = stringEnd(place + 1)
        let inside = octets[(place + 1)..<end]
        output.append(byte)
        if isName(end) {
          member = String(decoding: EscapedText(json: inside).decoded, as: UTF8.self)
          output += name(inside)
        } else {
          output += content(member, inside) ?? string(inside, member)
        }
        place = end
        if place < octets.count {
          output.append(byte)
          place += 1
        }
      } else if ASCII.isLetter(byte) || ASCII.isDigit(byte) {
        let end = octets[place...].firstIndex { !isWordCharacter($0) } ?? octets.count
        output += bare(octets[place..<end], member)
        place = end
      } else {
        output.append(byte)
        place += 1
      }
    }
    return output
  }

  private func stringEnd(_ start: Int) -> Int {
    var place = start
    while place < octets.count, octets[place] != UInt8(ascii: "\"") {
      place += octets[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(place, octets.count)
  }

  private func isName(_ end: Int) -> Bool {
    octets.dropFirst(end + 1).first { !ASCII.isWhiteSpace($0) } == UInt8(ascii: ":")
  }

  private func isWordCharacter(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: ".")
  }

  private func name(_ source: ArraySlice<UInt8>) -> [UInt8] {
    let text = EscapedText(json: source)
    let isKept = ClaimTypeText.members.contains(String(decoding: text.decoded, as: UTF8.self))
    if isKept { replacer.kept.insert(String(decoding: text.decoded, as: UTF8.self)) }
    return isKept
      ? Array(source) : text.encoding(replacer.value(text.decoded, "member name", keeping: .names))
  }

  private func string(_ source: ArraySlice<UInt8>, _ member: String) -> [UInt8] {
    let text = EscapedText(json: source)
    if member == "crit",
      ClaimTypeText.members.contains(String(decoding: text.decoded, as: UTF8.self))
    {
      return Array(source)
    }
    let place = ClaimTypeText.members.contains(member) ? "member \(member)" : "other member"
    if Self.times.contains(member), text.decoded.allSatisfy(PublicText.isTimeCharacter) {
      replacer.kept.insert(String(decoding: text.decoded, as: UTF8.self))
      return Array(source)
    }
    return text.encoding(
      replacer.value(
        text.decoded, place, keeping: Self.parameters.contains(member) ? .names : .identifiers))
  }

  /// A number, a literal, or what is neither.
  private func bare(_ word: ArraySlice<UInt8>, _ member: String) -> [UInt8] {
    let text = String(decoding: word, as: UTF8.self)
    if ["true", "false", "null"].contains(text) || Self.times.contains(member) {
      replacer.kept.insert(text)
      return Array(word)
    }
    var made = replacer.value(Array(word), "number or bare word", keeping: .nothing)
    guard let first = word.first, ASCII.isDigit(first) else { return made }
    for (place, byte) in word.enumerated()
    where byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      made[place] = byte
    }
    // No number begins with more zeros than before, or with fewer.
    if first == UInt8(ascii: "0") {
      made[0] = first
    } else if made[0] == UInt8(ascii: "0") {
      made[0] = first == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
    }
    return made
  }

  /// Members whose texts are names of a standard.
  private static let parameters: Set<String> = [
    "alg", "enc", "zip", "typ", "cty", "kty", "crv", "use", "key_ops", "tokenType",
  ]

  private static let times: Set<String> = [
    "exp", "nbf", "iat", "auth_time", "updated_at", "created", "expires",
  ]
}
