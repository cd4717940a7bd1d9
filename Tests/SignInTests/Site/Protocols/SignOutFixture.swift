import AccessControl
import HTTPExchange
import IdentityProviderTesting
import SAML
import SecurityKeys
import SignIn
import Synchronization
import TestSupport
import XMLTree

/// The local token service below a provider of SAML and one of WS-Federation, and above relying parties of each protocol, for
/// sign-outs that go through it.
struct SignOutFixture {
  typealias Browser = UpstreamFixture.Browser
  let clock = ManualTime()
  let upstream: SAMLUpstream
  /// The provider of WS-Federation, where the people of `urn:desk` sign in and no others.
  let adfs: IdentityProviderSimulator
  let site: AccessControlSite
  let parties: Parties
  /// The service as service providers know it, and as the provider above does.
  let below: IdentityProvider
  let above: IdentityProvider
  /// Our key, as both sides know it.
  let trusted: Trust
  /// The provider's side of logout.
  let sender: ServiceProvider

  static let origin = SAMLUpstream.origin
  static let slo = origin + "/v2/saml/slo"

  /// The provider of SAML above.
  var idp: IdentityProviderSimulator { upstream.idp }

  /// - Parameters:
  ///   - tells: Whether the service reaches relying parties from server to server.
  ///   - values: Where the service keeps what it knows of visits.
  init(tells: Bool = true, values: any ValueStore = MemoryValueStore()) throws {
    let adfs = try IdentityProviderSimulator("urn:adfs", key: "other-rsa")
    self.adfs = adfs
    upstream = try SAMLUpstream(pages: Pages(), clock: clock) { settings in
      [try Self.passiveProvider(adfs, settings)]
    }
    let (idp, own, service) = (upstream.idp, upstream.own, upstream.service)
    let parties = try Parties(signingKey: idp.key)
    let namespace = try ServiceNamespace(
      issuer: Self.origin + "/", relyingParties: parties.relyingParties(),
      providers: [
        ACSIdentityProvider(id: "Campus", name: "Campus", .upstream("idp")),
        ACSIdentityProvider(id: "Office", name: "Office", .upstream("adfs")),
      ],
      ruleGroups: [
        RuleGroup(
          "all",
          rules: ["Campus", "Office"].map { ClaimRule(ClaimCondition(.provider($0))) })
      ],
      keys: NamespaceKeys(
        signing: own.key, symmetric: SymmetricKey(bytes: [UInt8](repeating: 7, count: 32)),
        identifiers: SymmetricKey(bytes: [UInt8](repeating: 9, count: 32))))
    site = try AccessControlSite(
      NamespaceStore(namespace), pages: Pages(), upstream: upstream.site, values: values,
      transport: tells ? parties : nil, clock: clock)
    self.parties = parties
    parties.answer = (Self.origin + "/", clock)
    below = IdentityProvider(
      entityID: Self.origin + "/",
      signOn: [.init(.redirect, try HTTPURL(Self.origin + "/v2/saml/sso"))],
      logout: [.init(.redirect, try HTTPURL(Self.slo))], wantsSignedRequests: true)
    above = IdentityProvider(
      entityID: service.entityID, signOn: [],
      logout: [.init(.redirect, try upstream.site.settings.address("saml/slo"))])
    trusted = Trust(
      issuers: [
        TrustedIssuer(
          Self.origin + "/", keys: [.certificate(own.certificate)], formats: [.saml20]),
        TrustedIssuer(
          service.entityID, keys: [.certificate(own.certificate)], formats: [.saml20]),
      ], audiences: .any)
    sender = try ServiceProvider(
      entityID: idp.entityID, consumer: HTTPURL("https://idp.example/acs"),
      logout: HTTPURL("https://idp.example/slo"), signingKeys: [idp.key])
  }

  private static func passiveProvider(
    _ adfs: IdentityProviderSimulator, _ settings: SiteSettings
  ) throws -> SignInProvider {
    let party = try PassiveRelyingParty(
      realm: "urn:service", reply: settings.address("wsfed"))
    let issuer = PassiveIssuer(
      entityID: adfs.entityID, endpoint: try HTTPURL("https://adfs.example/adfs/ls/"))
    return SignInProvider(
      id: "adfs", name: "ADFS", .wsFederation(party, .fixed(issuer)),
      registry: StaticRegistry(
        Trust(
          issuers: [TrustedIssuer(adfs.entityID, keys: [.certificate(adfs.certificate)])],
          audiences: .oneOf([]))))
  }

  /// What the service provider over SOAP answers.
  struct DirectAnswer {
    var outcome = LogoutOutcome.done
    var issuer = "urn:direct"
    /// The request that it names; nil for the one that it got.
    var request: String?
    var status = 200
  }

  /// Service providers by their realm, and what reached them and others from server to server.
  final class Parties: HTTPTransport {
    let providers: [String: ServiceProvider]
    private let requests = Mutex<[HTTPRequest]>([])
    private let answers = Mutex<DirectAnswer?>(DirectAnswer())
    private let ours = Mutex<(issuer: String, clock: any TimeSource)?>(nil)

    init(signingKey: SigningKey) throws {
      providers = try Dictionary(
        uniqueKeysWithValues: ["one", "two", "direct", "soap", "form"].map { name in
          (
            "urn:" + name,
            try ServiceProvider(
              entityID: "urn:" + name, consumer: HTTPURL("https://\(name).example/acs"),
              logout: HTTPURL("https://\(name).example/slo"), signingKeys: [signingKey])
          )
        })
    }

    /// What they have to know of the service.
    var answer: (issuer: String, clock: any TimeSource)? {
      get { ours.withLock { $0 } }
      set { ours.withLock { $0 = newValue } }
    }
    /// What the service provider over SOAP answers; nil for no answer.
    var direct: DirectAnswer? {
      get { answers.withLock { $0 } }
      set { answers.withLock { $0 = newValue } }
    }
    var sent: [HTTPRequest] { requests.withLock { $0 } }
    var told: [String] { sent.map(\.url.text) }

    func relyingParties() throws -> [RelyingParty] {
      var parties = try providers.map { realm, service in
        var metadata = service.metadata()
        // Those that do not have SOAP are told through the browser.
        metadata.logoutBindings =
          switch realm {
          case "urn:direct": [.redirect, .post, .soap]
          case "urn:soap": [.soap]
          case "urn:form": [.post]
          default: [.redirect, .post]
          }
        let document = String(decoding: try metadata.document(), as: UTF8.self)
        var reader = try MetadataReader()
        let entities = try reader.consume(Array(document.utf8)) + reader.finish()
        var party = RelyingParty(realm: realm, name: realm, format: .saml20, ruleGroups: ["all"])
        party.serviceProvider = entities.first.flatMap { SAMLServiceProvider($0) }
        return party
      }
      var talks = RelyingParty(
        realm: "urn:talks", name: "Talks", format: .swt, ruleGroups: ["all"])
      talks.returnAddresses = [try HTTPURL("https://talks.example/in")]
      var client = RelyingParty(realm: "client", name: "Chat", format: .jwt, ruleGroups: ["all"])
      client.returnAddresses = [try HTTPURL("https://client.example/in")]
      client.clientSecret = Secret("client secret")
      client.backChannelLogout = try HTTPURL("https://client.example/logout")
      parties += [talks, client]
      for place in parties.indices { parties[place].providers = ["Campus"] }
      var desk = RelyingParty(realm: "urn:desk", name: "Desk", format: .swt, ruleGroups: ["all"])
      desk.returnAddresses = [try HTTPURL("https://desk.example/in")]
      desk.providers = ["Office"]
      return parties + [desk]
    }

    func response(
      to request: HTTPRequest
    ) async throws(TokenError) -> HTTPExchange.HTTPResponse {
      requests.withLock { $0.append(request) }
      guard request.url.text == "https://direct.example/slo" else {
        return HTTPExchange.HTTPResponse(status: 200, fields: HTTPFields(), body: [])
      }
      guard let direct, let answer, let service = providers["urn:direct"] else {
        throw TokenError(.transportTimeout)
      }
      let message = try SOAPEnvelope.message(in: request.body, limits: Limits())
      let demand = try LogoutMessage(reading: message, decryptionKeys: [], Limits())
      guard case .request(let name, _, _) = demand.content else {
        throw TokenError(.clientParameter)
      }
      guard name.spNameQualifier == "urn:direct" else { throw TokenError(.logoutOtherSession) }
      let header = MessageHeader(
        id: "_direct", issuer: direct.issuer, issuedAt: answer.clock.now, destination: nil)
      let octets = try SOAPEnvelope.octets(
        around: OutgoingMessage.logoutResponse(
          header, inResponseTo: direct.request ?? demand.id, outcome: direct.outcome
        ).fragment(signedWith: service.signingKeys.first))
      return HTTPExchange.HTTPResponse(
        status: direct.status, fields: HTTPFields(), body: octets)
    }
  }

  struct Pages: PageRenderer {
    func html(_ page: SitePage) -> (html: String, policy: String) {
      switch page {
      case .form(let address, let fields):
        (
          (["form \(address.text)"] + fields.map { "field \($0.name)=\($0.value)" })
            .joined(separator: "\n"), ""
        )
      case .content(let content):
        (
          ([content.heading] + content.notes + content.signOutImages.map { "ping \($0)" }
            + (content.forms.first?.fields.map { "field \($0.name)=\($0.value)" } ?? [])
            + (content.details.map { ["code \($0.code)"] } ?? [])).joined(separator: "\n"), ""
        )
      case .refusal(let refusal): ("code \(refusal.code)", "")
      default: ("page", "")
      }
    }
  }
}
