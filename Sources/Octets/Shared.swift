/// A value whose copies share one place in memory: a copy costs one count, whatever is inside.
///
/// For what is set up once and handed around with every token. A change makes a new place, so it is a
/// value like any other. Public so that other modules inline it; no product exports it.
public struct Shared<Value: Sendable>: Sendable {
  @usableFromInline final class Place: Sendable {
    @usableFromInline let value: Value

    @inlinable init(_ value: Value) { self.value = value }
  }

  @usableFromInline var place: Place

  @inlinable public init(_ value: Value) { place = Place(value) }

  @inlinable public var value: Value {
    get { place.value }
    set { place = Place(newValue) }
  }
}
