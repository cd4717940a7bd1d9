package import TokenErrors

/// The entities that were described so far, compared as bytes.
package struct EntityNames: Sendable {
  private var names: Set<[UInt8]> = []

  package init() {}

  /// - Throws: `policy.metadata-duplicate`: neither description is used.
  package mutating func insert(_ name: String) throws(TokenError) {
    guard names.insert(Array(name.utf8)).inserted else {
      throw TokenError(
        .metadataDuplicate, expected: "one EntityDescriptor", found: TokenError.excerpt(name))
    }
  }
}
