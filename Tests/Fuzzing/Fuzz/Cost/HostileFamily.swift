/// Input of one shape in any size.
struct HostileFamily: Sendable {
  /// The reader of the input.
  enum Reader: Sendable {
    /// A token in a wire form, read and validated, its claims shown as well.
    case token
    /// A Simple Web Token.
    case swt
    /// A JSON Web Token.
    case jwt
    /// A document and all its canonical forms.
    case canonicalForms
    /// Every signature of a document.
    case signatures
    /// Metadata: read and linted.
    case metadata
    /// A trust file.
    case trustFile
  }

  let name: String
  let reader: Reader
  /// The input at a scale of 1, 2, 4 or 8.
  let octets: @Sendable (Int) -> [UInt8]
}

extension HostileFamily {
  static let all: [HostileFamily] =
    known + trees + signatures + assertions + pairs + json + metadata

  /// `text` repeated.
  static func times(_ count: Int, _ text: String) -> String {
    String(repeating: text, count: count)
  }

  static func numbered(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined()
  }

  init(_ name: String, _ reader: Reader, text: @escaping @Sendable (Int) -> String) {
    self.init(name: name, reader: reader) { Array(text($0).utf8) }
  }
}
