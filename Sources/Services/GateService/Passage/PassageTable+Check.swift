import Octets

extension PassageTable {
  /// Refuses what would change the meaning of a request behind the gate: a tunnel, another protocol on its connection, or, where a rule
  /// is for a method, another method in a header.
  ///
  /// - Parameters:
  ///   - fields: The header fields of the question, among them those of the request that is judged.
  ///   - method: The method of that request.
  ///   - hasMethods: Whether a rule of the application is for a method.
  /// - Throws: `gate.connect`, `gate.upgrade`, `gate.method-override`.
  static func check(
    _ fields: HTTPFields, method: String, hasMethods: Bool
  ) throws(TokenError) {
    // Some proxies hand on what follows as it is, so an application reads it as requests of the proxy's (RFC 9110, 9.3.6).
    guard !method.utf8.span.equalsIgnoringCase("CONNECT") else { throw TokenError(.gateConnect) }
    var hasProtocol = false
    for (name, value) in fields.list {
      if name.utf8.span.equalsIgnoringCase("Upgrade".utf8.span) {
        // A proxy may empty the header in place of removing it.
        guard !value.isEmpty else { continue }
        guard !hasProtocol, method == "GET",
          value.utf8.span.equalsIgnoringCase(upgrade.utf8.span)
        else {
          throw TokenError(
            .gateUpgrade, node: name, expected: "\(upgrade) alone, on a GET",
            found: TokenError.excerpt("\(value), on \(method)"))
        }
        hasProtocol = true
      } else if hasMethods,
        methodOverrideNames.contains(where: { HeaderSpelling.areAlike($0, name) })
      {
        throw TokenError(
          .gateMethodOverride, node: TokenError.excerpt(name),
          expected: "the method of the request",
          found: TokenError.excerpt(value))
      }
    }
  }

  /// Refuses a request of which readers could take one host or another: by two lines, or by one into which a proxy joined them.
  ///
  /// - Throws: `gate.host-repeated`.
  static func checkHost(_ fields: HTTPFields) throws(TokenError) {
    var count = 0
    for (name, value) in fields.list where name.utf8.span.equalsIgnoringCase("Host".utf8.span) {
      count += 1
      guard count == 1, !value.utf8.contains(UInt8(ascii: ",")) else {
        throw TokenError(.gateHostRepeated, node: "Host", found: TokenError.excerpt(value))
      }
    }
  }
}
