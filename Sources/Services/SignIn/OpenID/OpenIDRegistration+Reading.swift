import Federation
import Octets
package import TokenBasics

extension OpenIDRegistration {
  private static let members = [
    "issuer", "clientID", "clientSecret", "authentication", "clientKey", "clientKeys", "scopes",
    "userInfo", "algorithms", "prompt", "maxAge", "contexts", "resources", "responseMode",
    "refresh", "emails", "decryptKeys", "encrypted", "configuration", "otherAudiences",
  ]

  /// The registration in a provider's entry; nil where a member is missing without which there is none.
  package init?(_ entry: JSONValue, _ file: inout MemberReader) {
    file.members(entry, Self.members)
    guard let issuer = file.text(entry["issuer"]) ?? file.required(entry, "issuer"),
      let client = file.text(entry["clientID"]) ?? file.required(entry, "clientID"),
      let authentication = Self.authentication(entry, &file)
    else { return nil }
    self.issuer = issuer
    discovery = Self.discovery(entry, issuer, &file)
    otherAudiences = Self.otherAudiences(entry["otherAudiences"], &file)
    clientID = client
    self.authentication = authentication
    scopes = Self.scopes(entry["scopes"], &file)
    userInfo = entry["userInfo"].map { file.flag($0) }
    algorithms = Self.algorithms(entry["algorithms"], &file)
    prompt = Self.prompt(entry["prompt"], &file)
    maxAge = entry["maxAge"].map { file.seconds($0, 0, 0...315_360_000) }
    contexts = Self.tokens(entry["contexts"], "contexts, such as [\"urn:mfa\"]", &file)
    resources = Self.resources(entry["resources"], &file)
    responseMode = Self.responseMode(entry["responseMode"], &file)
    refresh = entry["refresh"].map { file.seconds($0, 300, 60...86_400) }
    emails = Self.domains(entry["emails"], &file)
    decryptKeys = Self.decryptKeys(entry["decryptKeys"], &file)
    demandsEncryption = Self.demandsEncryption(entry, &file)
  }

  // MARK: Authentication

  /// What the members say together: a secret or a key that nothing uses is an error.
  private static func authentication(
    _ entry: JSONValue, _ file: inout MemberReader
  ) -> Authentication? {
    let way =
      file.text(entry["authentication"]) ?? (entry["clientSecret"] == nil ? "none" : "basic")
    func refuse(_ names: [String], _ file: inout MemberReader) {
      for name in names {
        if let value = entry[name] {
          file.refuse(value, "none, since authentication is \(way)", name)
        }
      }
    }
    switch way {
    case "basic", "post":
      refuse(["clientKey", "clientKeys"], &file)
      guard let secret = secretFile(entry, &file) else { return nil }
      return way == "basic" ? .basic(secretFile: secret) : .post(secretFile: secret)
    case "privateKey":
      refuse(["clientSecret"], &file)
      let keys = keyFiles(entry, &file)
      return keys.isEmpty ? nil : .privateKey(keyFiles: keys)
    case "none":
      refuse(["clientSecret", "clientKey", "clientKeys"], &file)
      return Authentication.none
    default:
      file.refuse(entry["authentication"] ?? entry, "basic, post, privateKey or none")
      return nil
    }
  }

  private static func secretFile(
    _ entry: JSONValue, _ file: inout MemberReader
  ) -> String? {
    guard let value = entry["clientSecret"] else { return file.required(entry, "clientSecret") }
    guard let text = file.text(value) else { return nil }
    guard text.hasPrefix("file:"), text.utf8.count > 5 else {
      // It may be the secret itself.
      file.refuse(value, "file:NAME", "\(text.utf8.count) bytes without file: before them")
      return nil
    }
    return String(text.dropFirst(5))
  }

  /// `clientKey` for one, `clientKeys` for several, of which the first signs.
  private static func keyFiles(
    _ entry: JSONValue, _ file: inout MemberReader
  ) -> [String] {
    guard let list = entry["clientKeys"] else {
      return (file.text(entry["clientKey"]) ?? file.required(entry, "clientKey")).map { [$0] } ?? []
    }
    if let single = entry["clientKey"] { file.refuse(single, "clientKeys alone", "clientKey") }
    let files = file.texts(list)
    if files.isEmpty { file.refuse(list, "a list of files") }
    return files
  }

  /// The address of the configuration. One that stands as the issuer is told where it belongs.
  private static func discovery(
    _ entry: JSONValue, _ issuer: String, _ file: inout MemberReader
  ) -> String? {
    if issuer.hasSuffix(OpenIDSource.wellKnown), let value = entry["issuer"] {
      file.refuse(
        value,
        "the issuer as tokens name it; the address of its configuration is \"configuration\": "
          + "\"\(TokenError.excerpt(issuer))\"", issuer)
    }
    guard let value = entry["configuration"], let text = file.text(value) else { return nil }
    guard (try? OpenIDSource(issuer: "https://issuer.example", configuration: text)) != nil else {
      file.refuse(value, "an https address, or http on loopback", text)
      return nil
    }
    return text
  }

  /// `any` (as without the member), or a list.
  private static func otherAudiences(
    _ json: JSONValue?, _ file: inout MemberReader
  ) -> [String]? {
    guard let json, json.string?.hasSameBytes(as: "any") != true else { return nil }
    guard json.array != nil else {
      file.refuse(json, "any, or a list of audiences")
      return nil
    }
    return file.texts(json)
  }

  // MARK: Requests

  /// The scopes to ask for (RFC 6749, 3.3): `openid profile email` where the file says nothing.
  private static func scopes(_ json: JSONValue?, _ file: inout MemberReader) -> [String] {
    guard let json else { return ["openid", "profile", "email"] }
    let scopes = file.texts(json)
    if !scopes.contains("openid") || !scopes.allSatisfy(OpenIDClient.isToken) {
      file.refuse(json, "a list of scopes with openid among them, such as [\"openid\", \"email\"]")
    }
    return scopes
  }

  /// Names without white space; empty where the file says nothing.
  private static func tokens(
    _ json: JSONValue?, _ expected: String, _ file: inout MemberReader
  ) -> [String] {
    guard let json else { return [] }
    let tokens = file.texts(json)
    if tokens.isEmpty || !tokens.allSatisfy(OpenIDClient.isToken) {
      file.refuse(json, "a list of \(expected)")
    }
    return tokens
  }

  /// `prompt` (OpenID Connect Core 1.0, 3.1.2.1). With `none` nobody who is signed out there could sign in here.
  private static func prompt(_ json: JSONValue?, _ file: inout MemberReader) -> String? {
    guard let json, let text = file.text(json) else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    if words.contains("none") || !words.allSatisfy(OpenIDClient.isToken) {
      file.refuse(json, "login, consent, select_account or another word of the provider, not none")
    }
    return text
  }

  private static func responseMode(
    _ json: JSONValue?, _ file: inout MemberReader
  ) -> OpenIDResponseMode {
    guard let json, let text = file.text(json) else { return .query }
    guard let mode = OpenIDResponseMode(rawValue: text) else {
      file.refuse(json, "query or form_post")
      return .query
    }
    return mode
  }

  private static func resources(_ json: JSONValue?, _ file: inout MemberReader) -> [String] {
    guard let json else { return [] }
    let resources = file.texts(json)
    if resources.isEmpty || !resources.allSatisfy(OpenIDClient.isResource) {
      file.refuse(json, "a list of absolute URIs without #, such as [\"https://api.example\"]")
    }
    return resources
  }

  // MARK: Answers

  /// The keys to which the provider may encrypt; empty where the file says nothing.
  private static func decryptKeys(_ json: JSONValue?, _ file: inout MemberReader) -> [String] {
    guard let json else { return [] }
    let files = file.texts(json)
    if files.isEmpty { file.refuse(json, "a list of files") }
    return files
  }

  /// `"encrypted": "required"`, which needs keys.
  private static func demandsEncryption(
    _ entry: JSONValue, _ file: inout MemberReader
  ) -> Bool {
    guard let value = entry["encrypted"] else { return false }
    if file.text(value) != "required" {
      file.refuse(value, "required; without the member both kinds are accepted")
    }
    if entry["decryptKeys"] == nil {
      file.refuse(value, "decryptKeys beside it, to which the provider encrypts")
    }
    return true
  }

  /// Algorithms that verify with a public key and without an exception.
  private static func algorithms(
    _ json: JSONValue?, _ file: inout MemberReader
  ) -> [SignatureAlgorithm]? {
    guard let json else { return nil }
    var algorithms: [SignatureAlgorithm] = []
    for value in file.list(json) {
      guard let text = file.text(value) else { continue }
      guard let algorithm = SignatureAlgorithm(named: text), OpenIDClient.isPublic(algorithm) else {
        file.refuse(
          value,
          SignatureAlgorithm.all.filter(OpenIDClient.isPublic).map(\.nameInJOSE)
            .joined(separator: ", "))
        continue
      }
      algorithms.append(algorithm)
    }
    if json.array?.isEmpty == true {
      file.refuse(json, "a list of algorithms, such as [\"ES256\"]")
    }
    return algorithms
  }

  /// Domains of e-mail addresses, such as `corp.example`.
  private static func domains(_ json: JSONValue?, _ file: inout MemberReader) -> [String] {
    let domains = file.texts(json)
    let isDomain = domains.allSatisfy { domain in
      domain.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || "-.".utf8.contains($0) || $0 > 0x7F
      } && !domain.hasPrefix(".") && !domain.hasSuffix(".")
    }
    if let json, !isDomain { file.refuse(json, "a list of domains, such as [\"corp.example\"]") }
    return domains
  }
}
