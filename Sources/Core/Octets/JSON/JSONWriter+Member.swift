extension JSONWriter {
  /// A member that is a string; none for nil.
  package mutating func member(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    self.name(name)
    string(text)
  }

  /// The same for any name.
  package mutating func member(named name: String, _ text: String?) {
    guard let text else { return }
    self.name(text: name)
    string(text)
  }
}
