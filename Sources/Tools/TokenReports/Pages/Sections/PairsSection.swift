import Octets
import TokenBasics

/// The pairs of a Simple Web Token, with what the MAC covers.
struct PairsSection: PageSection {
  let octets: [UInt8]
  /// Whether the MAC was found valid.
  let isValid: Bool
  let disclosure: Disclosure

  /// The pairs as they are written.
  static func pairs(_ octets: [UInt8]) -> [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
    octets.split(separator: ASCII.ampersand, omittingEmptySubsequences: false).map { pair in
      let name = pair.prefix { $0 != ASCII.equals }
      return (name, pair.dropFirst(name.count + 1))
    }
  }

  static func decoded(_ text: ArraySlice<UInt8>) -> String {
    String(decoding: (try? FormEncoding.decode(text)) ?? Array(text), as: UTF8.self)
  }

  func write(to page: inout HTMLWriter) {
    let pairs = Self.pairs(octets)
    let mac = pairs.lastIndex { $0.name.elementsEqual("HMACSHA256".utf8) }
    let start = page.count
    page.element(.div, .styled("doc")) { page in
      let covered = mac.map { pairs[..<$0] } ?? pairs[...]
      region(
        isValid && mac != nil ? "r signed" : mac == nil ? "r bare" : "r broken",
        isValid && mac != nil
          ? "SIGNED · the MAC covers these octets, as they were received"
          : mac == nil
            ? "NOT SIGNED · there is no MAC"
            : "NOT VALID · the MAC does not fit, or no key is known",
        covered, start, &page)
      if let mac {
        region("r bare", "THE MAC · not covered by itself", pairs[mac...].prefix(1), start, &page)
        if mac + 1 < pairs.count {
          region("r bare alien", "NOT SIGNED · behind the MAC", pairs[(mac + 1)...], start, &page)
        }
      }
    }
  }

  private func region(
    _ style: StaticString, _ label: String,
    _ pairs: ArraySlice<(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)>, _ start: Int,
    _ page: inout HTMLWriter
  ) {
    page.element(.div, .styled(style)) { page in
      page.element(.p, .styled("rl"), text: label)
      for (number, pair) in pairs.enumerated() {
        guard number < PageLimits.rows, page.count - start < PageLimits.sectionOctets else {
          page.element(.div, .styled("l"), text: "… \(pairs.count - number) more are left out")
          break
        }
        let name = Self.decoded(pair.name)
        page.element(.div, .styled("l")) { page in
          page.element(.span, .styled("n")) { $0.value(name) }
          page.text(" = ")
          page.value(
            Self.decoded(pair.value), disclosure, isPublic: MemberVisibility.pairs.contains(name))
        }
      }
    }
  }
}
