package import StrictJSON

extension JSONWriter {
  /// Writes a string member; nothing for nil.
  package mutating func member(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    self.name(name)
    string(text)
  }
}
