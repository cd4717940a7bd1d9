#if Client
  import ArgumentParser
  import CommandSupport
  import Federation
  import FederationClient
  import FederationNetwork
  import HTTPExchange
  import LocalFiles
  import SocialFeeds
  import TokenBasics

  /// `claims-client post`
  struct PostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "post",
      abstract: "Posts to a feed, or shows what would be sent.",
      discussion: """
        Examples:
          claims-client post --service mastodon --api https://mastodon.example \\
            --token-file token --text "I heard a talk" --dry-run

        The token comes from a file, from the environment, or is the access token that this very service \
        gave out and that a kept session holds (--from-session); another service's token is never sent. \
        --dry-run sends nothing and prints the requests with every secret masked.
        """)

    @OptionGroup var feed: FeedOptions
    @OptionGroup var network: NetworkOptions

    @Option(help: ArgumentHelp("The text of the post; - for standard input.", valueName: "TEXT"))
    var text: String

    @Option(help: ArgumentHelp("A link.", valueName: "URL"))
    var link: String?

    @Option(
      help: ArgumentHelp(
        "The title of the link's card, if the service shows one.", valueName: "TEXT"))
    var linkTitle: String?

    @Option(help: ArgumentHelp("An image.", valueName: "FILE"), completion: .file())
    var image: String?

    @Option(
      help: ArgumentHelp(
        "A description of the image, for people who cannot see it.", valueName: "TEXT"))
    var imageDescription: String?

    @Option(help: ArgumentHelp("The language, such as en.", valueName: "TAG"))
    var language: String?

    @Option(help: ArgumentHelp("A file with the token.", valueName: "FILE"), completion: .file())
    var tokenFile: String?

    @Option(help: ArgumentHelp("An environment variable with the token.", valueName: "NAME"))
    var tokenEnv: String?

    @Flag(help: "Take the access token of the service from a kept session.")
    var fromSession = false

    @OptionGroup var store: StoreOptions

    @Option(
      help: ArgumentHelp(
        """
        Mastodon, Bluesky: repeat the attempt that feed.unknown-outcome named, with the same post; it \
        cannot post twice.
        """, valueName: "KEY"))
    var attempt: String?

    @Flag(help: "Send nothing; print the requests, every secret masked.")
    var dryRun = false

    func validate() throws {
      guard !fromSession || !feed.pageToken else {
        throw ValidationError("a session holds no token of a page: --page-token needs --token-file")
      }
      guard linkTitle == nil || link != nil else {
        throw ValidationError("--link-title needs --link")
      }
      guard imageDescription == nil || image != nil else {
        throw ValidationError("--image-description needs --image")
      }
      guard !fromSession || (tokenFile == nil && tokenEnv == nil) else {
        throw ValidationError("--from-session excludes --token-file and --token-env")
      }
      guard fromSession || !store.isNamed else {
        throw ValidationError("--account and the options of the store need --from-session")
      }
      guard let attempt else { return }
      guard feed.service.recognisesAttempts else {
        throw ValidationError(
          "\(feed.service.rawValue) does not recognise a repeated post: look at its feed instead of --attempt"
        )
      }
      guard PostAttempt(attempt) != nil else {
        throw ValidationError("--attempt is a key that feed.unknown-outcome named")
      }
    }

    func run() async throws {
      let token = try self.token()
      let post = try self.post()
      let earlier = attempt.flatMap(PostAttempt.init)
      let attempt = earlier ?? PostAttempt(at: SystemTime().now)
      do {
        try await run(post, token, attempt, isFirst: earlier == nil)
      } catch let error as FeedError {
        guard error.reason == .unknownOutcome else { throw CommandFailure(error.cause) }
        throw CommandFailure(
          error.cause, attempt: attempt, isRecognised: feed.service.recognisesAttempts)
      }
    }

    private func run(
      _ post: FeedPost, _ token: Secret, _ attempt: PostAttempt, isFirst: Bool
    ) async throws {
      let transport = try network.transport()
      guard dryRun else {
        StandardError.progress("posting to \(feed.service.rawValue), attempt \(attempt.text)")
        let service = try await feed.feed(token, over: transport)
        let receipt = try await Feed(
          service, over: transport, observer: network.observer
        ).post(post, attempt: attempt, isFirst: isFirst)
        await transport.shutdown()
        var json = JSONWriter()
        json.object { json in
          json.member("service", service.name)
          json.member("id", receipt.id)
          if let address = receipt.address { json.member("address", address) }
        }
        return try Results.write(line: json.bytes)
      }
      let service = try await feed.feed(token, over: nil)
      let previews = try Feed(service, over: transport).rehearsal(of: post)
      await transport.shutdown()
      var json = JSONWriter()
      json.array { json in
        for preview in previews { PrintedJSON.preview(preview, &json) }
      }
      try Results.write(line: json.bytes)
    }

    private func post() throws -> FeedPost {
      var said = text
      if text == "-" {
        guard let typed = String(validating: try InputFile.read("-"), as: UTF8.self) else {
          throw CommandFailure(.usage, "the text is not UTF-8")
        }
        said = typed.last?.isNewline == true ? String(typed.dropLast()) : typed
      }
      var post = FeedPost(said, language: language)
      post.link = try link.map { FeedPost.Link(try HTTPURL($0), title: linkTitle) }
      if let image {
        guard
          let picture = FeedImage(try InputFile.read(image), describedAs: imageDescription ?? "")
        else {
          throw CommandFailure(
            .usage, "\(ShownPath.of(image)) is not an image of a kind that feeds accept")
        }
        post.image = picture
      }
      return post
    }

    private func token() throws -> Secret {
      guard fromSession else {
        return try SecretSource.secret("token", file: tokenFile, environment: tokenEnv)
      }
      let session = try store.session(in: try store.content()).session
      return try session.providerTokens.accessToken(of: try feed.provider(), at: SystemTime().now)
    }
  }
#endif
