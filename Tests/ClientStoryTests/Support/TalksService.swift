#if Client
  import Federation
  import FederationClient
  import Foundation
  import HTTPExchange
  import SimulatedService
  import Synchronization

  /// A relying party's own service, which verifies the credential of each request itself.
  final class TalksService: Simulator {
    private let trust: Trust
    private let time: any TimeSource
    private let scheme: CredentialScheme
    private let subjects = Mutex<[String]>([])

    init(trust: Trust, scheme: CredentialScheme, time: any TimeSource) {
      self.trust = trust
      self.scheme = scheme
      self.time = time
    }

    /// The subjects of the accepted requests.
    var visitors: [String] { subjects.withLock { $0 } }

    func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
      guard let field = request["Authorization"] else {
        return .answer(401, [("WWW-Authenticate", "OAuth")])
      }
      let (head, tail) =
        switch scheme {
        case .oauth: ("OAuth ", "")
        case .bearer: ("Bearer ", "")
        case .wrap: ("WRAP access_token=\"", "\"")
        default: throw Refusal(500, "no such scheme")
        }
      guard field.hasPrefix(head), field.hasSuffix(tail) else {
        throw Refusal(400, "another scheme: \(field.prefix(8))")
      }
      let text = field.dropFirst(head.count).dropLast(tail.count)
      do throws(TokenError) {
        let token = try AnyToken(reading: Array(text.utf8))
        let verified = try TokenValidator(trust).validate(token, at: time.now)
        subjects.withLock {
          $0.append(
            verified.facts.subject ?? verified.claims.single(.nameIdentifier) ?? "somebody")
        }
        return .answer(200, [("Content-Type", "text/plain")], "talks")
      } catch {
        return .answer(401, [("WWW-Authenticate", "OAuth error=\"\(error.code)\"")])
      }
    }
  }

  /// A page of the relying party to which browsers post.
  final class ReturnPage: Simulator {
    private let messages = Mutex<[WebRequest]>([])

    var last: WebRequest? { messages.withLock { $0.last } }

    func answer(_ request: ServerRequest) throws(Refusal) -> HTTPResponse {
      let message = WebRequest(
        method: request.method, path: request.path, query: request.query,
        contentType: request["Content-Type"], body: request.body)
      messages.withLock { $0.append(message) }
      return .html("<p>Thank you.</p>")
    }
  }
#endif
