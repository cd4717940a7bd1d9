public import HTTPExchange
public import TokenBasics

/// Posts to one service.
///
/// Repeats a request only where that cannot post twice: preparations, and publications that the service
/// recognises. Any other interrupted publication is ``FeedError/Reason/unknownOutcome``; a person must look
/// whether the post exists.
public struct Feed: Sendable {
  /// Returns the service with a new token, after `feed.token-expired`. An error other than
  /// `TokenError` becomes the `TokenError.underlying` of what ``Feed/post(_:attempt:)`` throws.
  public typealias Renewal =
    @Sendable (_ service: any FeedService) async throws -> any FeedService

  /// The service and its account.
  public let service: any FeedService
  private let transport: any HTTPTransport
  private let time: any TimeSource
  private let observer: any ActivityObserver
  private let random: RandomSource
  private let renewal: Renewal?

  /// A feed of `service`. Without `renewal`, ``post(_:attempt:)`` throws `feed.token-expired`.
  public init(
    _ service: any FeedService, over transport: any HTTPTransport,
    time: any TimeSource = SystemTime(), observer: any ActivityObserver = NoObserver(),
    random: RandomSource = RandomSource(), renewal: Renewal? = nil
  ) {
    self.service = service
    self.transport = transport
    self.time = time
    self.observer = observer
    self.random = random
    self.renewal = renewal
  }

  /// Checks the post and publishes it.
  ///
  /// - Parameters:
  ///   - post: The text, and an image if any.
  ///   - attempt: The identity of an earlier attempt at this post whose outcome is unknown.
  /// - Throws: ``FeedError``.
  public func post(
    _ post: FeedPost, attempt: PostAttempt? = nil
  ) async throws(FeedError) -> FeedReceipt {
    try await self.post(
      post, attempt: attempt ?? PostAttempt(at: time.now, random: random), isFirst: true)
  }

  /// As ``post(_:attempt:)``, of an attempt that was made before it is sent for the first time, so that it is known
  /// whatever happens then.
  package func post(
    _ post: FeedPost, attempt: PostAttempt, isFirst: Bool
  ) async throws(FeedError) -> FeedReceipt {
    try Self.check(post, service)
    var attempt = attempt
    attempt.isRepeated = !isFirst
    do throws(FeedError) {
      return try await run(service, post, attempt)
    } catch {
      guard error.reason == .tokenExpired, let renewal else { throw error }
      // A rejected token posted nothing, so the post is sent once more.
      let renewed: any FeedService
      do {
        renewed = try await renewal(service)
      } catch {
        throw FeedError(.tokenExpired, TokenError(ofRenewal: error))
      }
      return try await run(renewed, post, attempt)
    }
  }

  /// The requests that ``post(_:attempt:)`` would send, with every secret masked. Sends nothing.
  /// - Throws: ``FeedError`` if the service's check rejects the post.
  public func rehearsal(
    of post: FeedPost, attempt: PostAttempt? = nil
  ) throws(FeedError) -> [RequestPreview] {
    try Self.check(post, service)
    var flow = try service.flow(
      for: post, attempt ?? PostAttempt(at: time.now, random: random))
    var previews: [RequestPreview] = []
    var answer: HTTPResponse?
    while true {
      switch try flow.next(after: answer) {
      case .send(let request), .wait(_, let request):
        previews.append(RequestPreview(request.http, hiding: service.secrets))
        answer = service.rehearsedAnswer(to: request)
      case .posted:
        return previews
      }
    }
  }

  private static func check(_ post: FeedPost, _ service: any FeedService) throws(FeedError) {
    guard !post.isEmpty else {
      throw FeedError(.rejected, service: service.name, expected: "text, a link or an image")
    }
    try service.check(post)
  }

  private func run(
    _ service: any FeedService, _ post: FeedPost, _ attempt: PostAttempt
  ) async throws(FeedError) -> FeedReceipt {
    var flow = try service.flow(for: post, attempt)
    var answer: HTTPResponse?
    while true {
      switch try flow.next(after: answer) {
      case .send(let request):
        answer = try await exchange(request, service)
      case .wait(let duration, let request):
        await time.wait(duration)
        answer = try await exchange(request, service)
      case .posted(let receipt):
        observer.happened(Activity("feed.posted", [("service", service.name)]))
        return receipt
      }
    }
  }

  /// The response to one request, sent up to three times where it can be repeated.
  private func exchange(
    _ request: FeedRequest, _ service: any FeedService
  ) async throws(FeedError) -> HTTPResponse {
    var http = request.http
    var pause = Duration.seconds(1)
    var tries = 1
    // An attempt that may have posted, whatever the result of the next ones.
    var doubt: FeedError?
    while true {
      let failure: FeedError
      do throws(FeedError) {
        return try await send(http, request, service)
      } catch {
        failure = error
      }
      if failure.reason == .unknownOutcome { doubt = failure }
      guard failure.reason == .unavailable || failure.reason == .unknownOutcome,
        let repetition = request.repetition, tries < 3, !Task.isCancelled
      else { throw failure.reason == .unavailable ? doubt ?? failure : failure }
      observer.happened(
        Activity(
          "feed.repeated", [("service", service.name), ("code", failure.cause.code.rawValue)]))
      await time.wait(pause)
      pause *= 2
      tries += 1
      http = repetition
    }
  }

  private func send(
    _ http: HTTPRequest, _ request: FeedRequest, _ service: any FeedService
  ) async throws(FeedError) -> HTTPResponse {
    let response: HTTPResponse
    do throws(TokenError) {
      let transport = transport
      response = try await observer.during(
        Activity("feed.request", [("service", service.name), ("host", http.url.origin.host)])
      ) { () throws(TokenError) in try await transport.response(to: http) }
    } catch {
      throw Self.broken(request, service, error)
    }
    if response.isSuccess { return response }
    if response.isRedirect {
      throw FeedError(.failed, TokenError(.transportRedirect, node: service.name))
    }
    if request.isOptional, [400, 404].contains(response.status) { return response }
    let refusal = service.refusal(response, now: time.now)
    // The service may have posted before it failed.
    if refusal.reason == .unavailable, request.purpose == .publication {
      throw FeedError(
        .unknownOutcome, service: service.name, found: "status \(response.status)")
    }
    throw refusal
  }

  /// The error for a request without a response. Errors that rule out that it was sent keep their cause.
  private static func broken(
    _ request: FeedRequest, _ service: any FeedService, _ error: TokenError
  ) -> FeedError {
    switch error.code {
    case .transportUntrustedServer, .transportMalformedField, .transportInsecureAddress,
      .transportMalformedAddress:
      FeedError(.failed, error)
    case .transportNoConnection: FeedError(.unavailable, error)
    default:
      FeedError(
        request.purpose == .publication ? .unknownOutcome : .unavailable, service: service.name,
        found: error.code.rawValue)
    }
  }
}

/// A request as text, every secret masked, for a dry run.
public struct RequestPreview: Hashable, Sendable, CustomStringConvertible {
  /// Method and address, such as `POST https://graph.example.org/v23.0/1/feed`.
  public let line: String
  /// The header fields, in the order in which they are sent.
  public let fields: [Field]
  /// The body; for an image or multipart its number of bytes in parentheses.
  public let body: String

  /// One header field.
  public struct Field: Hashable, Sendable {
    /// The field's name as sent.
    public let name: String
    /// The field's value, masked.
    public let value: String
  }

  /// The request with these secrets masked, and with the whole credential of `Authorization` and the like.
  public init(_ request: HTTPRequest, hiding secrets: [Secret]) {
    let redaction = Redaction(secrets)
    line = request.method.rawValue + " " + redaction.mask(request.url.text)
    fields = request.fields.list.map { name, value in
      Field(name: name, value: Self.shown(name, value, redaction))
    }
    let type = request.fields["Content-Type"] ?? ""
    if type.hasPrefix("multipart/") || type.hasPrefix("image/") {
      body = request.body.isEmpty ? "" : "(\(request.body.count) bytes)"
    } else {
      body = redaction.mask(request.body)
    }
  }

  /// The request line, the fields, an empty line and the body, separated by line feeds.
  public var description: String {
    ([line] + fields.map { "\($0.name): \($0.value)" } + ["", body]).joined(separator: "\n")
  }

  /// Masks a credential but keeps its scheme.
  private static func shown(_ name: String, _ value: String, _ redaction: Redaction) -> String {
    let isCredential = ["authorization", "x-zumo-auth", "cookie"].contains {
      $0.utf8.elementsEqual(name.utf8.map { $0 | 0x20 })
    }
    guard isCredential else { return redaction.mask(value) }
    return value.contains(" ") ? value.prefix { $0 != " " } + " ***" : "***"
  }
}
