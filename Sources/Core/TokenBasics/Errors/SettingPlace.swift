/// A line and a column of a text, both from 1.
package struct LinePlace: Sendable, CustomStringConvertible {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Reads the form that ``description`` writes.
  package init?(_ text: String) {
    let numbers = text.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
    guard numbers.count == 2 else { return nil }
    self.init(line: numbers[0], column: numbers[1])
  }

  package var description: String { "line \(line), column \(column)" }
}

/// Where a configuration file has an error, and the sentence that tells it.
package struct SettingPlace: Sendable, CustomStringConvertible {
  /// The file, as the person named it; nil for a file without a name.
  package var file: String?
  package let place: LinePlace
  package let sentence: String
  /// The known member that an unknown one is probably meant for; nil for another error, and where none is like it.
  package var suggestion: String?

  package init(_ place: LinePlace, sentence: String) {
    self.place = place
    self.sentence = sentence
  }

  /// `FILE:LINE:COLUMN: SENTENCE`, as compilers write it.
  package var description: String {
    guard let file else { return "\(place): \(sentence)" }
    return "\(file):\(place.line):\(place.column): \(sentence)"
  }
}
