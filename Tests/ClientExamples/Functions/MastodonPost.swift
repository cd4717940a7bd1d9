#if Client
  import FederationNetwork
  import FederationClient
  import SocialFeeds

  /// Posts to a Mastodon account, and says in words for the person what came of it.
  func toot(_ text: String, on instance: HTTPURL, token: Secret) async throws -> String {
    let transport = try AsyncHTTPClientTransport()
    let limits = try await MastodonLimits.limits(of: instance, over: transport)
    let feed = Feed(
      Mastodon(instance: instance, accessToken: token, limits: limits), over: transport)
    do throws(FeedError) {
      let receipt = try await feed.post(FeedPost(text))
      return "It stands at \(receipt.address ?? receipt.id)."
    } catch {
      switch error.reason {
      case .tooLong: return "That is too long for this instance."
      case .tokenExpired: return "Please sign in again."
      case .permission: return "The token may not post."
      case .rateLimited(let until?): return "Not before \(until.rfc3339)."
      case .unknownOutcome: return "Look whether it stands there before you post it again."
      default: return "It was not posted: \(error)"
      }
    }
  }
#endif
