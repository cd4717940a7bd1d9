import StrictJSON

/// What a person answers to a security check: a user name, a password, a PIN, whether to be remembered.
///
/// The names are the check's. `rememberMe` is one of them and nothing special to the protocol.
public struct SecurityCheckCredentials: Sendable, CustomStringConvertible, CustomReflectable,
  ExpressibleByDictionaryLiteral
{
  public enum Value: Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    case text(Secret)
    case flag(Bool)
    case number(Int)

    public init(stringLiteral text: String) { self = .text(Secret(text)) }
    public init(booleanLiteral flag: Bool) { self = .flag(flag) }
  }

  /// Names and values in the order in which they are sent; of two alike the last counts.
  public private(set) var members: [(name: String, value: Value)] = []

  public init(_ members: [(name: String, value: Value)]) {
    for (name, value) in members { self[name] = value }
  }

  public init(dictionaryLiteral members: (String, Value)...) {
    self.init(members.map { (name: $0.0, value: $0.1) })
  }

  public subscript(name: String) -> Value? {
    get { members.first { $0.name == name }?.value }
    set {
      members.removeAll { $0.name == name }
      if let newValue { members.append((name, newValue)) }
    }
  }

  public var description: String { "(credentials)" }

  public var customMirror: Mirror { Mirror(self, children: [:]) }

  func write(_ json: inout JSONWriter) {
    json.object { json in
      for (name, value) in members {
        json.name(text: name)
        switch value {
        case .text(let secret): json.string(secret.revealed)
        case .flag(let flag): json.bool(flag)
        case .number(let number): json.integer(number)
        }
      }
    }
  }
}
