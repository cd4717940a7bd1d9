import SignIn

/// The gate's cookies at a site, as recipes, the doctor and the answer of `check` remove them: the names are those of
/// ``SiteCookie``.
package struct GateCookies: Sendable {
  /// The whole names, behind the prefix.
  package static let names = SiteCookie.all.filter { !$0.isBeginning }.map(\.name)
  /// What other names begin with, behind the prefix.
  package static let beginnings = SiteCookie.all.filter(\.isBeginning).map(\.name)

  /// What every name begins with: `__Host-` over https, so that bare names are the application's there.
  package let prefix: String

  /// The cookies at a site.
  package init(at settings: SiteSettings) {
    prefix = settings.origin.scheme == "https" ? SiteCookie.hostPrefix : ""
  }

  /// The values of `Cookie` fields as one, without the gate's own; nil where nothing is left.
  package func without(own values: [String]) -> String? {
    let kept = SiteCookie.removing(from: values, bare: prefix.isEmpty).filter { !$0.isEmpty }
    return kept.count < 2 ? kept.first : kept.joined(separator: "; ")
  }
}
