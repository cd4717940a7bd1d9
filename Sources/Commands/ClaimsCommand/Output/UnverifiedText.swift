import Federation
import LocalFiles
import SecurityKeys

/// What a token says, for a person who trusts no key yet: nothing of it is judged.
enum UnverifiedText {
  static func of(
    _ octets: [UInt8], as pinned: PinnedFormat?, decryptedBy trust: Trust
  ) -> String {
    var lines = ["token     \(octets.count) bytes, \(SecretMark.digest(octets))"]
    do throws(TokenError) {
      let token: AnyToken
      do throws(TokenError) {
        token = try AnyToken(decoding: octets[...], as: pinned, limits: Limits())
      } catch {
        let pasted = PastedToken.all(in: octets, as: pinned, limits: Limits(), after: error)
        guard pasted.count == 1, let only = pasted.first else {
          lines += PastedText.lines(pasted)
          throw error
        }
        lines.append("found in  \(only.place)")
        token = only.token
      }
      lines.append("format    \(token.format)")
      lines += self.lines(try token.unverifiedContent(trust))
    } catch {
      lines += Explanation.lines(error)
    }
    lines += [
      "", "not judged: no key is trusted, so whoever made this token could write anything",
      "  to do    name a key with --key, or a file with --trust or --metadata",
    ]
    return ShownText.of(lines.joined(separator: "\n") + "\n")
  }

  private static func lines(_ content: (facts: TokenFacts, claims: ClaimSet)) -> [String] {
    let facts = content.facts
    var lines = ["issuer    " + ShownText.line(facts.issuer)]
    if let subject = facts.subject { lines.append("subject   " + ShownText.line(subject)) }
    lines += facts.audiences.map { "audience  " + ShownText.line($0) }
    if let start = facts.notBefore { lines.append("from      \(start.rfc3339)") }
    if let end = facts.expires { lines.append("until     \(end.rfc3339)") }
    if let id = facts.tokenID { lines.append("id        " + ShownText.line(id)) }
    lines.append("claims")
    lines += content.claims.map {
      "  \(ShownText.line($0.type.name)): \(ShownText.line($0.value))"
    }
    return lines
  }
}
