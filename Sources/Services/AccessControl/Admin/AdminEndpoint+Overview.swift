import JSONWebTokens
import SecurityKeys
import SignIn

extension AdminEndpoint {
  /// Everything at a glance.
  func overview(_ session: String) -> PageContent {
    let namespace = service.namespace
    var content = PageContent("Admin")
    content.tables = [
      PageContent.Table(
        "Relying parties", heads: ["Name", "Realm", "Format", "Seconds", "Rules"],
        rows: namespace.relyingParties.map {
          [
            $0.name, $0.realm, ServiceFile.name(of: $0.format), "\($0.lifetime)",
            $0.ruleGroups.joined(separator: ", "),
          ]
        }),
      PageContent.Table(
        "Identity providers", heads: ["Name", "Identifier", "People"],
        rows: namespace.providers.map { provider in
          switch provider.kind {
          case .testPeople(let people):
            [provider.name, provider.id, people.map(\.name).joined(separator: ", ")]
          case .upstream: [provider.name, provider.id, "a real provider"]
          }
        }, isFolded: namespace.providers.count > ChoicePage.mostLinks),
    ]
    content.tables += namespace.ruleGroups.flatMap { ruleTables($0, isEditor: false) }
    content.tables.append(
      PageContent.Table(
        "Keys", heads: ["Use", "Good from", "until", "Identifier"],
        rows: namespace.keys.certificates.enumerated().map { number, certificate in
          [
            number == 0 ? "signs" : "is published", PageTime.minute(certificate.notBefore),
            PageTime.minute(certificate.notAfter), ServiceNamespace.keyID(of: certificate),
          ]
        }
          + namespace.keys.web.flatMap { keys in
            keys.publicKeys.enumerated().map { number, key in
              let use = number == 0 ? "signs" : "is published"
              return ["\(use), \(keys.algorithm.nameInJOSE)", "", "", key.thumbprint]
            }
          }))
    content.tables.append(
      PageContent.Table(
        "Last sign-ins", heads: ["Time", "Realm", "From", "Outcome"],
        rows: service.recent.list.prefix(20).map {
          [PageTime.minute($0.time), $0.realm, $0.source, $0.outcome]
        }))
    if rules != nil {
      content.links = namespace.ruleGroups.map { group in
        PageContent.Link("Change the rules of \(group.name)", to: rulesAddress(group.name))
      }
    }
    content.forms = [
      tryForm(session, TrialFields()),
      PageContent.Form(
        to: "/admin/sign-out", fields: [(name: "csrf", value: adminToken(session))],
        button: "Sign out"),
    ]
    return content
  }
}
