import Octets

/// The providers whose statements count for a rule, a header, or a member of the signed identity.
public enum CountedProviders: Hashable, Sendable {
  /// The file names none, which is right while there is one issuer.
  case unsaid
  /// Every provider, and every issuer of bearer tokens.
  case any
  /// The providers and issuers with these identifiers.
  case only([String])

  /// The identifiers; nil where every provider counts.
  public var identifiers: [String]? {
    if case .only(let identifiers) = self { identifiers } else { nil }
  }

  /// Whether the statements of a provider count.
  func contains(_ provider: String) -> Bool { identifiers?.containsBytes(of: provider) ?? true }

  /// Whether more than one provider may count by the file's own words, so that two of them may state one name.
  var mayBeSeveral: Bool {
    switch self {
    case .unsaid: false
    case .any: true
    case .only(let identifiers): identifiers.count > 1
    }
  }
}

/// A place of the gate's file that reads a claim, and does not say whose.
struct UnsaidClaim: Hashable, Sendable {
  /// The line and column.
  let place: String
  /// The name of the header, or of the member of the signed identity; empty for a rule.
  let name: String
  /// The claim as the file names it.
  let claim: String

  /// The error, which says what to write.
  ///
  /// - Parameter provider: An identifier for the example.
  func error(naming provider: String) -> TokenError {
    TokenError(
      .gateClaimProvider, node: place,
      expected: remedy(provider) + ", a list of identifiers, or \"any\"",
      found: "a claim of whichever provider")
  }

  /// What to write.
  private func remedy(_ provider: String) -> String {
    let source = "\"provider\": \"\(provider)\""
    return name.isEmpty
      ? "\(source) beside \"claim\": \"\(claim)\""
      : "\"\(name)\": {\"claim\": \"\(claim)\", \(source)}"
  }
}
