import Claims
import Octets

/// The attributes that an assertion had so far, by what makes two Attribute elements one attribute
/// (SAML Core 2.7.3.1).
struct AttributeNames: ~Copyable {
  /// Both as claim types, which are equal only where every byte is.
  private struct Key: Hashable {
    let name: ClaimType
    let format: ClaimType?
  }

  private struct Entry: BitwiseCopyable {
    let name: ClaimText
    let format: ClaimText?
  }

  private var attributes: GrowableBuffer<Entry>
  /// The same, from the first name on that came twice: few assertions have one.
  private var keys: Set<Key>?

  init(count: Int) { attributes = GrowableBuffer(capacity: count) }

  /// Adds an attribute. Returns whether it was there before.
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
    if keys == nil, mayBe {
      keys = Set(attributes.indices.map { key(attributes[$0].name, attributes[$0].format) })
    }
    guard keys != nil else {
      attributes.append(Entry(name: name, format: format))
      return false
    }
    return keys?.insert(key(name, format)).inserted == false
  }
}
