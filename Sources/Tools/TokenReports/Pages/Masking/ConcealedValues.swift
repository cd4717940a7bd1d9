import Claims
import Federation
import TokenBasics
import XMLTree

/// The values of a token that a masked page does not show, which messages may repeat.
enum ConcealedValues {
  static func of(_ layers: WireLayers) -> [String] {
    var values = layers.document.map(of) ?? []
    guard let token = layers.innermost else { return values }
    switch token.kind {
    case .pairs:
      for (name, value) in PairsSection.pairs(token.octets).prefix(PageLimits.knownValues)
      where !MemberVisibility.pairs.contains(PairsSection.decoded(name)) {
        values.append(PairsSection.decoded(value))
      }
    case .compactJWS:
      let parts = CompactTokenSection.parts(token.octets)
      for (part, visible) in zip(parts, [MemberVisibility.header, MemberVisibility.payload]) {
        for member in CompactTokenSection.json(part)?.members ?? []
        where !visible.contains(member.name) {
          add(member.value, to: &values)
        }
      }
      for text in CompactTokenSection.disclosures(token.octets) {
        if let json = CompactTokenSection.json(text) { add(json, to: &values) }
      }
    default: break
    }
    return values
  }

  /// The masked texts and attributes of a document.
  static func of(_ document: Document) -> [String] {
    var values: [String] = []
    var open: [Element] = []
    for step in DocumentWalk(document) {
      guard values.count < PageLimits.knownValues else { break }
      switch step {
      case .start(let element):
        open.append(element)
        for attribute in element.attributes where !XMLVisibility.shows(attribute, of: element) {
          values.append(element.string(attribute.value))
        }
      case .end: open.removeLast()
      case .text(let range):
        guard let element = open.last, !XMLVisibility.showsText(of: element) else { continue }
        let text = element.string(range)
        if !text.unicodeScalars.allSatisfy({ $0.properties.isWhitespace }) { values.append(text) }
      case .comment, .instruction: continue
      }
    }
    return values
  }

  private static func add(_ json: JSONValue, to values: inout [String]) {
    guard values.count < PageLimits.knownValues else { return }
    switch json.kind {
    case .object(let members): for member in members { add(member.value, to: &values) }
    case .array(let elements): for element in elements { add(element, to: &values) }
    // Words of the language, not of the token.
    case .null, .bool: break
    case .number, .string: values.append(MemberView.text(json))
    }
  }
}
