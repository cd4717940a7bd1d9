#if Client
  import FederationClient
  import Foundation
  import HTTPExchange
  import SimulatedService
  import SimulatorHost
  import Simulators
  import TestSupport
  import Testing
  import TokenBasics

  @Suite("claims-client post, to one of a person's pages on Facebook")
  struct FacebookPageCommandTests {
    static let person = "person-token-1"

    /// A person with these pages, of which 4711 is the server's, and the command that posts.
    static func play(
      _ pages: [FacebookServer.Page],
      _ body:
        @escaping @Sendable (SimulatorHost, FeedBoard, ClientTool, [String]) async throws -> Void
    ) async throws {
      let board = FeedBoard(time: SystemTime())
      let end = SystemTime().now.advanced(bySeconds: 3600)
      for token in [person, "page-token-1", "page-token-2"] { board.allow(token, until: end) }
      try await SimulatorHost.serving({ _ in
        FacebookServer(board, version: "v23.0", page: "4711", persons: [person: pages])
      }) { host in
        try await SignInCommandTests.tool { tool, _ in
          let post = [
            "post", "--service", "facebook", "--api", host.base.text, "--api-version", "v23.0",
            "--text", "Hello", "--token-file", try tool.file("token", person),
          ]
          try await body(host, board, tool, post)
        }
      }
    }

    static let talks = FacebookServer.Page("4711", "Swift Days", token: "page-token-1")
    static let club = FacebookServer.Page("4712", "Chess Club", token: "page-token-2")
    static let shown = FacebookServer.Page(
      "4713", "Only to look at", token: "page-token-2", tasks: ["ANALYZE"])

    @Test("The only page that the person may post to is posted to, with the page's own token")
    func onlyPage() async throws {
      try await Self.play([Self.shown, Self.talks]) { host, board, tool, post async throws in
        let outcome = try await tool.run(post)
        #expect(outcome.object["id"] as? String == "4711_1", "\(outcome.talk)")
        #expect(
          host.journal.requests.map { $0["Authorization"] }
            == ["Bearer person-token-1", "Bearer page-token-1"])
      }
    }

    @Test(
      "Of several pages --page chooses, a list asks, and without a terminal the error has the list")
    func severalPages() async throws {
      try await Self.play([Self.club, Self.talks]) { host, board, tool, post async throws in
        let unnamed = try await tool.run(post)
        #expect(unnamed.status == 2)
        #expect(unnamed.talk.contains("--page: 4712 (Chess Club), 4711 (Swift Days)"))
        let unknown = try await tool.run(post + ["--page", "4713"])
        #expect(unknown.code == "feed.permission")
        #expect(board.posts.isEmpty)
        let named = try await tool.run(post + ["--page", "4711"])
        #expect(named.object["id"] as? String == "4711_1", "\(named.talk)")
        let asked = try await tool.run(
          post.map { $0 == "Hello" ? "Hello again" : $0 },
          person: .atTerminal(("Number: ", { "7" }), ("Number: ", { "2" })))
        #expect(asked.object["id"] as? String == "4711_2", "\(asked.talk)")
        #expect(asked.talk.contains("  1  Chess Club\n  2  Swift Days"))
      }
    }

    @Test(
      "--page-token marks a page's own token, and the service then rejects a person's")
    func pageToken() async throws {
      try await Self.play([Self.talks]) { host, board, tool, post async throws in
        let own = ["--page", "4711", "--page-token"]
        #expect(try await tool.run(post + own).code == "feed.permission")
        #expect(board.posts.isEmpty)
        _ = try tool.file("token", "page-token-1")
        #expect(try await tool.run(post + own).object["id"] as? String == "4711_1")
        // A page's token lists no pages.
        #expect(try await tool.run(post).code == "feed.rejected")
      }
    }
  }
#endif
