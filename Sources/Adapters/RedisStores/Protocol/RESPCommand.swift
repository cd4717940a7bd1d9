import Octets

/// A command: its name and arguments as octets. Its description is its name alone, since arguments are passwords and
/// sessions.
public struct RESPCommand: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The name and the arguments.
  public let words: [[UInt8]]

  /// A command of texts.
  public init(_ words: String...) { self.words = words.map { Array($0.utf8) } }

  /// A command of octets.
  public init(_ name: String, _ arguments: [[UInt8]]) { words = [Array(name.utf8)] + arguments }

  /// As an array of bulk strings (RESP 2).
  public var octets: [UInt8] {
    var octets = Array("*\(words.count)\r\n".utf8)
    for word in words {
      octets += Array("$\(word.count)\r\n".utf8)
      octets += word
      octets += [ASCII.carriageReturn, ASCII.lineFeed]
    }
    return octets
  }

  /// The name.
  public var description: String { words.first.map { String(decoding: $0, as: UTF8.self) } ?? "" }

  /// Has no children, so that a dump shows no argument.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
