/// The page on which a person chooses an identity provider: a few as links, many by their names.
public struct ChoicePage: Sendable {
  /// The providers that are shown: name and address. The one chosen last is first.
  public let providers: [(name: String, address: String)]
  /// The names to type from and where the form goes; nil where every provider is shown.
  public let search: Search?

  /// A form in which a provider's name is typed. A browser completes it from the names, without a script.
  public struct Search: Sendable {
    /// The path of the form.
    public let address: String
    /// What the form carries along.
    public let fields: [(name: String, value: String)]
    /// The names of all providers.
    public let names: [String]
    /// Whether a name was typed that no provider has.
    public let isInVain: Bool

    /// The form of the page of choice.
    public init(
      address: String, fields: [(name: String, value: String)], names: [String], isInVain: Bool
    ) {
      self.address = address
      self.fields = fields
      self.names = names
      self.isInVain = isInVain
    }
  }

  /// The page on which a person chooses a provider.
  public init(providers: [(name: String, address: String)], search: Search? = nil) {
    self.providers = providers
    self.search = search
  }

  /// The most providers that are shown as links.
  static let mostLinks = 12
  /// The field of the form.
  public static let field = "name"
}
