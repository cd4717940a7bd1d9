import Octets
import TokenReports
import TokenErrors

extension Record {
  /// What a capture replaced: counts by place, never values.
  static func capture(_ capture: Capture, to json: inout JSONWriter) {
    json.object { json in
      json.name("code")
      if let code = capture.code { json.string(code.description) } else { json.null() }
      json.name("bytes")
      json.integer(capture.token.count)
      json.name("replaced")
      json.object { json in
        for (place, count) in capture.counts {
          json.name(text: place)
          json.integer(count)
        }
      }
      json.name("notes")
      json.array { json in for note in capture.notes { json.string(note) } }
      json.name("files")
      json.array { json in
        for file in capture.files { json.string(file.name) }
        json.string("token")
        json.string("README")
      }
    }
    json.endLine()
  }
}

extension Capture {
  /// The text beside the token.
  var readme: String {
    let words = arguments.map { argument in
      let isPlain = argument.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || [0x2D, 0x2E, 0x2F, 0x3A, 0x5F].contains($0)
      }
      return isPlain && !argument.isEmpty ? argument : "'\(argument.replacing("'", with: "'\\''"))'"
    }
    return """
      This token was made by claims capture. Its values are random ones of the same shape, and the keys
      in this folder were made for it: they are trusted nowhere.

      claims verify \(words.joined(separator: " ")) token

      gives: \(code?.description ?? "accepted")

      \(notes.map { "- \($0)" }.joined(separator: "\n"))

      """
  }
}
