import Octets
import TokenBasics

/// The parts of a compact token, decoded, with what the signature covers: three of a signed one, of an encrypted one the
/// header, and disclosures behind an SD-JWT.
struct CompactTokenSection: PageSection {
  let octets: [UInt8]
  /// Whether the signature was found valid.
  let isValid: Bool
  let disclosure: Disclosure

  /// The parts of the token as they are written, without what stands behind a `~`.
  static func parts(_ octets: [UInt8]) -> [ArraySlice<UInt8>] {
    octets.prefix { $0 != tilde }
      .split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
  }

  /// The disclosures of an SD-JWT as they are written; none of another token.
  static func disclosures(_ octets: [UInt8]) -> [ArraySlice<UInt8>] {
    Array(
      octets.split(separator: tilde, omittingEmptySubsequences: false).dropFirst().dropLast()
        .prefix(PageLimits.knownValues))
  }

  private static let tilde = UInt8(ascii: "~")

  /// The JSON of a part; nil where it is none.
  static func json(_ part: ArraySlice<UInt8>) -> JSONValue? {
    guard let octets = try? Base64.decode(part.span, .url) else { return nil }
    return try? JSONParser.parse(octets)
  }

  func write(to page: inout HTMLWriter) {
    let parts = Self.parts(octets)
    guard parts.count != 5 else { return encrypted(parts[0], &page) }
    guard parts.count == 3 else {
      page.element(
        .p, text: "There are \(parts.count) parts or more where a signed token has three.")
      OctetsSection(octets: octets, disclosure: disclosure).write(to: &page)
      return
    }
    page.element(.div, .styled("doc")) { page in
      page.element(.div, .styled(isValid ? "r signed" : "r broken")) { page in
        page.element(
          .p, .styled("rl"),
          text: isValid
            ? "SIGNED · the signature covers both parts, as they were received"
            : "NOT VALID · the signature does not fit, or no key is known")
        member("header", parts[0], MemberVisibility.header, &page)
        member("payload", parts[1], MemberVisibility.payload, &page)
      }
      disclosed(&page)
      page.element(.div, .styled("r bare")) { page in
        page.element(.p, .styled("rl"), text: "THE SIGNATURE · not covered by itself")
        page.element(.div, .styled("l")) { page in
          page.element(.span, .styled("n"), text: "signature")
          page.text(" = ")
          page.value(String(decoding: parts[2], as: UTF8.self), disclosure)
        }
      }
    }
  }

  private func encrypted(_ header: ArraySlice<UInt8>, _ page: inout HTMLWriter) {
    page.element(.div, .styled("doc")) { page in
      page.element(.div, .styled("r bare")) { page in
        page.element(
          .p, .styled("rl"), text: "ENCRYPTED · anybody can make this around a signed token")
        member("header", header, MemberVisibility.header, &page)
      }
    }
    page.element(
      .p,
      text:
        "The signed token inside is not shown; its claims are in the list of claims, if it was accepted."
    )
  }

  private func disclosed(_ page: inout HTMLWriter) {
    let disclosures = Self.disclosures(octets)
    guard !disclosures.isEmpty else { return }
    page.element(.div, .styled(isValid ? "r signed" : "r broken")) { page in
      page.element(
        .p, .styled("rl"), text: "DISCLOSURES · the payload has the digest of each")
      for (place, text) in disclosures.enumerated() {
        member("disclosure \(place + 1)", text, [], &page)
      }
    }
  }

  private func member(
    _ name: String, _ part: ArraySlice<UInt8>, _ visible: Set<String>, _ page: inout HTMLWriter
  ) {
    guard let json = Self.json(part) else {
      page.element(.div, .styled("l")) { page in
        page.element(.span, .styled("n"), text: name)
        page.text(" is no JSON in base64url: ")
        page.value(String(decoding: part, as: UTF8.self), disclosure)
      }
      return
    }
    var view = MemberView(disclosure: disclosure, visible: visible)
    view.write(json, named: name, to: &page)
  }
}

/// The start of octets that are nothing known.
struct OctetsSection: PageSection {
  let octets: [UInt8]
  let disclosure: Disclosure

  func write(to page: inout HTMLWriter) {
    let start = octets.prefix(PageLimits.inputOctets)
    page.element(
      .p,
      text: start.count < octets.count
        ? "The first \(start.count) of \(octets.count) octets:" : "All \(octets.count) octets:")
    page.element(.pre) { page in
      page.value(
        disclosure.showsValues
          ? String(decoding: start, as: UTF8.self) : Mask.shape(of: start))
    }
    if !disclosure.showsValues {
      page.element(
        .p, .styled("note"),
        text: "Each letter, digit and octet beyond ASCII is a dot; --show-values shows them.")
    }
  }
}
