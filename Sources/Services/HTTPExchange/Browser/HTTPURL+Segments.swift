package import TokenErrors

extension HTTPURL {
  /// The address with segments added to its path, each percent-encoded; the query goes.
  /// - Throws: `transport.malformed-address` for a segment that would climb.
  package func appending(_ segments: [String]) throws(TokenError) -> HTTPURL {
    var path = self.path.hasSuffix("/") ? String(self.path.dropLast()) : self.path
    for segment in segments {
      guard !segment.isEmpty, segment != ".", segment != ".." else {
        throw TokenError(.transportMalformedAddress, expected: "a path segment")
      }
      path += "/" + HTTPURL.percentEncoded(segment)
    }
    return try at(path: path)
  }
}
