/// Several texts as one, for a key, a context or a digest.
package enum PrefixedTexts {
  /// The UTF-8 of each with its length before it, so that what was put together has one reading.
  package static func octets(_ texts: some Sequence<String>) -> [UInt8] {
    var octets: [UInt8] = []
    for text in texts {
      octets += "\(text.utf8.count):".utf8
      octets += text.utf8
    }
    return octets
  }
}
