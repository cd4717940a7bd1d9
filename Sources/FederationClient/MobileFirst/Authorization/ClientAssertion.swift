import Instants
import StrictJSON
import TokenErrors

/// The client proves itself by a signature (RFC 7523, with times in milliseconds).
struct ClientAssertion {
  static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  let application: MobileApplication
  let identity: MobileIdentity
  let audience: String
  /// Makes the assertion good for one use: the code that it goes with.
  let id: String

  /// The compact serialization.
  /// - Parameter now: The server's present, as far as its clock is known.
  func compact(at now: Instant) throws(TokenError) -> String {
    let issued = now.millisecondsSinceEpoch
    var json = JSONWriter()
    json.object { json in
      json.member("iss", "\(application.id)$\(application.platform)$\(application.version)")
      json.member("sub", identity.clientID)
      json.member("aud", audience)
      json.name("iat")
      json.integer(issued)
      json.name("exp")
      json.integer(issued + 60_000)
      json.member("jti", id)
    }
    let signed = try identity.key.sign(json.bytes, keyID: identity.clientID)
    return signed.header + "." + signed.payload + "." + signed.signature
  }
}
