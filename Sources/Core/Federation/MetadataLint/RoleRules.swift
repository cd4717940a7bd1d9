import SAML
import XMLTree

/// Rules about a role.
enum RoleRules {
  typealias Check = LintCheck<LintedRole>

  private static let wantsSigned = ExpandedName("WantAssertionsSigned")

  static let all: [Check] = [
    Check(
      30, .error, "the role names no protocol",
      advice: "set protocolSupportEnumeration; without it the role is not used"
    ) { $0.role.protocols.isEmpty ? [.init($0.element)] : [] },
    Check(
      31, .error, "a role that issues tokens speaks no protocol that is known",
      advice: "name SAML's or WS-Federation's protocol; until then its keys are not used"
    ) { subject in
      guard [.identityProvider, .securityTokenService].contains(subject.role.kind),
        !subject.role.protocols.isEmpty, !subject.role.issuesTokens
      else { return [] }
      return [
        .init(
          subject.element, attribute: "protocolSupportEnumeration",
          found: subject.role.protocols.joined(separator: " "))
      ]
    },
    Check(
      32, .error, "a RoleDescriptor has no type, or one with an undeclared prefix",
      advice: "set xsi:type, its prefix bound to the type's namespace"
    ) { subject in
      subject.element.isNamed(MetadataName.roleDescriptor)
        && RoleReader.qualifiedType(of: subject.element) == nil ? [.init(subject.element)] : []
    },
    Check(
      33, .info, "a RoleDescriptor is of an unknown type",
      advice: "it is left out; check the namespace if it should be one of WS-Federation"
    ) { subject in
      guard subject.role.kind == .other,
        let type = RoleReader.qualifiedType(of: subject.element)
      else { return [] }
      return [.init(subject.element, found: "{\(type.namespace)}\(type.local)")]
    },
    Check(
      34, .error, "a role that issues tokens has no usable key for signing",
      advice: "add a KeyDescriptor with use=\"signing\" and a certificate"
    ) { subject in
      guard [.identityProvider, .securityTokenService].contains(subject.role.kind) else {
        return []
      }
      let isSound = subject.descriptors.contains {
        ($0.use == .signing || $0.use == .both) && !$0.fingerprints.isEmpty
      }
      return isSound ? [] : [.init(subject.element)]
    },
    Check(
      35, .info, "a service provider has no key for encryption",
      advice: "add one if assertions to it should be encrypted"
    ) { subject in
      guard subject.role.kind == .serviceProvider else { return [] }
      let isSound = subject.descriptors.contains { $0.use == .encryption || $0.use == .both }
      return isSound ? [] : [.init(subject.element)]
    },
    Check(
      36, .warning, "a service provider does not ask for signed assertions",
      advice: "set WantAssertionsSigned=\"true\"; a signed response alone protects less"
    ) { subject in
      subject.role.kind == .serviceProvider
        && !["true", "1"].contains(subject.element.attribute(wantsSigned))
        ? [.init(subject.element)] : []
    },
    Check(
      37, .error, "an identity provider has no SingleSignOnService",
      advice: "add one; no user can sign in without it"
    ) { missing($0, .identityProvider, ["SingleSignOnService"]) },
    Check(
      38, .error, "a service provider has no AssertionConsumerService",
      advice: "add one; without it issuers cannot deliver an assertion"
    ) { missing($0, .serviceProvider, ["AssertionConsumerService"]) },
    Check(
      39, .warning, "a security token service has no endpoint",
      advice: "add PassiveRequestorEndpoint or SecurityTokenServiceEndpoint"
    ) {
      missing(
        $0, .securityTokenService, ["PassiveRequestorEndpoint", "SecurityTokenServiceEndpoint"])
    },
    Check(
      40, .warning, "several endpoints of a kind say that they are the default",
      advice: "leave isDefault on one of them"
    ) { subject in
      repeated(subject.endpoints.filter(\.endpoint.isDefault), by: \.endpoint.name)
    },
    Check(
      41, .error, "two endpoints of a kind have the same index",
      advice: "number them; a request names an endpoint by its index"
    ) { subject in
      repeated(subject.endpoints.filter { $0.endpoint.index != nil }) {
        $0.endpoint.name + " " + ($0.endpoint.index ?? "")
      }
    },
    Check(
      42, .info, "a key occurs twice for the same use",
      advice: "take one out"
    ) { subject in
      var seen: Set<String> = []
      return subject.descriptors.filter { descriptor in
        descriptor.fingerprints.contains {
          !seen.insert($0 + (descriptor.use?.rawValue ?? "")).inserted
        }
      }.map { .init($0.element) }
    },
    Check(
      43, .info, "one key signs and decrypts",
      advice: "use two: a decryption service then cannot sign, and each is renewed on its own"
    ) { subject in
      let signing = Set(
        subject.descriptors.filter { $0.use == .signing }.flatMap(\.fingerprints))
      return subject.descriptors.filter {
        $0.use == .encryption && !signing.isDisjoint(with: $0.fingerprints)
      }.map { .init($0.element) }
    },
    Check(
      68, .warning, "a role of WS-Federation does not have the endpoint of its type alone",
      advice:
        "a SecurityTokenServiceType has SecurityTokenServiceEndpoint, an ApplicationServiceType "
        + "ApplicationServiceEndpoint; a role with both or neither gives no key where the file is read by its signature "
        + "and that does not cover the prefix of xsi:type"
    ) { RoleReader.hasDoubtfulType($0.element) ? [.init($0.element)] : [] },
  ]

  private static func missing(
    _ subject: LintedRole, _ kind: EntityRole.Kind, _ names: [String]
  ) -> [Check.Hit] {
    guard subject.role.kind == kind,
      !subject.role.endpoints.contains(where: { names.contains($0.name) })
    else { return [] }
    return [.init(subject.element)]
  }

  private static func repeated(
    _ endpoints: [LintedEndpoint], by key: (LintedEndpoint) -> String
  ) -> [Check.Hit] {
    var seen: Set<String> = []
    return endpoints.filter { !seen.insert(key($0)).inserted }.map { .init($0.element) }
  }
}
