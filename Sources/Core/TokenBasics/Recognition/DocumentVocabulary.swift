import Octets

/// Documents of other programs, told by the names in them.
enum DocumentVocabulary {
  private struct Row: Sendable {
    /// Paths of members, or the name of the root element.
    let names: [String]
    let kind: TextKind
    let name: String
    /// What is to be known of it, before what to name instead.
    let remark: String?

    init(
      _ names: String..., is name: String, _ kind: TextKind = .otherDocument, remark: String? = nil
    ) {
      self.names = names
      self.kind = kind
      self.name = name
      self.remark = remark
    }

    var text: RecognisedText {
      var text = RecognisedText(kind, name: name)
      text.remark = remark
      return text
    }
  }

  // MARK: JSON

  static func recognise(_ json: JSONValue) -> RecognisedText? {
    guard json.members != nil else { return nil }
    guard let row = jsonRows.first(where: { row in row.names.allSatisfy { has($0, json) } }) else {
      return nil
    }
    var text = row.text
    // The names say more where the table is wrong.
    text.name += ", with the members " + TextOutline.list((json.members ?? []).map(\.name))
    return text
  }

  /// Whether there is a member at a path, whose steps are joined by `/`.
  private static func has(_ path: String, _ json: JSONValue) -> Bool {
    var value = json
    for step in path.split(separator: "/") {
      guard let next = value[String(step)] else { return false }
      value = next
    }
    return true
  }

  private static let logRemark =
    "this is a record of a log, and no member of it holds anything of the kind"

  private static let jsonRows: [Row] = [
    Row(
      "Credentials/AccessKeyId", is: "an answer of AWS STS with credentials of AWS", .credentials,
      remark: stsRemark),
    Row("AccessKeyId", "SecretAccessKey", is: "credentials of AWS", .credentials),
    Row("web/client_id", is: "the credentials of an OAuth client (Google)", .credentials),
    Row("installed/client_id", is: "the credentials of an OAuth client (Google)", .credentials),
    Row("client_id", "client_secret", is: "the credentials of an OAuth client", .credentials),
    Row("auths", is: "credentials of a container registry (Docker)", .credentials),
    Row(
      "device_code", is: "an answer of the device authorization endpoint (RFC 8628)",
      remark: "no token is issued yet: a person confirms the user code, and the token endpoint "
        + "answers the token then"),
    Row("openapi", is: "an OpenAPI description of a service"),
    Row("swagger", is: "an OpenAPI description of a service (Swagger)"),
    Row("_postman_variable_scope", is: "an environment of Postman"),
    Row("info", "item", is: "a collection of Postman"),
    Row("_type", "resources", is: "an export of Insomnia"),
    Row("eventType", "actor", is: "an event of the system log of Okta", remark: logRemark),
    Row(
      "userPrincipalName", "createdDateTime", is: "an entry of the sign-in log of Entra ID",
      remark: logRemark),
    Row("eventVersion", "eventSource", is: "an event of AWS CloudTrail", remark: logRemark),
    Row("textPayload", is: "a record of a log (Google Cloud)", remark: logRemark),
    Row("jsonPayload", is: "a record of a log (Google Cloud)", remark: logRemark),
    Row("@timestamp", is: "a record of a log (Elastic, Logstash)", remark: logRemark),
    Row("_raw", is: "a record of a log (Splunk)", remark: logRemark),
    Row("result/_raw", is: "a record of a log (Splunk)", remark: logRemark),
    Row("level", "msg", is: "a record of a log", remark: logRemark),
    Row("level", "message", is: "a record of a log", remark: logRemark),
    Row("severity", "message", is: "a record of a log", remark: logRemark),
    Row("terraform_version", is: "a state of Terraform"),
    Row(
      "realm", "auth-server-url", is: "an adapter's configuration of Keycloak",
      remark: "this only names the server and realm: fetch the keys of the realm at "
        + "/realms/NAME/protocol/openid-connect/certs, its SAML metadata at "
        + "/realms/NAME/protocol/saml/descriptor"),
    Row("realm", "clients", is: "an export of a realm of Keycloak"),
    Row("idp", "sp", is: "the settings of a SAML library (idp, sp)"),
    Row("AzureAd", is: "settings of an application of .NET (appsettings.json)"),
    Row("Logging", "AllowedHosts", is: "settings of an application of .NET (appsettings.json)"),
    Row("Version", "Statement", is: "a policy of AWS IAM"),
    Row("verificationMethod", is: "a DID document"),
    Row("@context", is: "a document of JSON-LD, without a JSON Web Token"),
    Row("schemas", is: "a resource or answer of SCIM"),
    Row("rawId", "response", is: "an answer of WebAuthn (a passkey)"),
    Row("challenge", "rp", is: "options of WebAuthn (a passkey)"),
    Row("iv", "value", "mac", is: "an encrypted cookie of Laravel"),
    Row(
      "n", "e", is: "a JWK without the member kty",
      remark: "the member kty is missing: an RSA key has \"kty\": \"RSA\""),
    Row("redirect_uris", is: "the registration of a client"),
    Row("dependencies", "name", is: "a package.json of Node"),
    Row("errorCode", is: "an error of a server", .errorAnswer),
    Row("errorMessage", is: "an error of a server", .errorAnswer),
    Row("errors", is: "an error of a server", .errorAnswer),
    Row("fault", is: "an error of a server", .errorAnswer),
    Row("message", "status", is: "an error of a server", .errorAnswer),
    Row("message", "statusCode", is: "an error of a server", .errorAnswer),
    Row("message", "code", is: "an error of a server", .errorAnswer),
    Row("title", "status", "type", is: "an error of a server (RFC 9457)", .errorAnswer),
  ]

  // MARK: XML

  /// - Parameter sample: XML whose first element has the local name `root`.
  static func recognise(root: String, _ sample: TextSample) -> RecognisedText? {
    if root == "Metadata" || root == "Envelope", sample.has("/ws/2004/09/mex") {
      return metadataExchange.text
    }
    return xmlRows.first { $0.names.contains(root) }?.text
  }

  private static let metadataExchange = Row(
    is: "an answer of WS-MetadataExchange (MEX), with WSDL in it",
    remark: "this describes the endpoints of a service, and has no keys that are trusted: fetch "
      + "the federation metadata of the same server (AD FS: "
      + "/FederationMetadata/2007-06/FederationMetadata.xml), which begins with EntityDescriptor")

  private static let stsRemark =
    "AWS exchanged the token for credentials of its own: keep them secret; the token is what was "
    + "sent in the request (SAMLAssertion, WebIdentityToken)"
  private static let partRemark =
    "this is a part of an assertion, and the signature covers all of it: copy the whole "
    + "Response or Assertion"
  private static let requestRemark =
    "this is a request, which an application sends: the token is in the answer to it"

  private static let xmlRows: [Row] = [
    Row(
      "AssumeRoleWithSAMLResponse", "AssumeRoleWithWebIdentityResponse", "AssumeRoleResponse",
      "GetSessionTokenResponse", is: "an answer of AWS STS with credentials of AWS", .credentials,
      remark: stsRemark),
    Row(
      "RequestSecurityToken", "AttributeQuery", "AuthnQuery", "ArtifactResolve",
      "ManageNameIDRequest", "AssertionIDRequest", is: "a request of SAML or WS-Trust",
      remark: requestRemark),
    Row(
      "Subject", "AttributeStatement", "AuthnStatement", "AuthenticationStatement", "Conditions",
      "Issuer", "NameID", "Attribute", "AttributeValue", "SignedInfo", "Signature", "Status",
      "EncryptedKey", "EncryptedID", "EncryptedAttribute", is: "a part of a SAML assertion",
      remark: partRemark),
    Row("serviceResponse", is: "an answer of CAS", remark: "CAS answers without a signature"),
    Row("configuration", is: "a configuration file of .NET (web.config)"),
    Row("SPConfig", is: "a configuration file of Shibboleth (shibboleth2.xml)"),
    Row(
      "MetadataProvider", "AttributeFilterPolicyGroup", "Attributes", "RelyingPartyGroup",
      is: "a configuration file of Shibboleth"),
    Row("beans", is: "a configuration file of Spring"),
    Row("keycloak-saml-adapter", is: "an adapter's configuration of Keycloak"),
    Row("project", is: "a project of Maven or MSBuild"),
    Row("Project", is: "a project of MSBuild"), Row("web-app", is: "a web.xml of Java"),
    Row("Server", "server", is: "a server.xml of a Java server"),
    Row("plist", is: "a property list of Apple"), Row("manifest", is: "an Android manifest"),
    Row("rss", "feed", is: "a feed (RSS, Atom)"), Row("urlset", is: "a site map"),
    Row("XRD", "XRDS", is: "a description of a host (XRD)"),
    Row("Policy", "PolicySet", is: "a policy (WS-Policy, XACML)"),
    Row(
      "TrustServiceStatusList", is: "a list of trust services (ETSI)",
      remark: "a list of trust services names authorities, and no keys of issuers"),
    Row("Event", "Events", is: "events of Windows"),
    Row("testsuites", "testsuite", is: "results of tests"),
  ]
}
