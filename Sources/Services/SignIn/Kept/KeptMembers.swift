package import TokenBasics

/// Writes or reads the members of a ``KeptRecord``, which names each of them once, for both directions.
package struct KeptMembers: ~Copyable {
  /// The text to which members are written.
  private var writer: JSONWriter
  /// The object from which members are read; nil while members are written.
  private let source: JSONValue?
  /// Whether every member that was read so far is there, where it must be, and of the right form.
  private(set) var isReadable = true

  private init(reading source: JSONValue?) {
    writer = JSONWriter(capacity: 0)
    self.source = source
  }

  /// Whether members are read, and not written.
  package var isReading: Bool { source != nil }

  /// A member that every value has.
  package mutating func member<Value: KeptMember>(_ name: StaticString, _ value: inout Value) {
    guard let source else { return write(name, value) }
    guard let found = source[name.description].flatMap({ Value(kept: $0) }) else {
      isReadable = false
      return
    }
    value = found
  }

  /// A member that a value may lack.
  package mutating func member<Value: KeptMember>(_ name: StaticString, _ value: inout Value?) {
    guard let source else {
      if let value { write(name, value) }
      return
    }
    guard let json = source[name.description] else {
      value = nil
      return
    }
    value = Value(kept: json)
    if value == nil { isReadable = false }
  }

  /// A member that is left out where it has its usual value.
  package mutating func member<Value: KeptMember & Equatable>(
    _ name: StaticString, _ value: inout Value, usually usual: Value
  ) {
    var written = value == usual ? nil : value
    member(name, &written)
    value = written ?? usual
  }

  /// A list that loses those elements that cannot be read, such as values of an unknown version: the others still count.
  package mutating func readableMembers<Value: KeptMember>(
    _ name: StaticString, _ values: inout [Value]
  ) {
    guard let source else { return write(name, values) }
    guard let list = source[name.description]?.array else {
      isReadable = false
      return
    }
    values = list.compactMap { Value(kept: $0) }
  }

  /// Members that other code writes and reads, since more than stores need them.
  package mutating func members<Value>(
    of value: inout Value, write: (Value, inout JSONWriter) -> Void,
    read: (JSONValue) -> Value?
  ) {
    guard let source else { return write(value, &writer) }
    guard let found = read(source) else {
      isReadable = false
      return
    }
    value = found
  }

  /// Refuses what was read: its members contradict each other.
  package mutating func refuse() { isReadable = false }

  private mutating func write(_ name: StaticString, _ value: some KeptMember) {
    writer.name(name)
    value.write(kept: &writer)
  }
}

extension KeptMembers {
  /// Writes a record as an object.
  ///
  /// - Parameter version: The version of the record; nil for a record whose version is that of the value around it.
  static func write(
    _ record: some KeptRecord, _ version: Int?, to json: inout JSONWriter
  ) {
    var record = record
    var members = Self(reading: nil)
    json.object { json in
      swap(&json, &members.writer)
      if let version { members.write(versionName, version) }
      record.members(&members)
      swap(&json, &members.writer)
    }
  }

  /// Reads a record from an object; nil where a member is missing or has another form.
  static func read<Record: KeptRecord>(_ json: JSONValue) -> Record? {
    guard json.members != nil else { return nil }
    var record = Record.blank
    var members = Self(reading: json)
    record.members(&members)
    return members.isReadable ? record : nil
  }

  static let versionName: StaticString = "v"
}
