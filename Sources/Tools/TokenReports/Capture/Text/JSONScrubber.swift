import Octets
import TokenBasics

/// Replaces the values of a JSON text, whether it is well-formed or not: brackets, colons, commas, quotes and
/// white space stay, and of what is between them only names of standards, truth values and times.
struct JSONScrubber {
  /// An object or array that is open.
  private struct Level {
    let isObject: Bool
    /// The member whose value comes next, or whose value the array is.
    var member: String
  }

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
    var levels = [Level(isObject: true, member: "")]
    var place = 0
    while place < octets.count {
      let byte = octets[place]
      if byte == UInt8(ascii: "\"") {
        let end = stringEnd(place + 1)
        let inside = octets[min(place + 1, end)..<end]
        output.append(byte)
        if isName(end) {
          levels[levels.count - 1].member = String(
            decoding: ReversibleText(json: inside).decoded, as: UTF8.self)
          output += name(inside)
        } else {
          output += string(inside, levels[levels.count - 1])
          finishValue(&levels)
        }
        place = end
        if place < octets.count {
          output.append(byte)
          place += 1
        }
      } else if Self.isBare(byte) {
        let end = octets[place...].firstIndex { !Self.isBare($0) } ?? octets.count
        output += bare(octets[place..<end], levels[levels.count - 1])
        finishValue(&levels)
        place = end
      } else {
        follow(byte, &levels)
        output.append(byte)
        place += 1
      }
    }
    return output
  }

  private func follow(_ byte: UInt8, _ levels: inout [Level]) {
    switch byte {
    case UInt8(ascii: "{"): levels.append(Level(isObject: true, member: ""))
    case UInt8(ascii: "["):
      levels.append(Level(isObject: false, member: levels[levels.count - 1].member))
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if levels.count > 1 { levels.removeLast() }
      finishValue(&levels)
    case UInt8(ascii: ","): finishValue(&levels)
    default: break
    }
  }

  /// What follows a member's value is not the member's.
  private func finishValue(_ levels: inout [Level]) {
    if levels[levels.count - 1].isObject { levels[levels.count - 1].member = "" }
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

  /// Whether it is part of a number, a literal, or what is neither.
  private static func isBare(_ byte: UInt8) -> Bool {
    !ASCII.isWhiteSpace(byte) && !structure.contains(byte)
  }

  private static let structure = Array("{}[]:,\"".utf8)

  private func name(_ source: ArraySlice<UInt8>) -> [UInt8] {
    let text = ReversibleText(json: source)
    let isKept = ClaimTypeText.members.contains(String(decoding: text.decoded, as: UTF8.self))
    if isKept { replacer.kept.insert(String(decoding: text.decoded, as: UTF8.self)) }
    return isKept
      ? Array(source) : text.encoding(replacer.value(text.decoded, "member name", keeping: .names))
  }

  private func string(_ source: ArraySlice<UInt8>, _ level: Level) -> [UInt8] {
    let member = level.member
    if level.isObject, let made = content(member, source) { return made }
    let text = ReversibleText(json: source)
    if member == "crit",
      ClaimTypeText.members.contains(String(decoding: text.decoded, as: UTF8.self))
    {
      return Array(source)
    }
    if level.isObject, Self.times.contains(member),
      let made = replacer.time(TimeText.dateTime(text.decoded[...]))
    {
      return made
    }
    let place = ClaimTypeText.members.contains(member) ? "member \(member)" : "other member"
    return text.encoding(
      replacer.value(
        text.decoded, place, keeping: Self.parameters.contains(member) ? .names : .identifiers))
  }

  /// A number, a literal, or what is neither.
  private func bare(_ word: ArraySlice<UInt8>, _ level: Level) -> [UInt8] {
    let text = String(decoding: word, as: UTF8.self)
    if ["true", "false", "null"].contains(text) {
      replacer.kept.insert(text)
      return Array(word)
    }
    if level.isObject, Self.times.contains(level.member),
      let made = replacer.time(TimeText.seconds(word))
    {
      return made
    }
    let made = replacer.value(Array(word), "number or bare word", keeping: .nothing)
    return NumberText.shaping(made, like: word) ?? made
  }

  /// Members whose texts are names of a standard.
  private static let parameters: Set<String> = [
    "alg", "enc", "zip", "typ", "cty", "kty", "crv", "use", "key_ops", "tokenType",
  ]

  private static let times: Set<String> = [
    "exp", "nbf", "iat", "auth_time", "updated_at", "created", "expires",
  ]
}
