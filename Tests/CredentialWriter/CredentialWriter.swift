import FederationClient
import Foundation
import TokenBasics

/// Counts in a file of credentials, one write a number: `CredentialWriter STORE KEY NAME COUNT`. Each
/// number goes to standard output when its write is done.
@main
struct CredentialWriter {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let count = Int(arguments[4]) else { exit(2) }
    let store = FileCredentialStore(path: arguments[1], key: .file(arguments[2]))
    let name = arguments[3]
    // Long enough that a write is more than one block.
    let ballast = Secret(String(repeating: "x", count: 20_000))
    for _ in 0..<count {
      let content = try store.update { content in
        for counter in [name, "all"] {
          content.choices[counter] = "\((content.choices[counter].flatMap { Int($0) } ?? 0) + 1)"
        }
        content.secrets["ballast"] = ballast
      }
      let line = (content.choices[name] ?? "") + "\n"
      try FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
    }
  }
}
