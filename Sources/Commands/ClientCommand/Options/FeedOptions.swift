#if Client
  import ArgumentParser
  import CommandSupport
  import Federation
  import FederationClient
  import SocialFeeds
  import HTTPExchange

  /// The feed to post to.
  struct FeedOptions: ParsableArguments {
    enum Service: String, ExpressibleByArgument, CaseIterable {
      case facebook
      case x
      case linkedin
      case mastodon
      case bluesky

      /// Whether the service knows a repeated post again.
      var recognisesAttempts: Bool { self == .mastodon || self == .bluesky }
    }

    @Option(help: ArgumentHelp("facebook, x, linkedin, mastodon or bluesky.", valueName: "SERVICE"))
    var service: Service

    @Option(
      help: ArgumentHelp(
        """
        Host and, for X, version; default the service's own (Mastodon has none). Of Bluesky the \
        account's server.
        """, valueName: "URL"))
    var api: String?

    @Option(
      help: ArgumentHelp(
        "LinkedIn: the author, urn:li:person:… or urn:li:organization:….", valueName: "URN"))
    var author: String?

    @Option(
      help: ArgumentHelp(
        """
        Facebook: the page, by its id. Without it the only page that the person may post to, or the \
        one that is chosen from a list on a terminal.
        """, valueName: "ID"))
    var page: String?

    @Flag(help: "Facebook: the token is the page's own; the list of pages is not fetched.")
    var pageToken = false

    @Option(
      help: ArgumentHelp(
        "Facebook and LinkedIn: the version of the API, such as v23.0 or 202601.",
        valueName: "VERSION"))
    var apiVersion: String?

    @Option(
      help: ArgumentHelp(
        "Mastodon: public (the default), unlisted, private or direct.", valueName: "VISIBILITY"),
      completion: .list(["public", "unlisted", "private", "direct"]))
    var visibility: String?

    @Option(
      help: ArgumentHelp(
        "Bluesky: the handle; the token is then an app password.", valueName: "HANDLE"))
    var identifier: String?

    @Option(
      help: ArgumentHelp("Facebook: a file with the app's secret.", valueName: "FILE"),
      completion: .file())
    var appSecretFile: String?

    /// An option that another service has would be left unread, and the post go where it was not meant to.
    func validate() throws {
      let given: [(option: String, isGiven: Bool, services: [Service])] = [
        ("--author", author != nil, [.linkedin]), ("--page", page != nil, [.facebook]),
        ("--page-token", pageToken, [.facebook]),
        ("--api-version", apiVersion != nil, [.facebook, .linkedin]),
        ("--visibility", visibility != nil, [.mastodon]),
        ("--identifier", identifier != nil, [.bluesky]),
        ("--app-secret-file", appSecretFile != nil, [.facebook]),
      ]
      for (option, isGiven, services) in given where isGiven && !services.contains(service) {
        let names = services.map(\.rawValue).joined(separator: " and ")
        throw ValidationError("\(option) is for \(names), not for \(service.rawValue)")
      }
    }

    /// The provider whose access tokens the feed accepts.
    /// - Throws: `session.provider-token` if the feed accepts no provider's token.
    func provider() throws -> TokenProvider {
      switch service {
      case .facebook: return FacebookPage.provider
      case .x: return XService.provider
      case .linkedin: return LinkedIn.provider
      case .mastodon: return Mastodon.provider(of: try HTTPURL(try needed(api, "--api")))
      case .bluesky:
        throw TokenError(
          .sessionProviderToken, node: "Bluesky", expected: "an app password, named by file")
      }
    }

    /// The service with its credentials.
    /// - Parameter transport: nil to send nothing.
    func feed(_ token: Secret, over transport: (any HTTPTransport)?) async throws -> any FeedService
    {
      switch service {
      case .facebook:
        let graph = try address("https://graph.facebook.com")
        let version = try needed(apiVersion, "--api-version")
        let appSecret = try appSecret()
        var (page, pageToken) = (page ?? "PAGE", token)
        if self.pageToken {
          page = try needed(self.page, "--page")
        } else if let transport {
          let pages = try await FacebookPageAccess.pages(
            graph: graph, version: version, userToken: token, appSecret: appSecret, over: transport)
          let access = try PageQuestion(pages).access(self.page)
          (page, pageToken) = (access.id, access.accessToken)
        }
        return try FacebookPage(
          graph: graph, version: version, page: page, accessToken: pageToken, appSecret: appSecret)
      case .x: return XService(api: try address("https://api.x.com/2"), accessToken: token)
      case .linkedin:
        return LinkedIn(
          api: try address("https://api.linkedin.com"),
          version: try needed(apiVersion, "--api-version"), author: try needed(author, "--author"),
          accessToken: token)
      case .mastodon:
        guard let visibility = Mastodon.Visibility(rawValue: self.visibility ?? "public") else {
          throw CommandFailure(
            .usage, "--visibility is public, unlisted, private or direct", hint: "see --help")
        }
        let instance = try HTTPURL(try needed(api, "--api"))
        var limits = MastodonLimits()
        if let transport { limits = try await .limits(of: instance, over: transport) }
        return Mastodon(
          instance: instance, accessToken: token, visibility: visibility, limits: limits)
      case .bluesky:
        let server = try address("https://bsky.social")
        let handle = try needed(identifier, "--identifier")
        guard let transport else {
          return Bluesky(
            server: server,
            session: BlueskySession(
              did: handle, handle: handle, accessToken: token, refreshToken: token))
        }
        return Bluesky(
          server: server,
          session: try await .signIn(
            server: server, identifier: handle, appPassword: token, over: transport))
      }
    }

    private func appSecret() throws -> SymmetricKey? {
      guard let appSecretFile else { return nil }
      let secret = try SecretSource.secret("app-secret", file: appSecretFile, environment: nil)
      return try SymmetricKey(bytes: Array(secret.revealed.utf8))
    }

    private func address(_ usual: String) throws(TokenError) -> HTTPURL {
      try HTTPURL(api ?? usual)
    }

    private func needed(_ value: String?, _ option: String) throws(CommandFailure) -> String {
      guard let value else {
        throw CommandFailure(
          .usage, "\(option) is needed for \(service.rawValue)", hint: "see --help")
      }
      return value
    }
  }
#endif
