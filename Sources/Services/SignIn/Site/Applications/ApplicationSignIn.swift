package import HTTPExchange
import TokenBasics

/// What an application on a host of its own asks of the site at which people sign in. It travels sealed in the browser's
/// address, so that the site sends a browser only to an origin and a path that an application of its own named.
package struct ApplicationSignIn: Sendable {
  /// The origin of the application, as it is configured.
  package let origin: String
  /// Where its page is.
  package let returnPath: ReturnPath
  /// The SHA-256 of the 256 bits that the browser has at the application: a ticket counts in that browser alone.
  let browser: [UInt8]
  /// Eight hexadecimal digits that name the cookie with these bits.
  let cookie: String
  /// Whether the person wants to sign in anew, by another provider, though there is a session.
  let isAnew: Bool
  /// When it is too late.
  let expires: Instant

  init(
    origin: String, returnPath: ReturnPath, browser: [UInt8], cookie: String, isAnew: Bool,
    expires: Instant
  ) {
    self.origin = origin
    self.returnPath = returnPath
    self.browser = browser
    self.cookie = cookie
    self.isAnew = isAnew
    self.expires = expires
  }

  /// The page of the application.
  var address: String { origin + returnPath.text }
}

extension ApplicationSignIn {
  /// What sealed text of this kind is for, so that no other opens as one.
  package static let purpose = "application sign-in"

  /// The members as JSON, to be sealed.
  package var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("origin", origin)
      json.member("return", returnPath.text)
      json.member("browser", Base64.encode(browser, .url))
      json.member("cookie", cookie)
      json.name("anew")
      json.bool(isAnew)
      json.name("expires")
      json.integer(Int(expires.seconds))
    }
    return json.bytes
  }

  /// What was sealed; nil for anything else.
  package init?(json octets: [UInt8]) {
    guard let json = try? JSONParser.parse(octets), let origin = json["origin"]?.string,
      let path = json["return"]?.string.flatMap({ try? ReturnPath($0) }),
      let browser = json["browser"]?.string.flatMap({ try? Base64.decode($0.utf8, .url) }),
      let cookie = json["cookie"]?.string, let isAnew = json["anew"]?.bool,
      let expires = json["expires"]?.integer
    else { return nil }
    self.init(
      origin: origin, returnPath: path, browser: browser, cookie: cookie, isAnew: isAnew,
      expires: Instant(secondsSinceEpoch: Int64(expires)))
  }
}
