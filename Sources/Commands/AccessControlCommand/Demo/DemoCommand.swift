#if Server
  import AccessControl
  import ArgumentParser
  import CommandServer
  import CommandSupport
  import FoundationEssentials
  import HTTPTypes
  import Hummingbird
  import HummingbirdFederation
  import LocalFiles
  import SecurityKeys
  import Synchronization

  /// `acs demo`
  struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "demo",
      abstract:
        "Issuer, sample application and feed on loopback, until Ctrl-C; leaves nothing behind.",
      discussion: """
        Examples:
          acs demo
        """)

    func run() async throws {
      let (file, errors) = ServiceFile.read(Array(DemoFile.text.utf8))
      guard let file else { throw CommandFailure(service: errors) }
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "acs-demo-" + TokenDraft.unpredictableID().prefix(9).dropFirst())
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(at: folder) }
      let keys = try ServiceKeys(name: "acs demo", at: SystemTime().now)
      let assembly = try ServiceAssembly(file, keys: keys)
      let greeting = try greeting(assembly, folder)
      let beside = try [SpeakEasy(assembly).listener(), DemoFeed().listener()]
      try await AccessControlServer(site: assembly.site, listen: file.listen).run(beside: beside) {
        // Once all three listen: a password of a service that does not run helps nobody.
        try? OpenFile.standardOutput.write(Array((greeting + "\n").utf8))
      }
    }

    /// The addresses, and how to verify a token that was just issued.
    private func greeting(_ assembly: ServiceAssembly, _ folder: URL) throws -> String {
      let namespace = assembly.site.store.current
      let realm = DemoFile.realm("SAML 2.0")
      guard let person = namespace.providers.first, case .testPeople(let people) = person.kind,
        let mia = people.first
      else { return "" }
      let token = try namespace.issue(
        mia.claims, from: .provider(person.id), to: namespace.relyingParty(realm),
        at: SystemTime().now)
      let certificate = folder.appending(path: "acs.pem").path()
      let saved = folder.appending(path: "token.xml").path()
      do throws(FileFailure) {
        try AtomicFile(path: certificate).replace(
          with: Array(PEMText.certificate(assembly.keys.current.certificate).utf8))
        try AtomicFile(path: saved).replace(with: token.octets)
      } catch {
        throw CommandFailure(service: [
          error.error(.issuingFileValue, folder.path(), expected: "a folder")
        ])
      }
      return """
        open \(DemoFile.application)/ in a browser: SpeakEasy, the application
             \(DemoFile.issuer) is the issuer, \(DemoFile.feed) the feed; Ctrl-C ends all three
             \(DemoFile.issuer)admin shows and changes the rules, with the password \(assembly.keys.password)

        a token that was just issued, for claims:
             swift run claims verify --key \(certificate) --issuer \(DemoFile.issuer) --audience \(realm) \(saved)
        """
    }
  }

  /// A wall on loopback that takes posts as Facebook's did, with the token of a test person.
  final class DemoFeed: Sendable {
    private let posts = Mutex<[String]>([])

    func listener() throws(TokenError) -> Listener {
      let router = Router(context: BasicRequestContext.self)
      router.post("me/feed") { [self] request, _ in try await post(request) }
      router.get("/") { [self] _, _ in page() }
      return try DemoFile.listener(router.buildResponder(), 8092)
    }

    private struct Post: Decodable {
      let access_token: String
      let message: String
    }

    private func post(_ request: Request) async throws -> Response {
      let buffer = try await request.body.collect(upTo: 1 << 16)
      let post = try URLEncodedFormDecoder().decode(Post.self, from: String(buffer: buffer))
      guard post.access_token.hasPrefix("test-access-token-") else {
        return json(
          .unauthorized,
          #"{"error":{"message":"no such token","type":"OAuthException","code":190}}"#)
      }
      let number = posts.withLock { posts in
        if posts.count >= 100 { posts.removeFirst() }
        posts.append(post.message)
        return posts.count
      }
      return json(.ok, "{\"id\":\"4711_\(number)\"}")
    }

    private func page() -> Response {
      var content = PageContent("The feed")
      let posts = posts.withLock { $0 }
      content.notes = posts.isEmpty ? ["There are no posts yet."] : posts.reversed()
      content.nextLink = PageContent.Link("To SpeakEasy", to: DemoFile.application + "/")
      return SpeakEasyPages.response(.ok, content, title: "Feed")
    }

    private func json(_ status: HTTPTypes.HTTPResponse.Status, _ text: String) -> Response {
      Response(
        status: status, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
  }
#endif
