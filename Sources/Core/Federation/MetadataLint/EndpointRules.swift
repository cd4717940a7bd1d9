import Octets
import SAML
import XMLTree

/// Rules about an endpoint.
enum EndpointRules {
  typealias Check = LintCheck<LintedEndpoint>

  static let all: [Check] = [
    Check(
      60, .error, "an endpoint is not encrypted",
      advice: "use https; tokens would cross the network in the clear"
    ) { problem($0) { $0 == .notEncrypted } },
    Check(
      61, .error, "an endpoint is no web address",
      advice: "use https; javascript:, data: and file: addresses attack whoever follows them"
    ) { problem($0) { $0 == .scheme } },
    Check(
      62, .error, "an endpoint's address is malformed",
      advice: "an absolute https URL with a host, without user information or odd characters"
    ) { problem($0) { $0 != .notEncrypted && $0 != .scheme } },
    Check(
      63, .warning, "an endpoint's address has a fragment",
      advice: "take it out; a browser never sends it"
    ) { subject in
      subject.endpoint.location.utf8.contains(UInt8(ascii: "#"))
        ? [.init(subject.element, found: subject.endpoint.location)] : []
    },
    Check(
      64, .error, "an endpoint has no binding, or one that does not exist",
      advice: "a binding of SAML 2.0 or SAML 1.1, such as HTTP-POST"
    ) { subject in
      guard subject.element.namespaceURI.hasSameBytes(as: MetadataName.namespace),
        !bindings.contains(where: { subject.endpoint.binding?.hasPrefix($0) == true })
      else { return [] }
      return [.init(subject.element, attribute: "Binding", found: subject.endpoint.binding ?? "")]
    },
    Check(
      65, .warning, "responses go to another host than requests",
      advice: "ResponseLocation should stay on the host of Location"
    ) { subject in
      guard let response = subject.endpoint.responseLocation,
        authority(response) != authority(subject.endpoint.location)
      else { return [] }
      return [.init(subject.element, attribute: "ResponseLocation", found: response)]
    },
    Check(
      66, .error, "an AssertionConsumerService uses the Redirect binding",
      advice: "use HTTP-POST: the Web Browser SSO profile forbids Redirect for responses"
    ) { subject in
      subject.endpoint.name == "AssertionConsumerService"
        && subject.endpoint.binding?.hasSuffix(":HTTP-Redirect") == true
        ? [.init(subject.element)] : []
    },
    Check(
      67, .error, "an AssertionConsumerService has no index",
      advice: "number it; the schema requires the attribute"
    ) { subject in
      subject.endpoint.name == "AssertionConsumerService" && subject.endpoint.index == nil
        ? [.init(subject.element)] : []
    },
  ]

  private static let bindings = [
    "urn:oasis:names:tc:SAML:2.0:bindings:", "urn:oasis:names:tc:SAML:2.0:profiles:",
    "urn:oasis:names:tc:SAML:1.0:bindings:", "urn:oasis:names:tc:SAML:1.0:profiles:",
    "urn:mace:shibboleth:1.0:profiles:",
  ]

  private static func problem(
    _ subject: LintedEndpoint, _ isWanted: (EndpointProblem) -> Bool
  ) -> [Check.Hit] {
    guard let problem = subject.endpoint.problem, isWanted(problem) else { return [] }
    return [.init(subject.element, attribute: "Location", found: subject.endpoint.location)]
  }

  /// Host and port, or the whole location where it has none.
  private static func authority(_ location: String) -> [UInt8] {
    let parts = location.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
    return (parts.count > 2 ? Array(parts[2]) : Array(location.utf8)).map(ASCII.lowercased)
  }
}
