public import HTTPExchange

/// The input of a person who registers or logs in at a service with accounts of its own, with a check
/// before it is sent. The service makes the final decision.
public struct AccountFields: Sendable {
  /// A problem with the fields; there may be several.
  public enum Problem: Hashable, Sendable {
    /// The user name is empty.
    case userNameMissing
    /// The user name has characters other than letters, digits, `.`, `-`, `_` and `@`.
    case userNameCharacters
    /// The user name has fewer or more characters than allowed.
    case userNameLength(ClosedRange<Int>)
    /// The password is empty.
    case passwordMissing
    /// The password has fewer characters than `minimum`.
    case passwordTooShort(minimum: Int)
    /// The repeated password differs from the password.
    case passwordsDiffer
    /// The e-mail address lacks an `@` or a domain with a dot, or has a space.
    case emailMalformed
  }

  /// The requirements of a service.
  public struct Rules: Hashable, Sendable {
    /// The allowed number of characters of a user name; 1 to 64 by default.
    public var userName = 1...64
    /// The minimum number of characters of a password; 8 by default.
    public var passwordMinimum = 8

    /// The default requirements.
    public init() {}
  }

  /// The user name as typed.
  public var userName: String
  /// The password as typed.
  public var password: Secret
  /// The password typed again, if the form has such a field.
  public var repeatedPassword: Secret?
  /// The e-mail address as typed, if the form has such a field.
  public var email: String?

  /// Fields with this input.
  public init(
    userName: String, password: Secret, repeatedPassword: Secret? = nil, email: String? = nil
  ) {
    self.userName = userName
    self.password = password
    self.repeatedPassword = repeatedPassword
    self.email = email
  }

  /// The problems to show before anything is sent; empty if there are none.
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

  /// Whether the text has one `@`, and a domain with a dot. That the address exists, only a message proves.
  private static func isEmail(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".")
      && !parts[1].hasPrefix(".") && !parts[1].hasSuffix(".")
      && !text.contains { $0.isWhitespace || $0.isNewline }
  }
}
