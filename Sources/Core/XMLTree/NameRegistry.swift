import Synchronization

/// The names that the program knows, each with its number.
enum NameRegistry {
  struct Parts: Hashable {
    let uri: [UInt8]
    let local: [UInt8]
  }

  private struct Names {
    var parts: [Parts] = []
    var numbers: [Parts: ExpandedName.Number] = [:]
  }

  private static let names = Mutex(Names())

  /// The name of these parts, the same each time.
  static func name(uri: [UInt8], local: [UInt8]) -> ExpandedName {
    let parts = Parts(uri: uri, local: local)
    let number = names.withLock { names in
      if let known = names.numbers[parts] { return known }
      names.parts.append(parts)
      // From 1, because 0 is the number of unknown names.
      let number = ExpandedName.Number(rawValue: UInt32(names.parts.count))
      names.numbers[parts] = number
      return number
    }
    return ExpandedName(
      number: number, fingerprint: ExpandedName.fingerprint(uri: uri, local: local))
  }

  /// The number of the name that a document has.
  static func number(uri: [UInt8], local: [UInt8]) -> ExpandedName.Number {
    names.withLock { $0.numbers[Parts(uri: uri, local: local)] ?? .unknown }
  }

  static func parts(of name: ExpandedName) -> Parts {
    names.withLock { $0.parts[Int(name.number.rawValue) - 1] }
  }

  /// How many names there are; a table that was made with fewer knows some of them by their bytes only.
  static var count: Int { names.withLock { $0.parts.count } }
}
