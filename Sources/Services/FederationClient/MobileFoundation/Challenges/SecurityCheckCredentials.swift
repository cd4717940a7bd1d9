public import HTTPExchange
import TokenBasics

/// The answer to a security check: a user name, a password, a PIN, whether to remember the user.
///
/// The check defines the names. `rememberMe` is one of them, without a meaning in the protocol.
public struct SecurityCheckCredentials: Sendable, CustomStringConvertible, CustomReflectable,
  ExpressibleByDictionaryLiteral
{
  /// A value of the answer's JSON object.
  public enum Value: Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    /// A JSON string.
    case text(Secret)
    /// A JSON boolean.
    case flag(Bool)
    /// A JSON integer.
    case number(Int)

    /// A ``text(_:)``.
    public init(stringLiteral text: String) { self = .text(Secret(text)) }
    /// A ``flag(_:)``.
    public init(booleanLiteral flag: Bool) { self = .flag(flag) }
  }

  /// Names and values in the order in which they are sent, each name once.
  public private(set) var members: [(name: String, value: Value)] = []

  /// Credentials with these members; of equal names the last one is used.
  public init(_ members: [(name: String, value: Value)]) {
    for (name, value) in members { self[name] = value }
  }

  /// Credentials with these members; of equal names the last one is used.
  public init(dictionaryLiteral members: (String, Value)...) {
    self.init(members.map { (name: $0.0, value: $0.1) })
  }

  /// The value of that name. Setting it moves the name to the end; nil removes it.
  public subscript(name: String) -> Value? {
    get { members.first { $0.name == name }?.value }
    set {
      members.removeAll { $0.name == name }
      if let newValue { members.append((name, newValue)) }
    }
  }

  /// A fixed text without names or values.
  public var description: String { "(credentials)" }

  /// Has no children, so that a dump shows no secret.
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
