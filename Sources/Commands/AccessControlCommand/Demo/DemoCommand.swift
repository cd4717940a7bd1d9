#if Server
  import AccessControl
  import ArgumentParser
  import CommandServer
  import CommandSupport
  import FoundationEssentials
  import HummingbirdFederation
  import LocalFiles
  import SecurityKeys

  /// `acs demo`
  struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "demo",
      abstract:
        "Issuer, sample application and feed on loopback, until Ctrl-C; leaves nothing behind.",
      discussion: """
        Examples:
          acs demo
          acs demo --port 9000

        The application shows talks. Who shares one signs in, edits the message, and sees it in the feed.
        """)

    @Option(
      help: ArgumentHelp(
        """
        The port of the issuer; the application and the feed have the next two. Without it 8090 to 8092, or \
        free ones where one of those is taken.
        """, valueName: "PORT"))
    var port: Int?

    func validate() throws {
      guard let port, !DemoAddresses.range.contains(port) else { return }
      let range = DemoAddresses.range
      throw ValidationError("--port is a number from \(range.lowerBound) to \(range.upperBound)")
    }

    func run() async throws {
      let addresses = try await DemoAddresses(from: port)
      let (file, errors) = ServiceFile.read(Array(DemoFile.text(addresses).utf8))
      guard let file else { throw CommandFailure(service: errors) }
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "acs-demo-" + TokenDraft.unpredictableID().prefix(9).dropFirst())
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(at: folder) }
      let keys = try ServiceKeys(name: "acs demo", at: SystemTime().now)
      let assembly = try ServiceAssembly(file, keys: keys)
      let people = DemoFile.people(file)
      let greeting = try DemoGreeting(addresses, assembly, folder: folder.path()).text
      let feed = DemoFeed(addresses, people: people)
      let application = try SpeakEasy(addresses, assembly, feed: feed)
      let beside = try [application.listener(), feed.listener()]
      try await RunningServer(assembly, .own).run(beside: beside) {
        // Once all three listen: a password of a service that does not run helps nobody.
        try? OpenFile.standardOutput.write(Array((greeting + "\n").utf8))
      }
    }
  }

  /// What the demonstration says once it runs: the addresses, and two lines for the other commands.
  struct DemoGreeting {
    private let addresses: DemoAddresses
    private let assembly: ServiceAssembly
    private let folder: String

    init(_ addresses: DemoAddresses, _ assembly: ServiceAssembly, folder: String) {
      self.addresses = addresses
      self.assembly = assembly
      self.folder = folder.hasSuffix("/") ? folder : folder + "/"
    }

    /// Writes the files that the lines name.
    ///
    /// - Throws: exit status 2 where they cannot be written.
    var text: String {
      get throws {
        let namespace = assembly.site.store.current
        let realm = DemoFile.realm("SAML 2.0")
        guard let provider = namespace.providers.first,
          case .testPeople(let people) = provider.kind,
          let mia = people.first
        else { return "" }
        let token = try namespace.issue(
          mia.claims, from: .provider(provider.id), to: namespace.relyingParty(realm),
          at: SystemTime().now)
        let certificate = try save(
          "acs.pem", Array(PEMText.certificate(assembly.keys.current.certificate).utf8))
        let saved = try save("token.xml", token.octets)
        let access = try save(
          "facebook.token", Array((mia.claims.single(.facebookAccessToken) ?? "").utf8))
        return """
          open \(addresses.application) in a browser and share a talk; Ctrl-C ends it
               \(addresses.issuer) is the issuer, \(addresses.feed) the feed
               \(addresses.issuer)admin shows and changes the rules; sign in there with \(assembly.keys.password)

          a token that was just issued, for claims:
               swift run claims verify --key \(certificate) --issuer \(addresses.issuer) --audience \(realm) \(saved)
          a post to the feed without a browser:
               swift run --enable-all-traits claims-client post --service facebook --api \(addresses.feed) --api-version v23.0 --token-file \(access) --text "I heard a talk"
          """
      }
    }

    private func save(_ name: String, _ octets: [UInt8]) throws(CommandFailure) -> String {
      let path = folder + name
      do throws(FileFailure) {
        try AtomicFile(path: path).replace(with: octets)
      } catch {
        throw CommandFailure(service: [
          error.error(.issuingFileValue, folder, expected: "a folder")
        ])
      }
      return path
    }
  }
#endif
