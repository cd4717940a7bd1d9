import Octets
public import TokenBasics

/// Reads replies from octets as they arrive, as strictly as RESP 2 allows: lines end with CR LF, lengths are plain
/// numbers, a list may have lists in it and those none, and nothing grows beyond its limit.
///
/// A malformed reply closes the connection.
public struct RESPReader: Sendable {
  /// The most octets of one value: 4 MiB, more than any session.
  public static let valueLimit = 4 << 20
  /// The most elements of a list, those of the lists in it included: 1,000,000.
  public static let listLimit = 1_000_000
  /// The most octets of a list: 64 MiB.
  public static let totalLimit = 64 << 20
  /// The most octets of a line.
  private static let lineLimit = 4_096

  private var buffer: [UInt8] = []
  /// Where the next value begins.
  private var position = 0
  /// The lists that are not whole yet, outermost first; how many elements they have in all, and octets so far.
  private var lists: [OpenList] = []
  private var elements = 0
  private var octets = 0

  /// A reader at the start of a connection.
  public init() {}

  /// Takes octets in and returns the replies that are whole now.
  ///
  /// - Throws: `store.protocol`; nothing that comes later can be understood.
  public mutating func consume(_ octets: some Collection<UInt8>) throws(TokenError) -> [RESPReply] {
    buffer.append(contentsOf: octets)
    var replies: [RESPReply] = []
    while let reply = try next() { replies.append(reply) }
    // What was read goes at once, or in one move for a whole batch.
    buffer.removeFirst(position)
    position = 0
    return replies
  }

  /// Whether a reply is only partly there.
  public var isPartial: Bool { !buffer.isEmpty || !lists.isEmpty }

  private mutating func next() throws(TokenError) -> RESPReply? {
    while let value = try value() {
      switch value {
      case .begins(let count):
        guard lists.count < 2 else { throw Self.failure("lists in a list, and none in those") }
        elements += count
        guard elements <= Self.listLimit else {
          throw Self.failure("at most \(Self.listLimit) elements in a list")
        }
        lists.append(OpenList(count: count))
      case .reply(let reply):
        guard !lists.isEmpty else { return reply }
        if case .octets(let value?) = reply { octets += value.count }
        guard octets <= Self.totalLimit else {
          throw Self.failure("at most \(Self.totalLimit) octets in a list")
        }
        lists[lists.count - 1].items.append(reply)
      }
      if let list = endedList() { return list }
    }
    return nil
  }

  /// Closes the lists that are whole; the outermost one if it is among them.
  private mutating func endedList() -> RESPReply? {
    while let list = lists.last, list.items.count == list.count {
      lists.removeLast()
      guard let outer = lists.indices.last else {
        (elements, octets) = (0, 0)
        return .list(list.items)
      }
      lists[outer].items.append(.list(list.items))
    }
    return nil
  }

  private struct OpenList {
    var items: [RESPReply] = []
    let count: Int
  }

  private enum Value {
    case reply(RESPReply)
    case begins(Int)
  }

  private mutating func value() throws(TokenError) -> Value? {
    guard position < buffer.count else { return nil }
    let kind = buffer[position]
    guard [0x24, 0x2A, 0x2B, 0x2D, 0x3A].contains(kind) else {
      throw Self.failure("a reply of RESP 2", found: "octet \(kind)")
    }
    guard let end = try lineEnd() else { return nil }
    let line = buffer[(position + 1)..<end]
    switch kind {
    case UInt8(ascii: "+"):
      position = end + 2
      return .reply(.status(Array(line)))
    case UInt8(ascii: "-"):
      position = end + 2
      return .reply(.error(Array(line)))
    case UInt8(ascii: ":"):
      let number = try Self.number(line)
      position = end + 2
      return .reply(.integer(number))
    case UInt8(ascii: "*"):
      let count = try Self.count(line, Self.listLimit)
      position = end + 2
      return count.map(Value.begins) ?? .reply(.list(nil))
    default:
      guard let count = try Self.count(line, Self.valueLimit) else {
        position = end + 2
        return .reply(.octets(nil))
      }
      let start = end + 2
      guard buffer.count - start >= count + 2 else { return nil }
      guard buffer[start + count] == ASCII.carriageReturn,
        buffer[start + count + 1] == ASCII.lineFeed
      else { throw Self.failure("CR LF behind \(count) octets") }
      position = start + count + 2
      return .reply(.octets(Array(buffer[start..<(start + count)])))
    }
  }

  /// Where the CR of the line is; nil if it is not there yet.
  private func lineEnd() throws(TokenError) -> Int? {
    let limit = min(buffer.count, position + Self.lineLimit)
    let end = buffer[position..<limit].firstIndex(of: ASCII.carriageReturn)
    guard !buffer[position..<(end ?? limit)].contains(ASCII.lineFeed) else {
      throw Self.failure("LF behind CR, and nowhere else")
    }
    guard let end else {
      guard limit == buffer.count else {
        throw Self.failure("a line of at most \(Self.lineLimit) octets")
      }
      return nil
    }
    guard end + 1 < buffer.count else { return nil }
    guard buffer[end + 1] == ASCII.lineFeed else {
      throw Self.failure("LF behind CR, and nowhere else")
    }
    return end
  }

  /// A length; nil for -1, which stands for no value.
  private static func count(
    _ line: ArraySlice<UInt8>, _ limit: Int
  ) throws(TokenError) -> Int? {
    let number = try number(line)
    guard number != -1 else { return nil }
    guard (0...Int64(limit)).contains(number) else {
      throw failure("a length of at most \(limit)", found: "\(number)")
    }
    return Int(number)
  }

  private static func number(_ line: ArraySlice<UInt8>) throws(TokenError) -> Int64 {
    let digits = line.first == UInt8(ascii: "-") ? line.dropFirst() : line
    guard let first = digits.first, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      first != 0x30 || digits.count == 1, line.count == digits.count || first != 0x30,
      let number = Int64(String(decoding: line, as: UTF8.self))
    else { throw failure("a number", found: "something else") }
    return number
  }

  private static func failure(_ expected: String, found: String? = nil) -> TokenError {
    TokenError(.storeProtocol, expected: expected, found: found)
  }
}

/// A reply of Redis or Valkey (RESP 2).
public enum RESPReply: Hashable, Sendable {
  /// A status, such as `OK`.
  case status([UInt8])
  /// An error; its first word is its kind.
  case error([UInt8])
  /// A number.
  case integer(Int64)
  /// Octets; nil where there is no such key.
  case octets([UInt8]?)
  /// A list of octets, numbers, statuses and lists of those; nil for none.
  case list([RESPReply]?)
}

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
