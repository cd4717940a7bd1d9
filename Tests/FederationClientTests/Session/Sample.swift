import Claims
import Federation
import FederationClient
import Foundation
import HTTPExchange
import TestSupport

/// Sessions and places for tests.
enum Sample {
  static let now = Instant(secondsSinceEpoch: 1_893_499_200)
  static let mia = Principal(authority: "Facebook-1234567890", subject: "100004711")
  static let claims = ClaimSet([
    Claim(.name, "Mia Müller", issuer: "https://talksns.accesscontrol.windows.net/"),
    Claim(.role, "editor"), Claim(.role, "speaker"),
    Claim(.identityProvider, "Facebook-1234567890"),
    Claim(.facebookAccessToken, "AAAB1+x/y="),
    Claim(
      "http://schemas.microsoft.com/ws/2008/06/identity/claims/expiration",
      "2030-01-01T22:00:00.3593475Z"),
  ])

  static func session(
    _ credential: String = "sesame-1", scheme: CredentialScheme = .bearer,
    refresh: String? = "refresh-1", expires: Instant? = nil, principal: Principal = mia,
    lifetime: SessionLifetime = .unlimited
  ) -> Session {
    Secrecy.hide(credential)
    if let refresh { Secrecy.hide(refresh) }
    let session = Session(
      principal: principal, claims: claims, provider: "Facebook-1234567890",
      credential: Credential(scheme, Secret(credential)),
      refreshToken: refresh.map { Secret($0) }, expires: expires, signedInAt: now,
      lifetime: lifetime)
    Secrecy.see(session)
    return session
  }

  /// A folder that is removed after `body`.
  static func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }
}
