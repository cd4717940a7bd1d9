import HTTPExchange
import TokenBasics

/// Registers a client at the server.
struct RegistrationRequest {
  let application: MobileApplication
  let device: MobileDevice

  /// The flattened serialization under the server's own names, around the public key.
  func http(_ base: HTTPURL, _ key: MobileClientKey) throws(TokenError) -> HTTPRequest {
    let signed = try key.sign(payload, keyID: nil)
    var json = JSONWriter()
    json.object { json in
      json.name("signedRegistrationData")
      json.object { json in
        json.member("header", signed.header)
        json.member("payload", signed.payload)
        json.member("signature", signed.signature)
      }
    }
    return HTTPRequest(
      .post, try base.appending(["registration", "v1", "self"]),
      fields: try MobileFields.json(application), body: json.bytes)
  }

  /// The client's identifier: the last segment of `Location`, which is not followed.
  /// - Throws: `client.registration`; `transport.status` for a 5xx; `transport.malformed-response`.
  static func clientID(_ answer: HTTPResponse) throws(TokenError) -> String {
    guard answer.status == 200 || answer.status == 201 else {
      let code = (try? JSONAnswer.read(answer))?["errorCode"]?.string
      throw TokenError(
        answer.status >= 500 ? .transportStatus : .clientRegistration,
        expected: "status 200 or 201",
        found: "status \(answer.status)" + (code.map { ", \(TokenError.excerpt($0))" } ?? ""))
    }
    guard let location = answer.fields["Location"],
      let last = location.prefix(while: { $0 != "?" }).split(separator: "/").last,
      location.contains("/clients/"), (1...128).contains(last.utf8.count),
      last.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x25 })
    else { throw JSONAnswer.malformed("a Location that ends in the client's name") }
    return String(last)
  }

  private var payload: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.name("device")
      json.object { json in
        json.member("id", device.id)
        json.member("platform", device.platform)
        json.member("model", device.model)
        json.member("osVersion", device.systemVersion)
        json.member("deviceDisplayName", device.displayName)
      }
      json.name("application")
      json.object { json in
        json.member("id", application.id)
        json.member("clientPlatform", application.platform)
        json.member("version", application.version)
      }
      json.name("attributes")
      json.object { json in
        json.name("sdk_protocol_version")
        json.integer(1)
      }
    }
    return json.bytes
  }
}
