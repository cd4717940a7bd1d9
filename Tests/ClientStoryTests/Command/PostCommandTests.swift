#if Client
  import FederationClient
  import Foundation
  import HTTPExchange
  import SimulatedService
  import SimulatorHost
  import Simulators
  import Synchronization
  import TestSupport
  import Testing
  import TokenBasics

  @Suite("claims-client post, again")
  struct PostCommandTests {
    /// A server whose first three answers to a publication get lost behind a post that was made.
    final class LosingServer: Simulator {
      private let server: MastodonServer
      private let lost = Mutex(0)

      init(_ server: MastodonServer) { self.server = server }

      func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
        let answer = try server.answer(request)
        guard request.method == "POST" else { return answer }
        let isLost = lost.withLock { lost in
          lost += 1
          return lost <= 3
        }
        return isLost ? HTTPResponse(status: 502) : answer
      }
    }

    @Test(
      "After an unknown outcome the command names an attempt, with which the post is there once")
    func attempt() async throws {
      let board = FeedBoard(time: SystemTime())
      board.allow("token-1", until: SystemTime().now.advanced(bySeconds: 3600))
      let server = LosingServer(MastodonServer(board))
      try await SimulatorHost.serving({ _ in server }) { host in
        try await SignInCommandTests.tool { tool, _ in
          let post = [
            "post", "--service", "mastodon", "--api", host.base.text, "--text", "Hello",
            "--token-file", try tool.file("token", "token-1"),
          ]
          let first = try await tool.run(post)
          #expect(first.status == 1 && first.code == "feed.unknown-outcome", "\(first.talk)")
          let error = first.object["error"] as? [String: Any]
          let attempt = try #require(error?["attempt"] as? String)
          #expect(first.talk.contains("--attempt \(attempt)"))
          let second = try await tool.run(post + ["--attempt", attempt])
          #expect(second.status == 0, "\(second.talk)")
          #expect(board.posts == ["Hello"])
        }
      }
    }

    @Test("An attempt that is none, or at a service that does not recognise it, is wrong usage")
    func wrongAttempt() async throws {
      try await SignInCommandTests.tool { tool, _ in
        let token = try tool.file("token", "token-1")
        let key = "1893499200000000-" + String(repeating: "0a", count: 16)
        for (service, attempt) in [("x", key), ("mastodon", "again")] {
          let outcome = try await tool.run([
            "post", "--service", service, "--api", "http://127.0.0.1:1", "--text", "Hello",
            "--token-file", token, "--attempt", attempt,
          ])
          #expect(outcome.status == 2, "\(outcome.talk)")
        }
      }
    }

    @Test("A token's file that others can read is taken with a warning")
    func readableToken() async throws {
      try await SignInCommandTests.tool { tool, _ in
        for (mode, isTold) in [(0o644, true), (0o640, true), (0o600, false)] {
          let token = try tool.file("token", "token-1")
          try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: token)
          let outcome = try await tool.run([
            "post", "--service", "x", "--text", "Hello", "--token-file", token, "--dry-run",
          ])
          #expect(outcome.status == 0, "\(outcome.talk)")
          #expect(outcome.talk.contains("warning: others can read") == isTold)
        }
      }
    }
  }
#endif
