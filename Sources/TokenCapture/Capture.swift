package import TokenErrors

/// A token with its values replaced, and what is needed to verify it.
package struct Capture: Sendable {
  /// One file beside the token.
  package struct File: Sendable {
    package let name: String
    package let octets: [UInt8]
  }

  package let token: [UInt8]
  /// The trust and its keys. Private keys and secrets among them were made for this capture.
  package let files: [File]
  /// The arguments of `claims verify`, with the names of the files.
  package let arguments: [String]
  /// The code with which the token and its capture are rejected; nil for accepted.
  package let code: TokenError.Code?
  /// How many values were replaced, by their place.
  package let counts: [(place: String, count: Int)]
  /// What is not as it was, as sentences.
  package let notes: [String]
}
