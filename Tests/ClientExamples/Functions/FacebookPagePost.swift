#if Client
  import FederationNetwork
  import FederationClient
  import SocialFeeds

  /// Posts to the first Facebook page of a person who signed in with Facebook.
  /// - Returns: The post's identifier; nil when there is no page to which the person may post.
  func post(_ text: String, by session: Session, graph: HTTPURL) async throws -> String? {
    let transport = try AsyncHTTPClientTransport()
    let person = try session.providerTokens.accessToken(
      of: FacebookPage.provider, at: SystemTime().now)
    let pages = try await FacebookPageAccess.pages(
      graph: graph, version: "v23.0", userToken: person, over: transport)
    guard let access = pages.first(where: \.canPost) else { return nil }

    let page = try FacebookPage(
      graph: graph, version: "v23.0", page: access.id, accessToken: access.accessToken)
    let feed = Feed(page, over: transport)
    let post = FeedPost(text)
    for preview in try feed.rehearsal(of: post) { print(preview) }
    return try await feed.post(post).id
  }
#endif
