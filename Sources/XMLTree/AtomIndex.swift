/// The position of an atom in ``Vocabulary/atoms``.
struct AtomIndex: BitwiseCopyable, Hashable, Sendable {
  let position: UInt32

  init(position: UInt32) { self.position = position }

  init(_ position: Int) { self.position = UInt32(truncatingIfNeeded: position) }

  /// The empty string: no prefix, no namespace.
  static let empty = AtomIndex(0)
}
