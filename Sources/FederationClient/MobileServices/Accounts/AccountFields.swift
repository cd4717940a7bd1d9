/// What a person types to register or to log in at a service with accounts of its own, checked before
/// it is sent. The service decides in the end.
public struct AccountFields: Sendable {
  /// What is wrong with the fields; several at once.
  public enum Problem: Hashable, Sendable {
    case userNameMissing
    /// Only letters, digits, `.`, `-`, `_` and `@`.
    case userNameCharacters
    case userNameLength(ClosedRange<Int>)
    case passwordMissing
    case passwordTooShort(minimum: Int)
    case passwordsDiffer
    case emailMalformed
  }

  /// What a service asks for.
  public struct Rules: Hashable, Sendable {
    public var userName = 1...64
    public var passwordMinimum = 8

    public init() {}
  }

  public var userName: String
  public var password: Secret
  /// The password once more, where the form asks for it.
  public var repeatedPassword: Secret?
  public var email: String?

  public init(
    userName: String, password: Secret, repeatedPassword: Secret? = nil, email: String? = nil
  ) {
    self.userName = userName
    self.password = password
    self.repeatedPassword = repeatedPassword
    self.email = email
  }

  /// What to tell the person before anything is sent; empty when all is well.
  public func problems(_ rules: Rules = Rules()) -> [Problem] {
    var problems: [Problem] = []
    if userName.isEmpty {
      problems.append(.userNameMissing)
    } else {
      let isPlain = userName.allSatisfy { $0.isLetter || $0.isNumber || ".-_@".contains($0) }
      if !isPlain { problems.append(.userNameCharacters) }
      if !rules.userName.contains(userName.count) {
        problems.append(.userNameLength(rules.userName))
      }
    }
    let password = password.revealed
    if password.isEmpty {
      problems.append(.passwordMissing)
    } else if password.count < rules.passwordMinimum {
      problems.append(.passwordTooShort(minimum: rules.passwordMinimum))
    }
    if let repeatedPassword, !repeatedPassword.revealed.utf8.elementsEqual(password.utf8) {
      problems.append(.passwordsDiffer)
    }
    if let email, !Self.isEmail(email) { problems.append(.emailMalformed) }
    return problems
  }

  /// Something, one @, something with a dot: whether it is an address, only a message to it tells.
  private static func isEmail(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".")
      && !parts[1].hasPrefix(".") && !parts[1].hasSuffix(".")
      && !text.contains { $0.isWhitespace || $0.isNewline }
  }
}
