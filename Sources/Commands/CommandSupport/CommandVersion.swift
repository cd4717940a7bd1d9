import SecurityKeys
import TokenBasics
import XMLTree

/// What `--version` says of a command.
package struct CommandVersion: Sendable {
  private let command: String
  private let formats: [String]

  /// - Parameter formats: The token formats that it takes, for programs; none where they are not its business.
  package init(of command: String, formats: [String] = []) {
    self.command = command
    self.formats = formats
  }

  /// A line for the command and for each part whose version decides what it does.
  package var text: String {
    """
    \(command) \(ReleaseNumber.text)
    Swift \(Self.swift)
    libxml2 \(XMLLibrary.version)
    OpenSSL \(CryptographyLibrary.version)
    """
  }

  /// The same for programs, with the formats and how it was built.
  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      let versions = [
        (command, ReleaseNumber.text), ("swift", Self.swift), ("libxml2", XMLLibrary.version),
        ("openssl", CryptographyLibrary.version), ("configuration", Self.configuration),
      ]
      for (name, version) in versions {
        json.member(named: name, version)
      }
      guard !formats.isEmpty else { return }
      json.name("formats")
      json.array { json in for format in formats { json.string(format) } }
      json.name("algorithms")
      json.array { json in
        for (name, algorithm) in SignatureAlgorithm.namesInJOSE where algorithm.isAvailable {
          json.string(name.description)
        }
      }
    }
    return json.bytes
  }

  private static var configuration: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  private static var swift: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
