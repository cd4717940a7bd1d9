#if Server
  import AccessControl
  import ArgumentParser
  import CommandSupport
  import FoundationEssentials
  import LocalFiles
  import SecurityKeys

  /// `acs demo`
  struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "demo",
      abstract:
        "Issuer, sample application and feed on loopback, until Ctrl-C; leaves nothing behind.")

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
#endif
