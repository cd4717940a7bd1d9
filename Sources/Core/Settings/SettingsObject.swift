package import TokenBasics

/// An object of a configuration file whose members are asked for, each by one call that declares it.
///
/// While a file describes itself, every call returns the value of a member that is missing, and lists and objects have
/// one element, so that the members inside are described too.
package final class SettingsObject {
  package let file: SettingsFile
  /// The object in the file; nil while the file describes itself.
  package let json: JSONValue?
  /// The name of the kind of an object in a list of several kinds.
  package let kind: String
  /// The names of all members that were asked for.
  private(set) var asked: [String] = []
  /// Nil for a file that is read.
  let description: SettingsDescription?

  /// The member that names a JSON Schema.
  package static let schema = "$schema"

  init(_ file: SettingsFile, _ json: JSONValue?, kind: String, describes: Bool) {
    self.file = file
    self.json = json
    self.kind = kind
    description = describes ? SettingsDescription() : nil
    asked.reserveCapacity(16)
  }

  /// The value of a member that another call declares.
  package subscript(name: String) -> JSONValue? { json?[name] }

  /// Declares a member whose value the caller checks.
  ///
  /// - Parameters:
  ///   - words: What the member means, for people, in Markdown.
  ///   - without: What holds without the member, in Markdown.
  /// - Returns: the value; nil for a member that is missing.
  package func value(
    _ name: String, _ words: @autoclosure () -> String, _ shape: @autoclosure () -> SettingShape,
    required: Bool = false, without: @autoclosure () -> String? = nil
  ) -> JSONValue? {
    asked.append(name)
    if let description {
      description.members.append(
        SettingMember(
          name: name, words: words(), shape: shape(), isRequired: required, without: without()))
      return nil
    }
    guard let json, json.members != nil else { return nil }
    guard let value = json[name] else {
      if required { file.refuseMissing(name, of: json) }
      return nil
    }
    return value
  }

  /// Declares a rule between members that only the JSON Schema states here; the reader checks it elsewhere.
  package func rule(_ schema: @autoclosure () -> String) {
    description?.rules.append(schema())
  }

  /// A string that is not empty.
  package func text(
    _ name: String, _ words: @autoclosure () -> String, pattern: String? = nil,
    required: Bool = false,
    without: @autoclosure () -> String? = nil
  ) -> String? {
    let value = value(
      name, words(), .text(pattern: pattern), required: required, without: without())
    return value.flatMap { file.text($0) }
  }

  /// A list of strings; empty without the member.
  package func texts(
    _ name: String, _ words: @autoclosure () -> String, pattern: String? = nil, least: Int = 0,
    without: @autoclosure () -> String? = nil
  ) -> [String] {
    let value = value(
      name, words(), .list(.text(pattern: pattern), least: least), without: without())
    return value.map { file.texts($0) } ?? []
  }

  /// `true` or `false`.
  package func flag(
    _ name: String, _ words: @autoclosure () -> String, default standard: Bool = false
  ) -> Bool {
    let value = value(name, words(), .flag, without: "`\(standard)`")
    return value.flatMap { file.flag($0) } ?? standard
  }

  /// A whole number within a range.
  package func whole(
    _ name: String, _ words: @autoclosure () -> String, _ range: ClosedRange<Int>,
    unit: String = "",
    default standard: Int
  ) -> Int {
    let value = value(name, words(), .whole(range), without: "\(standard)")
    return value.flatMap { file.whole($0, range, unit: unit) } ?? standard
  }

  /// A whole number within a range; nil without the member.
  package func whole(
    _ name: String, _ words: @autoclosure () -> String, _ range: ClosedRange<Int>,
    unit: String = "",
    without: @autoclosure () -> String? = nil
  ) -> Int? {
    let value = value(name, words(), .whole(range), without: without())
    return value.flatMap { file.whole($0, range, unit: unit) }
  }

  /// One of the words of a type.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ words: @autoclosure () -> String, of type: Choice.Type = Choice.self,
    required: Bool = false,
    without: @autoclosure () -> String? = nil
  ) -> Choice? {
    let value = value(
      name, words(), .words(Choice.allCases.map(\.rawValue)), required: required, without: without()
    )
    guard let value else { return nil }
    guard let choice = value.string.flatMap(Choice.init(rawValue:)) else {
      file.refuse(value, SettingsFile.alternatives(Choice.allCases.map(\.rawValue)))
      return nil
    }
    return choice
  }

  /// An object with members of its own; nil without the member.
  package func object(
    _ name: String, _ words: @autoclosure () -> String, required: Bool = false,
    without: @autoclosure () -> String? = nil
  ) -> SettingsObject? {
    let inner = description.map { _ in file.object(nil) }
    let value = value(
      name, words(), .object(inner?.description ?? SettingsDescription()), required: required,
      without: without())
    if let inner { return inner }
    return value.flatMap { file.checkedObject($0) }
  }

  /// A list of objects; empty without the member.
  package func objects(
    _ name: String, _ words: @autoclosure () -> String, least: Int = 0, required: Bool = false,
    without: @autoclosure () -> String? = nil
  ) -> [SettingsObject] {
    let inner = description.map { _ in file.object(nil) }
    let value = value(
      name, words(), .list(.object(inner?.description ?? SettingsDescription()), least: least),
      required: required, without: without())
    if let inner { return [inner] }
    return value.map { file.list($0, least: least) }?.compactMap { file.checkedObject($0) } ?? []
  }

  /// A list of objects of several kinds; empty without the member.
  ///
  /// - Parameter kinds: An object has the first kind of which it has a mark, and otherwise the last one.
  package func objects(
    _ name: String, _ words: @autoclosure () -> String, kinds: [SettingsKind],
    required: Bool = false,
    without: @autoclosure () -> String? = nil
  ) -> [SettingsObject] {
    let inner = description.map { _ in kinds.map { file.object(nil, kind: $0.name) } }
    let value = value(
      name, words(),
      .list(
        .kinds(
          zip(kinds, inner ?? []).map { ($0, $1.description ?? SettingsDescription()) })),
      required: required, without: without())
    if let inner { return inner }
    return value.map { file.list($0) }?.compactMap { item in
      let kind = kinds.first { $0.marks.contains { item[$0] != nil } } ?? kinds.last
      return file.checkedObject(item, kind: kind?.name ?? "")
    } ?? []
  }

  /// The members of an object of strings, in order; empty without the member.
  package func pairs(
    _ name: String, _ words: @autoclosure () -> String, without: @autoclosure () -> String? = nil
  ) -> [(name: String, value: String)] {
    guard let value = value(name, words(), .map(.text()), without: without()) else { return [] }
    guard let members = value.members else {
      file.refuse(value, "an object of strings")
      return []
    }
    return members.compactMap { name, value in file.text(value).map { (name, $0) } }
  }
}

extension SettingsFile {
  /// The object that a value is.
  func checkedObject(_ json: JSONValue, kind: String = "") -> SettingsObject? {
    guard json.members != nil else {
      refuse(json, "an object")
      return nil
    }
    return object(json, kind: kind)
  }

  /// A string that is not empty.
  package func text(_ json: JSONValue) -> String? {
    guard let text = json.string, !text.isEmpty else {
      refuse(json, "a string that is not empty")
      return nil
    }
    return text
  }

  /// A list of strings.
  package func texts(_ json: JSONValue) -> [String] { list(json).compactMap { text($0) } }

  /// A list; empty for a value that is refused.
  package func list(_ json: JSONValue, least: Int = 0) -> [JSONValue] {
    guard let list = json.array, list.count >= least else {
      refuse(json, least == 0 ? "a list" : "a list that is not empty")
      return []
    }
    return list
  }

  package func flag(_ json: JSONValue) -> Bool? {
    if json.bool == nil { refuse(json, "true or false") }
    return json.bool
  }

  /// A whole number within a range.
  ///
  /// - Parameter unit: Such as `seconds`.
  package func whole(_ json: JSONValue, _ range: ClosedRange<Int>, unit: String) -> Int? {
    guard let number = json.integer, range.contains(number) else {
      let kind = unit.isEmpty ? "a whole number" : "a number of \(unit)"
      refuse(json, "\(kind) from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return number
  }

  /// The words of a choice: "a, b or c".
  package static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return "\(words.dropLast().joined(separator: ", ")) or \(last)"
  }
}
