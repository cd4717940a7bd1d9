/// A value whose copies share one object: copying is one retain, whatever is inside.
///
/// For values that are set up once and passed with every token. A change makes a new object, so that copies
/// are independent.
public struct Shared<Value: Sendable>: Sendable {
  @usableFromInline final class Place: Sendable {
    @usableFromInline let value: Value

    @inlinable init(_ value: Value) { self.value = value }
  }

  @usableFromInline var place: Place

  /// A value in an object of its own.
  @inlinable public init(_ value: Value) { place = Place(value) }

  /// The value. Setting it makes a new object.
  @inlinable public var value: Value {
    get { place.value }
    set { place = Place(newValue) }
  }
}
