import CommandSupport
import FederationClient
import LocalFiles
import TokenBasics

/// The choice of the identity provider: a numbered list, answered by a number or by an e-mail address,
/// whose domain selects the provider.
struct ProviderQuestion {
  private let picker: ProviderPicker
  private let buttons: [IdentityProvider]

  init(_ picker: ProviderPicker) {
    self.picker = picker
    buttons = picker.buttons
  }

  /// The text on the screen.
  var text: String {
    var lines = ["Sign in with"]
    for (number, provider) in buttons.enumerated() {
      let remembered = provider.name == picker.lastChoice ? " (last time)" : ""
      lines.append("  \(number + 1)  \(ShownText.line(provider.name))\(remembered)")
    }
    if picker.asksForAddress { lines.append("  or your e-mail address") }
    return lines.joined(separator: "\n")
  }

  /// The provider for an answer; nil if there is none.
  func provider(for answer: String) -> IdentityProvider? {
    if answer.utf8.contains(UInt8(ascii: "@")) {
      return try? picker.provider(forAddress: answer)
    }
    guard let number = Int(answer), buttons.indices.contains(number - 1) else { return nil }
    return buttons[number - 1]
  }

  /// Prompts until an answer is valid; nil for an empty one or the end of the input.
  func ask() -> IdentityProvider? {
    StandardError.write(text)
    let question = picker.asksForAddress ? "Number or address: " : "Number: "
    while let line = Terminal.ask(question) {
      let answer = line.trimmed
      if answer.isEmpty { return nil }
      if let provider = provider(for: answer) { return provider }
      StandardError.write("There is no such provider; an empty line gives up.")
    }
    return nil
  }
}

extension String {
  /// Without white space at either end.
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
