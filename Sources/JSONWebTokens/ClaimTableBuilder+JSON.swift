import Claims
import StrictJSON

extension ClaimTableBuilder {
  /// The place of a member's value in the payload: a string as it is, anything else as its JSON text.
  mutating func place(of value: JSONValue) -> ClaimText {
    guard let text = value.string else { return ClaimText(value.range) }
    let inside = value.range.dropFirst().dropLast()
    // Every escape is longer than what it stands for.
    return text.utf8.count == inside.count ? ClaimText(inside) : add(text)
  }
}
