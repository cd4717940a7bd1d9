package import TokenBasics

/// The error codes of one kind of configuration file.
package struct SettingsCodes: Sendable {
  let unknown: TokenError.Code
  let missing: TokenError.Code
  let value: TokenError.Code

  /// - Parameters:
  ///   - unknown: For a member that no setting declares.
  ///   - missing: For a required member that is missing.
  ///   - value: For a value that its setting refuses.
  package init(unknown: TokenError.Code, missing: TokenError.Code, value: TokenError.Code) {
    self.unknown = unknown
    self.missing = missing
    self.value = value
  }

  /// One code for unknown and missing members.
  package init(member: TokenError.Code, value: TokenError.Code) {
    self.init(unknown: member, missing: member, value: value)
  }
}

/// One configuration file while it is read: collects every error with its line, column and member path.
///
/// A reader asks a ``SettingsObject`` for each member by name, type, bounds and default, with the words that explain it.
/// The same calls describe the file, for its JSON Schema and its table in the documentation: ``description(_:)`` runs
/// the reader once without a file.
package final class SettingsFile {
  private let bytes: [UInt8]
  private let document: JSONValue?
  private let codes: SettingsCodes
  private lazy var places = DocumentPlaces(bytes, document)
  private var found: [(offset: Int, error: TokenError)] = []
  private var objects: [SettingsObject] = []

  package init(_ bytes: [UInt8], _ document: JSONValue, _ codes: SettingsCodes) {
    self.bytes = bytes
    self.document = document
    self.codes = codes
  }

  /// A file without content, which describes itself.
  private init(_ codes: SettingsCodes) {
    bytes = []
    document = nil
    self.codes = codes
  }

  /// The document of a file.
  ///
  /// - Parameter code: For content that is not strict JSON.
  /// - Throws: `code` with the place.
  package static func document(
    _ octets: [UInt8], orThrow code: TokenError.Code
  ) throws(TokenError) -> JSONValue {
    try MemberReader.document(octets, orThrow: code)
  }

  /// The members that a reader asks for.
  ///
  /// - Parameter read: The reader. It asks for all members, whichever are missing.
  package static func description(
    _ codes: SettingsCodes, _ read: (SettingsFile) -> Void
  ) -> SettingsDescription {
    let file = SettingsFile(codes)
    read(file)
    return file.objects.first?.description ?? SettingsDescription()
  }

  /// The object that is the whole file. It may name its JSON Schema, by which an editor checks it.
  package func root() -> SettingsObject {
    if let document, document.members == nil { refuse(document, "an object") }
    let root = object(document)
    _ = root.text(SettingsObject.schema, "the JSON Schema of this file, for an editor")
    return root
  }

  /// An object whose members are asked for.
  func object(_ json: JSONValue?, kind: String = "") -> SettingsObject {
    let object = SettingsObject(self, json, kind: kind, describes: document == nil)
    objects.append(object)
    return object
  }

  /// Whether no error was found so far.
  package var isClean: Bool { found.isEmpty }

  /// Every error in document order, with those about members that no call asked for.
  package func finish() -> [TokenError] {
    for object in objects { refuseUnknownMembers(of: object) }
    objects = []
    return found.enumerated().sorted {
      ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
    }
    .map(\.element.error)
  }

  // MARK: Errors

  /// Refuses a value: "session.lifetime must be …, not …".
  ///
  /// - Parameters:
  ///   - expected: What the value must be, as a noun phrase.
  ///   - shown: What the error shows in place of the value.
  package func refuse(_ json: JSONValue, _ expected: String, showing shown: String? = nil) {
    refuse(
      json, expected, found: shown.map { TokenError.excerpt($0) } ?? DocumentPlaces.shown(json))
  }

  /// Refuses a value that may hold a secret: the error shows its type alone.
  package func refuseSecret(_ json: JSONValue, _ expected: String) {
    refuse(json, expected, found: json.kindName)
  }

  private func refuse(_ json: JSONValue, _ expected: String, found value: String) {
    add(
      codes.value, at: json.range.lowerBound, expected: expected, found: value,
      places.refusal(of: json, expected: expected, found: value))
  }

  /// Adds an error of another kind about a value.
  package func report(_ error: TokenError, at json: JSONValue) {
    var error = error
    let place = self.place(json.range.lowerBound)
    error.node = place.description
    let path = places.path(of: json)
    error.setting = SettingPlace(
      place, sentence: path.isEmpty ? error.cause : "\(path): \(error.cause)")
    found.append((json.range.lowerBound, error))
  }

  /// Adds an error about a required member of an object.
  func refuseMissing(_ name: String, of json: JSONValue) {
    add(
      codes.missing, at: json.range.lowerBound, expected: name, found: "nothing",
      places.missing(name, of: json))
  }

  private func refuseUnknownMembers(of object: SettingsObject) {
    for (name, value) in object.json?.members ?? [] where !object.asked.contains(name) {
      let known = object.asked.joined(separator: ", ")
      add(
        codes.unknown, at: places.nameOffset(before: value), expected: known,
        found: TokenError.excerpt(name), DocumentPlaces.unknownMember(name, known: object.asked))
      found[found.count - 1].error.setting?.suggestion = Spelling.nearest(
        to: name, among: object.asked)
    }
  }

  private func add(
    _ code: TokenError.Code, at offset: Int, expected: String, found value: String,
    _ sentence: String
  ) {
    let place = self.place(offset)
    var error = TokenError(code, node: place.description, expected: expected, found: value)
    error.setting = SettingPlace(place, sentence: sentence)
    found.append((offset, error))
  }

  // MARK: Places

  /// The line and column of a value.
  package func place(_ json: JSONValue) -> String { place(json.range.lowerBound).description }

  private func place(_ offset: Int) -> LinePlace { places.place(of: offset) }
}

extension TokenError {
  /// The message with what was expected and found, without code and place.
  fileprivate var cause: String {
    var text = code.summary
    if let expected { text += ", expected \(expected)" }
    if let found { text += ", found \(found)" }
    return text
  }
}
