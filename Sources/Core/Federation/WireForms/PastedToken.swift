import Octets
package import TokenBasics

/// A token inside a text that a person pasted: a header, a form, a page, a command, JSON. What reads it shows it and
/// says where it stood; nothing is judged by where it was found.
package struct PastedToken: Sendable {
  /// The token as it travels.
  package let octets: [UInt8]
  /// Where it stands, such as `the field SAMLResponse`.
  package let place: String
  /// The token as it was read.
  package let token: AnyToken

  /// The tokens in a text that is none itself, in order, each once.
  ///
  /// - Parameter error: Why the text is no token; one that is too large or of another format than is pinned stays so.
  package static func all(
    in octets: [UInt8], as pinned: PinnedFormat?, limits: Limits, after error: TokenError
  ) -> [PastedToken] {
    guard ["input", "xml", "signature"].contains(error.code.family),
      error.code != .inputTooLarge, error.code != .deflateTooLarge, error.code != .formatMismatch,
      octets.count <= min(limits.bytes, Limits.hardByteLimit)
    else { return [] }
    return TokenSearch.tokens(in: octets).compactMap { found in
      guard found.octets != octets,
        let token = try? AnyToken(decoding: found.octets[...], as: pinned, limits: limits)
      else { return nil }
      return PastedToken(octets: found.octets, place: found.place, token: token)
    }
  }
}
