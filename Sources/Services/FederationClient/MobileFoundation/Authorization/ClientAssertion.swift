import Instants
import Octets
import TokenErrors

/// The signed assertion that authenticates the client (RFC 7523, with times in milliseconds).
struct ClientAssertion {
  let application: MobileApplication
  let identity: MobileIdentity
  let audience: String
  /// Limits the assertion to one use (`jti`): the code that is sent with it.
  let id: String

  /// The compact serialization.
  /// - Parameter now: The server's time, as far as its clock is known.
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

extension Instant {
  /// The time of that many milliseconds since 1970, Mobile Foundation's unit; nil outside years 1970 to 9999.
  init?(milliseconds: Int) {
    guard milliseconds >= 0, milliseconds / 1000 <= 253_402_300_799 else { return nil }
    self.init(
      secondsSinceEpoch: Int64(milliseconds / 1000),
      nanoseconds: Int32(milliseconds % 1000) * 1_000_000)
  }

  var millisecondsSinceEpoch: Int { Int(seconds) * 1000 + Int(nanoseconds) / 1_000_000 }
}
