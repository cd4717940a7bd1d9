#if Server
  import FederationClient
  import HummingbirdFederation
  import SecurityKeys
  import SocialFeeds

  extension SpeakEasy {
    /// `GET /talks/1/share`: the message to edit. Only here a person has to be signed in.
    func compose(_ talk: Talk, _ request: WebRequest) throws -> HTTPExchange.HTTPResponse {
      guard let (_, visit) = visit(request) else { return try begin(talk, request) }
      guard visit.session.state(at: SystemTime().now) == .usable else {
        return expired(talk, request)
      }
      guard visit.session.canPost(at: SystemTime().now) else {
        return nothingToPostWith(talk, visit, request)
      }
      return composing(talk, visit, request, message: visit.draft ?? talk.message)
    }

    /// `POST /talks/1/share`: posts the message, and shows the feed. Whatever goes wrong, the message is kept.
    func share(_ talk: Talk, _ request: WebRequest) async throws -> HTTPExchange.HTTPResponse {
      guard let (id, visit) = visit(request) else { return try begin(talk, request) }
      let message = try request.form(passingOver: .nothing)["message"] ?? ""
      visits.keep(message, of: id)
      guard visit.session.state(at: SystemTime().now) == .usable else {
        return expired(talk, request)
      }
      guard message.contains(where: { !$0.isWhitespace }) else {
        return composing(talk, visit, request, message: message, note: "The message is empty.")
      }
      let receipt: FeedReceipt
      do throws(FeedError) {
        receipt = try await Feed(wall(of: visit), over: transport).post(FeedPost(message))
      } catch {
        return notPosted(
          talk, error.cause, isTokenExpired: error.reason == .tokenExpired, request)
      }
      visits.keep(nil, of: id)
      return responder.redirect(addresses.feed + "?post=" + HTTPURL.percentEncoded(receipt.id))
    }

    /// The feed with the access token of the person.
    private func wall(of visit: Visit) throws(FeedError) -> HistoricalFacebookWall {
      do throws(TokenError) {
        let token = try visit.session.providerTokens.accessToken(
          of: .facebook, at: SystemTime().now)
        return try HistoricalFacebookWall(graph: HTTPURL(addresses.feed), accessToken: token)
      } catch {
        throw FeedError(.tokenExpired, error)
      }
    }

    /// `POST /expire`: as if the token's ten minutes were over.
    func expire(_ request: WebRequest) -> HTTPExchange.HTTPResponse {
      if let (id, _) = visit(request) { visits.expire(id, at: SystemTime().now) }
      return responder.redirect("/you")
    }

    /// `POST /refuse`: as if the person had taken the permission to post back at Facebook.
    func refuse(_ request: WebRequest) -> HTTPExchange.HTTPResponse {
      guard visit(request) != nil else { return responder.redirect("/") }
      feed.refuseNext()
      return responder.redirect("/?told=refusing")
    }

    /// The visit of a browser, and the value of its cookie.
    func visit(_ request: WebRequest) -> (id: String, visit: Visit)? {
      guard let id = request.cookies[CookieName.visit]?.revealed, let visit = visits[id] else {
        return nil
      }
      return (id, visit)
    }
  }

  extension Session {
    /// Whether the provider sent an access token with which the feed takes posts.
    func canPost(at now: Instant) -> Bool {
      (try? providerTokens.accessToken(of: .facebook, at: now)) != nil
    }
  }
#endif
