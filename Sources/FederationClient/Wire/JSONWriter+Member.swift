package import StrictJSON

extension JSONWriter {
  /// A member that is a string; nothing when there is none.
  package mutating func member(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    self.name(name)
    string(text)
  }
}
