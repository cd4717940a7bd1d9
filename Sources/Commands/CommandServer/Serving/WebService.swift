#if Server
  package import HTTPExchange
  import HTTPTypes
  package import Hummingbird
  package import HummingbirdFederation
  package import TokenBasics

  /// Answers the requests of a listener, without a type of the HTTP library.
  package protocol WebService: Sendable {
    /// The most bytes of a request's body.
    var bodyLimit: Int { get }

    /// Answers a request.
    ///
    /// - Parameter peer: The network address of the sender, without its port; "unknown" where there is none.
    func respond(to request: WebRequest, from peer: String) async -> HTTPExchange.HTTPResponse

    /// Answers a request whose body is beyond the limit and was not read.
    ///
    /// - Parameters:
    ///   - error: `input.too-large`.
    ///   - request: The request without its body.
    func refuse(_ error: TokenError, _ request: WebRequest) async -> HTTPExchange.HTTPResponse
  }

  extension WebService {
    package var bodyLimit: Int { 1 << 20 }

    package func refuse(
      _ error: TokenError, _ request: WebRequest
    ) async -> HTTPExchange.HTTPResponse {
      HTTPExchange.HTTPResponse(status: 413)
    }
  }

  /// Hands the requests of a listener to the service in force.
  package struct ServiceResponder: HTTPResponder {
    private let service: @Sendable () -> any WebService

    /// - Parameter service: Called for each request, which the service of that moment answers.
    package init(_ service: @escaping @Sendable () -> any WebService) { self.service = service }

    package func respond(
      to request: Request, context: FederationContext
    ) async throws -> Response {
      let service = service()
      let asked: WebRequest
      do {
        asked =
          request.method == .get
          ? WebRequest(head: request)
          : try await WebRequest(request, bodyLimit: service.bodyLimit)
      } catch let error as HTTPError where error.status == .contentTooLarge {
        let refused = TokenError(
          .inputTooLarge, expected: "at most \(service.bodyLimit) bytes")
        return Response(await service.refuse(refused, WebRequest(head: request)))
      } catch let error as HTTPError {
        // Nobody reads the response: the body broke off.
        return Response(status: error.status)
      }
      let peer = context.isOfSocket ? "unix:" : context.remoteAddress?.ipAddress ?? "unknown"
      return Response(await service.respond(to: asked, from: peer))
    }
  }
#endif
