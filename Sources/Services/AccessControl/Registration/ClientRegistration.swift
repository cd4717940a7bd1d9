public import HTTPExchange
import Octets
package import TokenBasics

/// How clients that no file names may describe themselves: by registration (RFC 7591), or by a document at their
/// identifier (Client ID Metadata Document).
public struct ClientRegistration: Sendable {
  /// The realm of the relying party whose clients they are.
  public let relyingParty: String
  /// The initial access token that registration takes (RFC 7591, 3); nil for none.
  public var token: Secret?
  /// The most clients that are registered at a time.
  public var most: Int
  /// Fetches the documents of clients.
  public var transport: any HTTPTransport

  /// - Parameters:
  ///   - relyingParty: The realm of the relying party whose clients they are.
  ///   - token: The initial access token; nil where anybody may register a client.
  ///   - most: The most clients that are registered at a time.
  ///   - transport: Fetches the documents of clients.
  public init(
    relyingParty: String, token: Secret?, most: Int = Self.usualMost, transport: any HTTPTransport
  ) {
    self.relyingParty = relyingParty
    self.token = token
    self.most = most
    self.transport = transport
  }

  /// The most clients without another number: a thousand.
  public static let usualMost = 1_000
  /// The most clients that there may be: 100,000.
  public static let largestMost = 100_000
}

/// What a client says of itself (RFC 7591, 2): a public client that uses codes.
package struct ClientDescription: Equatable, Sendable {
  /// Where codes go: https, http on loopback, or an app.
  package let redirects: [RedirectURI]
  /// Its name, of characters that a person sees; nil for none.
  package let name: String?

  package init(redirects: [RedirectURI], name: String?) {
    self.redirects = redirects
    self.name = name
  }

  /// Reads metadata of a client. Members that are not known are passed over (RFC 7591, 2).
  ///
  /// - Parameter isExact: Whether what is not as we have it is refused, since no answer could say how it was changed.
  /// - Throws: `registration.redirect-uri`, `registration.metadata`.
  package init(_ json: JSONValue, isExact: Bool) throws(TokenError) {
    guard json.members != nil else {
      throw TokenError(.registrationMetadata, expected: "an object", found: json.kindName)
    }
    redirects = try Self.redirects(json["redirect_uris"])
    name = try Self.name(json["client_name"])
    if let method = json["token_endpoint_auth_method"], isExact, method.string != "none" {
      throw TokenError(
        .registrationMetadata, node: "token_endpoint_auth_method", expected: "none",
        found: TokenError.excerpt(method.string ?? method.kindName))
    }
    for (name, needed) in [("grant_types", "authorization_code"), ("response_types", "code")] {
      guard let value = json[name] else { continue }
      guard let list = value.array, list.contains(where: { $0.string == needed }) else {
        throw TokenError(
          .registrationMetadata, node: name, expected: "a list with \(needed)",
          found: value.array == nil ? value.kindName : nil)
      }
    }
  }

  private static func redirects(_ json: JSONValue?) throws(TokenError) -> [RedirectURI] {
    guard let list = json?.array, (1...mostRedirects).contains(list.count) else {
      throw TokenError(
        .registrationRedirectURI, node: "redirect_uris",
        expected: "1 to \(mostRedirects) addresses",
        found: json.map { $0.array.map { "\($0.count)" } ?? $0.kindName })
    }
    var redirects: [RedirectURI] = []
    for value in list {
      guard let text = value.string, text.utf8.count <= mostOctets,
        !text.utf8.contains(UInt8(ascii: "*")), let uri = try? RedirectURI(text),
        [text, text + "/"].contains(where: { $0.hasSameBytes(as: uri.text) })
      else {
        throw TokenError(
          .registrationRedirectURI, node: "redirect_uris",
          expected: RedirectURI.forms + ", as addresses are written",
          found: TokenError.excerpt(value.string ?? value.kindName))
      }
      redirects.append(uri)
    }
    return redirects
  }

  private static func name(_ json: JSONValue?) throws(TokenError) -> String? {
    guard let json else { return nil }
    guard let name = json.string, !name.isEmpty, name.utf8.count <= mostNameOctets,
      !name.unicodeScalars.contains(where: \.isHidden),
      !name.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    else {
      throw TokenError(
        .registrationMetadata, node: "client_name",
        expected: "1 to \(mostNameOctets) octets that a person sees", found: json.kindName)
    }
    return name
  }

  private static let mostRedirects = 10
  private static let mostOctets = 2_000
  private static let mostNameOctets = 100
}

extension ClientDescription {
  /// The members by which it is kept, and shown to the client.
  package func write(to json: inout JSONWriter) {
    json.name("redirect_uris")
    json.array { json in redirects.forEach { json.string($0.text) } }
    json.member("client_name", name)
  }
}

extension RelyingParty {
  /// A public client of this relying party: its people, rules and identifiers are those of the relying party, and its ID
  /// tokens are its own.
  ///
  /// - Parameter host: Where it is, if that is proven.
  func client(
    _ id: String, _ description: ClientDescription, at host: String? = nil
  ) -> RelyingParty {
    var client = RelyingParty(realm: id, format: .jwt, ruleGroups: ruleGroups)
    let described = DescribedClient(name: description.name, host: host)
    client.described = described
    client.name = described.name(answeredAt: description.redirects.first)
    client.home = realm
    client.listedProtocols = [.openID]
    client.returnAddresses = description.redirects.compactMap(\.url)
    client.appAddresses = description.redirects.compactMap(\.app)
    client.lifetime = lifetime
    client.providers = providers
    client.hasPublicIdentifiers = hasPublicIdentifiers
    client.demandsPairwiseIdentifiers = demandsPairwiseIdentifiers
    client.signing = signing
    // What the rules of the relying party give is encrypted or not issued. The client has no key, so it gets access tokens alone.
    client.requiresEncryption = requiresEncryption
    return client
  }
}

/// What a client says of itself, as a person is shown it.
struct DescribedClient: Sendable {
  let name: String?
  /// Where it is, if that is proven.
  let host: String?

  /// The name, and where the code goes: any client may take any name, and a host may serve the documents of many.
  func name(answeredAt address: RedirectURI?) -> String {
    let goal = address.map { address in
      switch address {
      case .web(let url): url.origin.isLoopback ? "a program on this computer" : url.origin.host
      case .app: "an app on this device"
      }
    }
    var places = [host, goal].compactMap(\.self)
    if places.count == 2, places[0].hasSameBytes(as: places[1]) { places.removeLast() }
    let place = places.joined(separator: ", to ")
    return name.map { "\($0) (\(place))" } ?? place
  }
}

extension RelyingParty {
  /// The same, by the name that a person is shown where the answer goes to that address.
  func named(answeredAt text: String?) -> Self {
    guard let described, let address = text.flatMap({ try? RedirectURI($0) }) else { return self }
    var party = self
    party.name = described.name(answeredAt: address)
    return party
  }
}
