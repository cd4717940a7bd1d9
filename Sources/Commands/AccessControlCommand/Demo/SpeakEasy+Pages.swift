#if Server
  import FederationClient
  import HummingbirdFederation
  import SecurityKeys

  extension SpeakEasy {
    /// What a page says first, after the step that led to it.
    private enum Told: String {
      case cancelled
      case refusing
      case set
      case signedIn = "signed-in"
    }

    private func told(_ request: WebRequest) -> Told? {
      let query = try? request.parameters
      return query?["told"].flatMap(Told.init)
    }

    private func outcome(_ request: WebRequest) -> String? {
      switch told(request) {
      case .cancelled: "You cancelled. Nothing was shared."
      case .refusing: "The feed will refuse the next post, as if you had withdrawn the permission."
      case .set: "The next token will be \(Self.article(format(request)))."
      case .signedIn:
        visit(request).map { "You are signed in\(Self.name($0.visit).map { " as \($0)" } ?? "")." }
      case nil: nil
      }
    }

    private static func article(_ format: String) -> String {
      switch format {
      case "SWT": "a Simple Web Token"
      case "JWT": "a JSON Web Token"
      default: "an assertion of \(format)"
      }
    }

    /// What the token calls the person, if it does.
    private static func name(_ visit: Visit) -> String? { visit.session.claims.single(.name) }

    /// With the corner that every page has: who is signed in, and the format of the token.
    private func page(
      _ status: Int, _ content: PageContent, _ request: WebRequest
    ) -> HTTPExchange.HTTPResponse {
      var content = content
      if content.outcome == nil { content.outcome = outcome(request) }
      if let (_, visit) = visit(request) {
        content.menu = [PageContent.Link(Self.name(visit) ?? "You", to: "/you")]
      }
      content.setting = PageContent.Form(
        to: "/settings",
        inputs: [
          .init(
            "format", label: "Format of the next token", value: DemoFile.slug(format(request)),
            choices: DemoFile.formats.map { (DemoFile.slug($0), $0) })
        ], button: "Set", heading: format(request))
      return responder.page(status, .content(content))
    }

    // MARK: Talks

    /// `GET /`
    func talks(_ request: WebRequest) -> HTTPExchange.HTTPResponse {
      var content = PageContent(
        "Talks", notes: ["Two days in June on tokens and those who read them."])
      content.entries = Programme.talks.map { talk in
        PageContent.Entry(
          talk.title, at: Self.path(talk), remarks: talk.remarks,
          link: PageContent.Link("Share", to: Self.path(talk) + "/share"))
      }
      content.nextLink = PageContent.Link("What people say", to: addresses.feed)
      return page(200, content, request)
    }

    /// `GET /talks/1`
    func show(_ talk: Talk, _ request: WebRequest) -> HTTPExchange.HTTPResponse {
      var content = PageContent(
        talk.title, notes: [talk.remarks.joined(separator: " · "), talk.summary])
      content.primaryLink = PageContent.Link("Share this talk", to: Self.path(talk) + "/share")
      content.nextLink = PageContent.Link("All talks", to: "/")
      return page(200, content, request)
    }

    // MARK: Sharing

    func composing(
      _ talk: Talk, _ visit: Visit, _ request: WebRequest, message: String, note: String? = nil
    ) -> HTTPExchange.HTTPResponse {
      var content = PageContent(
        talk.title, notes: [talk.remarks.joined(separator: " · ")] + (note.map { [$0] } ?? []))
      content.forms = [
        PageContent.Form(
          to: Self.path(talk) + "/share",
          inputs: [.init("message", label: "Your message", value: message, type: "textarea")],
          button: Self.name(visit).map { "Post as \($0)" } ?? "Post", action: .primary)
      ]
      content.nextLink = PageContent.Link("Do not share", to: Self.path(talk))
      return page(200, content, request)
    }

    func nothingToPostWith(
      _ talk: Talk, _ visit: Visit, _ request: WebRequest
    ) -> HTTPExchange.HTTPResponse {
      let provider = providers.name(of: visit.session.provider)
      var content = PageContent(
        "\(provider) cannot post for you",
        notes: [
          "You signed in with \(provider), which sent no access token to post with. Facebook sends one."
        ])
      content.primaryLink = PageContent.Link(
        "Sign in with Facebook",
        to: Self.path(talk) + "/sign-in?with=" + HTTPURL.percentEncoded(DemoFile.facebook))
      content.nextLink = PageContent.Link("Back to the talk", to: Self.path(talk))
      return page(200, content, request)
    }

    // MARK: What goes wrong

    func expired(_ talk: Talk?, _ request: WebRequest) -> HTTPExchange.HTTPResponse {
      var content = PageContent("Your session has expired")
      content.notes = [
        visit(request)?.visit.draft == nil
          ? "Sign in again to go on where you were."
          : "Sign in again to go on where you were. Your message is kept."
      ]
      let talk = talk ?? Programme.talks[0]
      content.primaryLink = PageContent.Link("Sign in again", to: Self.path(talk) + "/sign-in")
      content.nextLink = PageContent.Link("Back to the talk", to: Self.path(talk))
      return page(200, content, request)
    }

    func notPosted(
      _ talk: Talk, _ error: TokenError, isTokenExpired: Bool, _ request: WebRequest
    ) -> HTTPExchange.HTTPResponse {
      var content = PageContent(
        "Your post was not taken",
        notes: [
          "The feed answered: \(TokenError.unquoted(error.found ?? error.code.summary)).",
          "Your message is kept.",
        ])
      content.details = (error.code.rawValue, nil)
      content.primaryLink =
        isTokenExpired
        ? PageContent.Link(
          "Sign in again",
          to: Self.path(talk) + "/sign-in?with=" + HTTPURL.percentEncoded(DemoFile.facebook))
        : PageContent.Link("Try again", to: Self.path(talk) + "/share")
      content.nextLink = PageContent.Link("Back to the talk", to: Self.path(talk))
      return page(200, content, request)
    }

    /// The issuer said no, or what it said cannot be taken.
    func refused(
      _ text: String, _ talk: Talk?, _ code: String, _ number: String? = nil
    ) -> HTTPExchange.HTTPResponse {
      var content = PageContent("You are not signed in", notes: [text])
      content.details = (code, number)
      if let talk {
        content.primaryLink = PageContent.Link("Try again", to: Self.path(talk) + "/sign-in")
      }
      content.nextLink = PageContent.Link(
        talk == nil ? "All talks" : "Back to the talk", to: Self.path(talk))
      return responder.page(400, .content(content))
    }

    // MARK: The person

    /// `GET /you`: what the application knows, where each claim came from, and how a session ends.
    func person(_ request: WebRequest) -> HTTPExchange.HTTPResponse {
      guard let (_, visit) = visit(request) else { return responder.redirect("/") }
      let session = visit.session
      guard session.state(at: SystemTime().now) == .usable else { return expired(nil, request) }
      let provider = providers.name(of: session.provider)
      var content = PageContent(Self.name(visit).map { "You are \($0)" } ?? "You")
      content.notes = [
        "Signed in with \(provider) at \(PageTime.clock(session.signedInAt)), by \(Self.article(visit.format))"
          + (session.expires.map { " that ends at \(PageTime.clock($0))." } ?? ".")
      ]
      let claims = session.claims.map { claim in
        [
          claim.type.shortName, claim.value,
          providers.source(of: claim, provider: session.provider),
        ]
      }
      let tokens = session.providerTokens.map { token in
        [token.type.shortName, "kept apart from the claims, for posting alone", provider]
      }
      content.tables = [
        PageContent.Table(
          "What the token says", heads: ["Claim", "Value", "From"], rows: claims + tokens)
      ]
      content.forms =
        [
          PageContent.Form(
            to: "/expire", button: "Let the session expire", heading: "How it ends")
        ]
        + (tokens.isEmpty
          ? [] : [PageContent.Form(to: "/refuse", button: "Let the feed refuse the next post")])
        + [PageContent.Form(to: "/sign-out", button: "Sign out", action: .primary)]
      content.nextLink = PageContent.Link("All talks", to: "/")
      return page(200, content, request)
    }
  }
#endif
