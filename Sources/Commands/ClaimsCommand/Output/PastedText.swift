import Federation
import LocalFiles
import SecurityKeys

/// The tokens of a text that has several, for a person to choose from.
enum PastedText {
  /// Nothing for fewer than two.
  static func lines(_ tokens: [PastedToken]) -> [String] {
    guard tokens.count > 1 else { return [] }
    return ["several tokens: pass one of them alone"]
      + tokens.enumerated().map { number, pasted in
        "  \(number + 1)  \(pasted.place): \(pasted.token.format) of "
          + "\(ShownText.line(pasted.token.unverifiedFacts.issuer)), \(pasted.octets.count) bytes, "
          + SecretMark.digest(pasted.octets)
      } + [""]
  }
}
