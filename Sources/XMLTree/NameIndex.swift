/// The position of a name in ``Vocabulary/names``.
struct NameIndex: BitwiseCopyable, Hashable, Sendable {
  let position: UInt32

  init(position: UInt32) { self.position = position }

  init(_ position: Int) { self.position = UInt32(truncatingIfNeeded: position) }
}
