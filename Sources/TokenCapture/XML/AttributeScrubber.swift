import Octets
import TokenMutation

/// Replaces names and values of the attributes of one element.
struct AttributeScrubber {
  private let text: XMLText
  private let index: Int
  private let replacer: Replacer
  private let isKnown: Bool

  init(_ text: XMLText, _ index: Int, _ replacer: Replacer) {
    self.text = text
    self.index = index
    self.replacer = replacer
    isKnown = text.isKnown(index)
  }

  func name(_ name: String) -> [UInt8] {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if isKnown { replacer.kept.insert(String(parts[parts.count - 1])) }
    guard parts.count == 2 else {
      return isKnown || name == "xmlns" ? Array(name.utf8) : replacer.name(Array(name.utf8))
    }
    if parts[0] == "xmlns" { return Array("xmlns:".utf8) + replacer.name(Array(parts[1].utf8)) }
    let namespace = text.namespace(ofPrefix: String(parts[0]), at: index)
    guard KnownNamespaces.contains(namespace) else { return replacer.name(Array(name.utf8)) }
    return replacer.name(Array(parts[0].utf8)) + [UInt8(ascii: ":")] + Array(parts[1].utf8)
  }

  func value(_ attribute: XMLText.Attribute) -> [UInt8] {
    let escaped = EscapedText(xml: text.octets[attribute.value])
    return escaped.encoding(value(attribute.name, escaped.decoded))
  }

  private func value(_ name: String, _ value: [UInt8]) -> [UInt8] {
    let local = String(name.split(separator: ":").last ?? "")
    if name == "xmlns" || name.hasPrefix("xmlns:") {
      return replacer.value(value, "namespace", keeping: .names)
    }
    if isKnown, Self.times.contains(local), value.allSatisfy(PublicText.isTimeCharacter) {
      replacer.kept.insert(String(decoding: value, as: UTF8.self))
      return value
    }
    if local == "type" || local == "PrefixList" {
      return Array(
        value.split(separator: ASCII.space, omittingEmptySubsequences: false)
          .map { replacer.name(Array($0)) }.joined(separator: [ASCII.space]))
    }
    if text.elements[index].localName == "StatusCode", local == "Value",
      !value.contains(UInt8(ascii: "/")), !value.starts(with: "urn:".utf8)
    {
      return replacer.name(value)
    }
    return replacer.value(
      value, isKnown ? "attribute \(local)" : "attribute of an unknown element",
      keeping: isKnown ? .names : .identifiers)
  }

  /// Attributes whose digits are times, versions and numbers.
  private static let times: Set<String> = [
    "IssueInstant", "NotBefore", "NotOnOrAfter", "AuthnInstant", "AuthenticationInstant",
    "SessionNotOnOrAfter", "Version", "MajorVersion", "MinorVersion", "mustUnderstand", "Count",
    "space",
  ]
}
