package import HTTPExchange
package import TokenBasics

/// A value that can be a member of a ``KeptRecord``.
package protocol KeptMember {
  /// Writes the value as JSON.
  func write(kept json: inout JSONWriter)
  /// Reads the JSON that ``write(kept:)`` wrote; nil for JSON of another form.
  init?(kept json: JSONValue)
}

extension String: KeptMember {
  package func write(kept json: inout JSONWriter) { json.string(self) }

  package init?(kept json: JSONValue) {
    guard let text = json.string else { return nil }
    self = text
  }
}

extension Bool: KeptMember {
  package func write(kept json: inout JSONWriter) { json.bool(self) }

  package init?(kept json: JSONValue) {
    guard let value = json.bool else { return nil }
    self = value
  }
}

extension Int: KeptMember {
  package func write(kept json: inout JSONWriter) { json.integer(self) }

  package init?(kept json: JSONValue) {
    guard let value = json.integer else { return nil }
    self = value
  }
}

extension Instant: KeptMember {
  /// Writes the seconds since the epoch; fractions of a second are lost.
  package func write(kept json: inout JSONWriter) { json.integer(Int(seconds)) }

  package init?(kept json: JSONValue) {
    guard let seconds = json.integer else { return nil }
    self.init(secondsSinceEpoch: Int64(seconds))
  }
}

extension Array: KeptMember where Element: KeptMember {
  package func write(kept json: inout JSONWriter) {
    json.array { json in for element in self { element.write(kept: &json) } }
  }

  /// Reads the elements; nil where one of them cannot be read.
  package init?(kept json: JSONValue) {
    guard let list = json.array else { return nil }
    self.init()
    reserveCapacity(list.count)
    for json in list {
      guard let element = Element(kept: json) else { return nil }
      append(element)
    }
  }
}

/// A value that is kept as one text, such as an address or the case of an enumeration.
package protocol KeptText: KeptMember {
  /// The text from which ``init(keptText:)`` makes the same value.
  var keptText: String { get }
  /// Reads the text; nil for text that stands for no value.
  init?(keptText text: String)
}

extension KeptText {
  package func write(kept json: inout JSONWriter) { json.string(keptText) }

  package init?(kept json: JSONValue) {
    guard let text = json.string else { return nil }
    self.init(keptText: text)
  }
}

extension KeptText where Self: RawRepresentable, RawValue == String {
  package var keptText: String { rawValue }

  package init?(keptText text: String) { self.init(rawValue: text) }
}

extension Secret: KeptText {
  package var keptText: String { revealed }

  package init?(keptText text: String) { self.init(text) }
}

extension ReturnPath: KeptText {
  package var keptText: String { text }

  package init?(keptText text: String) {
    guard let path = try? ReturnPath(text) else { return nil }
    self = path
  }
}

/// A value that is kept as a list of texts whose order says what each of them is.
package protocol KeptTexts: KeptMember {
  /// The texts from which ``init(keptTexts:)`` makes the same value.
  var keptTexts: [String] { get }
  /// Reads the texts; nil for another number of them, or texts that stand for no value.
  init?(keptTexts texts: [String])
}

extension KeptTexts {
  package func write(kept json: inout JSONWriter) { keptTexts.write(kept: &json) }

  package init?(kept json: JSONValue) {
    guard let texts = [String](kept: json) else { return nil }
    self.init(keptTexts: texts)
  }
}

/// Texts without spaces, such as scopes, which are kept as one text with a space between them.
package struct SpacedTexts: KeptText, Equatable {
  /// The texts.
  package var texts: [String]

  /// A list of texts.
  package init(_ texts: [String]) { self.texts = texts }

  package init?(keptText text: String) {
    texts = text.split(separator: " ").map(String.init)
  }

  package var keptText: String { texts.joined(separator: " ") }
}
