import Octets
import TokenMutation
import XMLTree

/// Replaces names and values of the attributes of one element.
struct AttributeScrubber {
  let text: XMLText
  let element: XMLText.Element
  /// Whether the names of the element and its attributes are those of a standard.
  let isKnown: Bool
  let knownAttributes: [Bool]
  let replacer: Replacer

  func name(_ place: Int) -> [UInt8] {
    let source = text.octets[element.attributes[place].nameRange]
    let colon = source.firstIndex(of: UInt8(ascii: ":"))
    let local = source[(colon.map { $0 + 1 } ?? source.startIndex)...]
    let isDeclaration = source.elementsEqual("xmlns".utf8) || source.starts(with: "xmlns:".utf8)
    guard knownAttributes[place], !isDeclaration else { return replacer.name(Array(source)) }
    replacer.kept.insert(String(decoding: local, as: UTF8.self))
    return replacer.name(Array(source[..<local.startIndex])) + local
  }

  func value(_ place: Int) -> [UInt8] {
    let attribute = element.attributes[place]
    let escaped = ReversibleText(xml: text.octets[attribute.value])
    return escaped.encoding(value(attribute.name, escaped.decoded, isKnown: knownAttributes[place]))
  }

  private func value(_ name: String, _ value: [UInt8], isKnown: Bool) -> [UInt8] {
    let local = String(name.split(separator: ":").last ?? "")
    if name == "xmlns" || name.hasPrefix("xmlns:") {
      return replacer.value(value, "namespace", keeping: .names)
    }
    if isKnown, let kept = kept(local, value) { return kept }
    if local == "type" || local == "PrefixList" {
      return Array(
        value.split(separator: ASCII.space, omittingEmptySubsequences: false)
          .map { replacer.name(Array($0)) }.joined(separator: [ASCII.space]))
    }
    if self.isKnown, element.localName == "StatusCode", local == "Value",
      !value.contains(UInt8(ascii: "/")), !value.starts(with: "urn:".utf8)
    {
      return replacer.name(value)
    }
    return replacer.value(
      value, isKnown ? "attribute \(local)" : "attribute of another name",
      keeping: isKnown ? .names : .identifiers)
  }

  /// What stays of a time, a version or a switch.
  private func kept(_ local: String, _ value: [UInt8]) -> [UInt8]? {
    let core = PublicText.trimmed(value)
    var made: [UInt8]?
    if Self.times.contains(local) { made = TimeText.dateTime(core) }
    if Self.versions.contains(local), core.count <= 3, core.allSatisfy(PublicText.isVersion) {
      made = Array(core)
    }
    if Self.switches.contains(local), core == [0x30] || core == [0x31] { made = Array(core) }
    if local == "space", core.elementsEqual("preserve".utf8) || core.elementsEqual("default".utf8) {
      made = Array(core)
    }
    return replacer.time(made).map { value[..<core.startIndex] + $0 + value[core.endIndex...] }
  }

  private static let times: Set<String> = [
    "IssueInstant", "NotBefore", "NotOnOrAfter", "AuthnInstant", "AuthenticationInstant",
    "SessionNotOnOrAfter",
  ]
  private static let versions: Set<String> = ["Version", "MajorVersion", "MinorVersion"]
  private static let switches: Set<String> = [
    "mustUnderstand", "relay", "nil", "ForceAuthn", "IsPassive", "AllowCreate",
  ]
}
