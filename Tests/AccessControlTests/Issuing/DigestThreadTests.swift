import AccessControl
import Foundation
import HTTPExchange
import SecurityKeys
import Synchronization
import TestSupport
import Testing
import TokenBasics

@Suite("Digests of secrets beside the threads of connections")
struct DigestThreadTests {
  /// One thread for tasks, as a connection has.
  private final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "one thread")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  /// What happened, the first first.
  private final class Order: Sendable {
    private let entries = Mutex<[String]>([])
    var list: [String] { entries.withLock { $0 } }
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
  }

  /// Who shows a secret that is kept as a digest.
  enum Shower: CaseIterable {
    case client, identity, admin, registration

    /// Where a secret is shown, and the fields of the form.
    func form(_ secret: String) -> (path: String, fields: [(String, String)]) {
      switch self {
      case .client:
        (
          "/v2/openid/introspect",
          [
            ("token", "x"), ("client_id", DigestThreadTests.realm), ("client_secret", secret),
          ]
        )
      case .identity:
        (
          "/WRAPv0.9",
          [
            ("wrap_name", "uploader"), ("wrap_password", secret),
            ("wrap_scope", DigestThreadTests.realm),
          ]
        )
      case .admin: ("/admin/sign-in", [("name", "ada"), ("password", secret)])
      case .registration: ("/v2/openid/register", [])
      }
    }
  }

  fileprivate static let realm = "uri:talks.example.org"
  private let digest: Secret

  init() throws { digest = Secret(try #require(HashedSecret.text(of: "right secret"))) }

  private func site(_ shower: Shower) throws -> AccessControlSite {
    guard shower != .admin else {
      return try SiteFixture(admins: [Admin("ada", password: digest, role: .viewer)]).site
    }
    var party = RelyingParty(realm: Self.realm, format: .swt, ruleGroups: [])
    party.clientSecret = digest
    return try SiteFixture(
      ServiceNamespace(
        issuer: "https://acs.example/", relyingParties: [party], providers: [],
        identities: [ServiceIdentity(name: "uploader", password: digest)], ruleGroups: [],
        keys: NamespaceKeys()),
      registration: ClientRegistration(
        relyingParty: Self.realm, token: digest, transport: ClientDocumentTransport())
    ).site
  }

  private func request(_ shower: Shower, _ secret: String) throws -> WebRequest {
    let (path, fields) = shower.form(secret)
    let body = fields.map { FormEncoding.encode($0.0) + "=" + FormEncoding.encode($0.1) }
      .joined(separator: "&")
    var request = WebRequest(method: "POST", path: path, body: Array(body.utf8))
    try request.fields.append("Content-Type", "application/x-www-form-urlencoded")
    if shower == .registration {
      try request.fields.append("Authorization", "Bearer " + secret.replacing(" ", with: "-"))
    }
    request.peer = "192.0.2.1"
    return request
  }

  @Test(
    "While a wrong secret is digested its thread answers another request",
    arguments: Shower.allCases)
  func goesOn(shower: Shower) async throws {
    let (site, request) = (try site(shower), try request(shower, "wrong secret"))
    let order = Order()
    let thread = OneThread()
    await withTaskExecutorPreference(thread) {
      await withTaskGroup { group in
        group.addTask {
          let status = await site.respond(to: request).status
          order.add("\(status)")
        }
        group.addTask { order.add("other") }
      }
    }
    #expect(order.list == ["other", "401"])
  }

  @Test(
    "Of forty wrong secrets at once ten are judged, as of forty one after the other",
    arguments: Shower.allCases)
  func atOnce(shower: Shower) async throws {
    let (site, request) = (try site(shower), try request(shower, "wrong secret"))
    let statuses = await withTaskGroup { group in
      for _ in 0..<40 { group.addTask { await site.respond(to: request).status } }
      return await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    }
    #expect(statuses == [401: 10, 429: 30])
  }

  @Test("The right secret gets in beside wrong ones of another name, and then at once")
  func right() async throws {
    let site = try site(.client)
    let (wrong, right) = (
      try request(.identity, "wrong secret"), try request(.client, "right secret")
    )
    let statuses = await withTaskGroup { group in
      for _ in 0..<5 { group.addTask { await site.respond(to: wrong).status } }
      for _ in 0..<2 { group.addTask { await site.respond(to: right).status } }
      return await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    }
    #expect(statuses == [401: 5, 200: 2])
    #expect(await site.respond(to: right).status == 200)
  }
}
