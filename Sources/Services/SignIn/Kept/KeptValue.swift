package import TokenBasics

/// Named members that are kept together. The type names each member once, in ``members(_:)``: a new member is one line there.
///
/// A member that is added later is one that a value may lack, since stores have values of before. Members that are not named
/// are passed over, so that a node of the release before reads what a newer node keeps.
package protocol KeptRecord: KeptMember {
  /// A value without content, whose members are then read.
  static var blank: Self { get }
  /// Writes the members, or reads them into this value.
  mutating func members(_ kept: inout KeptMembers)
}

extension KeptRecord {
  package func write(kept json: inout JSONWriter) { KeptMembers.write(self, nil, to: &json) }

  package init?(kept json: JSONValue) {
    guard let record: Self = KeptMembers.read(json) else { return nil }
    self = record
  }
}

/// What a ``ValueStore`` keeps under a ``KeptName``, as octets that are sealed for that name.
package protocol StoredValue {
  /// The octets from which ``init(stored:)`` makes the same value.
  var stored: [UInt8] { get }
  /// Reads the octets; nil for other octets, and for an unknown version.
  init?(stored octets: [UInt8])
}

/// A record that a store or a sealed text holds, with the version of its form (`v`).
///
/// A value of an unknown version is discarded, as if there were none. A value without a version has the first.
package protocol KeptValue: KeptRecord, StoredValue {
  /// The version that is written, and the only one that is read. It changes where nodes of the release before would
  /// misunderstand the members.
  static var version: Int { get }
}

extension KeptValue {
  package static var version: Int { 1 }

  package func write(kept json: inout JSONWriter) {
    KeptMembers.write(self, Self.version, to: &json)
  }

  package init?(kept json: JSONValue) {
    guard KeptVersion.isRead(json["v"], Self.version), let value: Self = KeptMembers.read(json)
    else { return nil }
    self = value
  }

  /// The value as JSON in UTF-8, with its version.
  package var json: [UInt8] { KeptVersion.json(of: self) }

  /// Reads what ``json`` wrote; nil for any other text, and for an unknown version.
  package init?(json octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets) else { return nil }
    self.init(kept: json)
  }
}

extension KeptValue {
  package var stored: [UInt8] { json }

  package init?(stored octets: [UInt8]) { self.init(json: octets) }
}

/// The version of a kept value.
enum KeptVersion {
  /// Whether a version is the one that is read; without a version it is the first.
  static func isRead(_ json: JSONValue?, _ version: Int) -> Bool {
    guard let json else { return version == 1 }
    return json.integer == version
  }

  static func json(of value: some KeptValue) -> [UInt8] {
    var json = JSONWriter()
    value.write(kept: &json)
    return json.bytes
  }
}

/// A kept value inside of another, as one text of JSON.
struct KeptJSON<Value: KeptValue>: KeptText {
  let value: Value

  init(_ value: Value) { self.value = value }

  init?(keptText text: String) {
    guard let value = Value(json: Array(text.utf8)) else { return nil }
    self.value = value
  }

  var keptText: String { String(decoding: value.json, as: UTF8.self) }
}
