/// For whom a rule is: people, who signed in at an identity provider, or service identities.
///
/// A rule on claims of the service itself, such as the name of a service identity, is for service identities unless it
/// says otherwise. Of a person it sees only what rules granted: a value that a rule of the file fixes. What a provider
/// says passes on and does not become the service's own word, so that nobody gets the rights of a service identity by
/// having its name.
public enum RuledSubjects: String, Hashable, Sendable, CaseIterable {
  /// People alone.
  case people
  /// Service identities alone.
  case services
}
