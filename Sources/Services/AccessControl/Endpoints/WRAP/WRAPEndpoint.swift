import HTTPExchange
import SignIn
import TokenBasics

/// WRAP v0.9: a Simple Web Token for a service identity.
struct WRAPEndpoint: Endpoint {
  let service: IssuingService

  var routes: [Route] {
    let programs = Route.Programs(challenge: "WRAP") { refuse($0) }
    return ["/wrapv0.9", "/v2/wrapv0.9"].map { Route($0, for: programs, post: issue) }
  }

  private func issue(_ request: WebRequest) async -> HTTPResponse {
    var place = ACSRefusal.Place.request
    do throws(TokenError) {
      let form = try service.form(request)
      let namespace = service.namespace
      let party = try namespace.relyingParty(scope: form.require("wrap_scope"))
      let identity: ServiceIdentity
      if let format = form["wrap_assertion_format"] {
        let assertion = Array(try form.require("wrap_assertion").utf8)
        identity = try await service.identity(
          assertedBy: assertion, format, request, at: &place)
      } else {
        identity = try await service.identity(
          form.require("wrap_name"), password: form.require("wrap_password"), request)
      }
      let token = try await service.issue(for: identity, to: party, by: .wrap, as: .swt)
      service.note(party.realm, identity.name, token.format.name)
      // Encoded once more, so that the escapes of the token stay.
      let body =
        "wrap_access_token=" + FormEncoding.encode(String(decoding: token.octets, as: UTF8.self))
        + "&wrap_access_token_expires_in=\(party.lifetime - 1)"
      return service.responder.response(
        200, "application/x-www-form-urlencoded; charset=us-ascii", Array(body.utf8))
    } catch {
      return refuse(error, at: place)
    }
  }

  private func refuse(
    _ error: TokenError, at place: ACSRefusal.Place = .request
  ) -> HTTPResponse {
    let refusal = ACSRefusal(error, at: place)
    let trace = service.logged(error, refusal)
    let body =
      "Error:Code:\(refusal.status):SubCode:T0:Detail:\(refusal): \(error.code.summary) "
      + "(\(error.code.rawValue)):TraceID:\(trace):TimeStamp:\(service.timestamp)"
    return service.retrying(
      service.responder.response(
        refusal.status, "text/plain; charset=utf-8", Array(body.utf8)), error)
  }
}
