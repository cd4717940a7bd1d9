public import Claims

/// An invented person with an account at a test provider.
public struct TestPerson: Sendable {
  /// The name that people see.
  public let name: String
  /// What the provider says about the person.
  public let claims: ClaimSet

  /// A person.
  public init(name: String, claims: ClaimSet) {
    self.name = name
    self.claims = claims
  }
}
