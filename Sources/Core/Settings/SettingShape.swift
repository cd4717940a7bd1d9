/// The values that a member of a configuration file may have.
package indirect enum SettingShape {
  /// A string that is not empty; `pattern` is a regular expression of JSON Schema.
  case text(pattern: String? = nil)
  /// A string that may be empty.
  case anyText
  /// One of some words.
  case words([String])
  case flag
  /// `true` alone.
  case yes
  case whole(ClosedRange<Int>)
  /// A list with at least `least` elements.
  case list(SettingShape, least: Int = 0)
  case object(SettingsDescription)
  /// Objects of several kinds: the first whose marks a value has one of. The last kind has no marks.
  case kinds([(kind: SettingsKind, description: SettingsDescription)])
  /// An object whose member names the file chooses.
  case map(SettingShape)
  case either([SettingShape])
  /// A JSON Schema, as JSON.
  case schema(String)
}

/// One of several kinds of objects in a list.
package struct SettingsKind: Sendable {
  package let name: String
  /// The members that tell this kind from those after it.
  package let marks: [String]

  package init(_ name: String, marks: [String] = []) {
    self.name = name
    self.marks = marks
  }
}

/// A member as its declaration describes it.
package struct SettingMember {
  package let name: String
  /// What the member means, for people, in Markdown.
  package let words: String
  package let shape: SettingShape
  package let isRequired: Bool
  /// What holds without the member, in Markdown; nil for nothing to say.
  package let without: String?
}

/// The members of an object.
package final class SettingsDescription {
  package internal(set) var members: [SettingMember] = []
  /// JSON Schemas for what holds between members, as JSON.
  package internal(set) var rules: [String] = []

  init() {}
}
