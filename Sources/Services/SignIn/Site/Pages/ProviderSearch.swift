/// What becomes of a name that a person typed to find an identity provider.
package enum ProviderSearch<Provider> {
  /// One provider has the name.
  case found(Provider)
  /// The providers to show, and whether the name was typed in vain: then all of them.
  case open([Provider], isInVain: Bool)

  /// Looks for the name among providers, whatever the case of its letters; nothing typed finds all.
  package init(_ typed: String?, in providers: [Provider], name: (Provider) -> String) {
    guard let text = typed?.lowercased(), !text.isEmpty else {
      self = .open(providers, isInVain: false)
      return
    }
    let exact = providers.filter { name($0).lowercased() == text }
    if let provider = exact.first, exact.count == 1 {
      self = .found(provider)
      return
    }
    let fitting = providers.filter { name($0).lowercased().firstRange(of: text) != nil }
    self = fitting.isEmpty ? .open(providers, isInVain: true) : .open(fitting, isInVain: false)
  }
}
