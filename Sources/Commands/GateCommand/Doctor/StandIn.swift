#if Server
  import GateService
  import HTTPExchange
  import HTTPTypes
  import Hummingbird
  import HummingbirdFederation

  /// Listens in the application's place and answers with what arrived.
  struct StandIn: HTTPResponder {
    func respond(to request: Request, context: FederationContext) async throws -> Response {
      var fields = HTTPExchange.HTTPFields()
      for field in request.headers { try? fields.append(field.name.rawName, field.value) }
      let arrived = ArrivedRequest(
        method: request.method.rawValue, target: request.uri.string, fields: fields)
      var response = Response(arrived.response)
      // NIO reads nothing behind a request to upgrade.
      if request.headers[.upgrade] != nil { response.headers[.connection] = "close" }
      return response
    }
  }
#endif
