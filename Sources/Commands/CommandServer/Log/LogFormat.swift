#if Server
  import LocalFiles
  import Octets
  import TokenBasics

  /// The form of a line of the log. A program can read every line, whatever a stranger wrote into a value.
  package enum LogFormat: String, CaseIterable, Sendable {
    /// The time, the event, and its attributes as logfmt: `name=value`, where a value with other characters than letters, digits and
    /// common marks stands between quotes.
    case text
    /// A JSON object per line.
    case json

    /// A line.
    ///
    /// - Parameters:
    ///   - time: The time in RFC 3339.
    ///   - event: The name of the event, a word.
    ///   - attributes: Names, words each, and values.
    func line(
      _ time: String, _ event: String, _ attributes: [(name: String, value: String)]
    ) -> String {
      switch self {
      case .text:
        var line = time + " " + event
        for (name, value) in attributes { line += " \(name)=\(Self.quoted(value))" }
        return line
      case .json:
        var writer = JSONWriter()
        writer.object { json in
          json.name("time")
          json.string(time)
          json.name("event")
          json.string(event)
          // A name stands in an object once; the first value counts.
          var seen: Set<String> = ["time", "event"]
          for (name, value) in attributes where seen.insert(name).inserted {
            json.name(text: name)
            json.string(ShownText.line(value))
          }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
      }
    }

    /// A value as it is, or between quotes, with `"` and `\` escaped. What a person cannot see is shown as `\u{…}`.
    private static func quoted(_ value: String) -> String {
      let shown = ShownText.line(value)
      let isPlain =
        !shown.isEmpty && shown.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !isSpecial($0) }
      guard !isPlain else { return shown }
      var text = "\""
      for scalar in shown.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
      return text + "\""
    }

    private static func isSpecial(_ octet: UInt8) -> Bool {
      octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "=") || octet == UInt8(ascii: "\\")
    }
  }
#endif
