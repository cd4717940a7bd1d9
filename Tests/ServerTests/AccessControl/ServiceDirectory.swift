#if Server
  import AccessControl
  import CommandSupport
  import Foundation
  import TestSupport
  import Testing

  @testable import AccessControlCommand

  /// A folder in which a test writes the files of an Access Control Service.
  final class ServiceDirectory: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "acs-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path() }

    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: url.appending(path: name))
    }

    /// Writes the usual file with these members, its relying party with these of its own, and further providers.
    func file(
      _ members: String = "", party: String = "", provider: String = "", port: Int = 8090
    ) throws {
      try write(
        "acs.json",
        """
        {"issuer": "http://127.0.0.1:\(port)/", "listen": "127.0.0.1:\(port)",
         "providers": [{"kind": "google"}\(provider)],
         "ruleGroups": [{"name": "default", "generate": ["Google"]}],
         "relyingParties": [{"realm": "urn:wiki", "format": "SAML 2.0", "rules": ["default"]\(party)}]\(members)}
        """)
    }

    /// The usual file, read.
    func folder(
      _ members: String = "", party: String = "", provider: String = ""
    ) throws -> ServiceFolder {
      try file(members, party: party, provider: provider)
      return try ServiceFolder(path("acs.json"))
    }
  }

  /// The codes of the errors for which a command ends.
  func causes(_ body: () throws -> Void) -> [TokenError] {
    do {
      try body()
      return []
    } catch let failure as CommandFailure {
      return failure.causes
    } catch {
      Issue.record(error)
      return []
    }
  }
#endif
