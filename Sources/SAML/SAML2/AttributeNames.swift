import Claims

/// The attributes that an assertion had so far, by what makes two Attribute elements one attribute
/// (SAML Core 2.7.3.1).
struct AttributeNames {
  /// Both as claim types, which are equal only where every byte is.
  private struct Key: Hashable {
    let name: ClaimType
    let format: ClaimType?
  }

  private var attributes: [(name: ClaimText, format: ClaimText?)] = []
  /// The same, from the first name on that came twice: few assertions have one.
  private var keys: Set<Key>?

  init(count: Int) { attributes.reserveCapacity(count) }

  /// Notes an attribute; answers whether it was there before.
  ///
  /// - Parameter mayBe: Whether anything had its name before.
  mutating func isRepeated(
    _ name: ClaimText, _ format: ClaimText?, mayBe: Bool, _ claims: borrowing ClaimTableBuilder
  ) -> Bool {
    func key(_ name: ClaimText, _ format: ClaimText?) -> Key {
      Key(
        name: ClaimType(claims.string(name)),
        format: format.map { ClaimType(claims.string($0)) })
    }
    if keys == nil, mayBe { keys = Set(attributes.map { key($0.name, $0.format) }) }
    guard keys != nil else {
      attributes.append((name, format))
      return false
    }
    return keys?.insert(key(name, format)).inserted == false
  }
}
