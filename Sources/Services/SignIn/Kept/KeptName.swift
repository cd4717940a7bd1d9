/// What kind of thing a ``ValueStore`` keeps under a name: the name begins with it. `docs/architecture.md` lists all of them.
package struct KeptKind: Hashable, Sendable {
  /// The text before the colon.
  package let name: String

  /// A kind; each name is that of one kind.
  package init(_ name: String) { self.name = name }

  /// A ticket, with which an application on another host gets a session once.
  static let ticket = Self("ticket")
  /// The session of a browser at an application on another host.
  static let child = Self("child")
  /// A value that is kept to see whether a store works.
  static let health = Self("health")

  /// The kinds of a site at which people sign in.
  package static let ofSites = [ticket, child, health]
}

/// The name of a kept value in a ``ValueStore``; it says what type the value has.
package struct KeptName<Value: StoredValue>: Sendable {
  /// The name. The store gets its digest, and the value is sealed for this name alone.
  package let text: String

  /// A name.
  ///
  /// - Parameters:
  ///   - kind: What is kept.
  ///   - rest: Tells it from others of its kind.
  package init(_ kind: KeptKind, _ rest: String) { text = kind.name + ":" + rest }
}

/// The name of a mark in a ``ValueStore``, such as that a session was ended. Whatever is kept under the name is the mark: one that
/// cannot be opened or read still counts.
package struct MarkName: Sendable {
  /// The name.
  package let text: String

  /// A name, as ``KeptName/init(_:_:)`` makes it.
  package init(_ kind: KeptKind, _ rest: String) { text = kind.name + ":" + rest }
}
