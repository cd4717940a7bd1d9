/// Several texts as one, for a name, a key, a context or a digest: each with the length of its UTF-8 before it, so that
/// what was put together has one reading.
package enum PrefixedTexts {
  package static func text(_ texts: String...) -> String {
    texts.map { "\($0.utf8.count):\($0)" }.joined()
  }

  package static func octets(_ texts: some Sequence<String>) -> [UInt8] {
    var octets: [UInt8] = []
    for text in texts {
      octets += "\(text.utf8.count):".utf8
      octets += text.utf8
    }
    return octets
  }
}
