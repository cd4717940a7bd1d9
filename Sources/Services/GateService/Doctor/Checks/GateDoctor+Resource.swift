import HTTPExchange
import Octets
import TokenBasics

extension GateDoctor {
  /// Programs find who gives tokens for the resource (RFC 9728); nothing where the file names none for this host.
  func resource() async -> [WiringCheck] {
    guard let resource = configuration.resource else { return [] }
    return [await description(of: resource)]
  }

  private func description(of resource: ProtectedResource) async -> WiringCheck {
    var check = WiringCheck("the description of the protected resource")
    let json = (try? HTTPFields([("Accept", "application/json")])) ?? HTTPFields()
    let metadata = WiringRequest("GET", resource.metadataPath, json)
    guard let response = await send(metadata, for: &check) else { return check }
    let named = (try? JSONParser.parse(response.body))?["resource"]?.string
    if response.status != 200 || named?.hasSameBytes(as: resource.identifier) != true {
      note(
        .wiringResource, metadata, "200 with \(resource.identifier)", "status \(response.status)",
        &check)
    }
    let path = "/" + resource.path.segments.map(HTTPURL.percentEncoded).joined(separator: "/")
    let call = WiringRequest("POST", path, json)
    guard !isOpen(path, "POST"), let refused = await send(call, for: &check) else { return check }
    let challenges = refused.fields.values("WWW-Authenticate")
    let isTold = challenges.contains {
      $0.firstRange(of: "resource_metadata=\"\(resource.metadataAddress)\"") != nil
    }
    if refused.status != 401 || !isTold {
      note(
        .wiringResource, call, "401 with resource_metadata in WWW-Authenticate",
        "status \(refused.status)" + (challenges.isEmpty ? " without a challenge" : ""), &check)
    }
    return check
  }
}
