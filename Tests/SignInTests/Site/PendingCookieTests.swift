import IdentityProviderTesting
import SignIn
import Testing

@Suite("Cookies of pending sign-ins")
struct PendingCookieTests {
  private let now = Instant(secondsSinceEpoch: 1_893_499_200)

  /// The octets of the `Cookie` field once a browser has begun so many sign-ins that lead to pages of that length.
  private func field(_ count: Int, pathLength: Int) throws -> (octets: Int, pending: Int) {
    let origin = try HTTPURL("https://app.example/").origin
    let sealer = try SignInSealer(origin: origin)
    let idp = try IdentityProviderSimulator()
    let service = try ServiceProvider(
      entityID: "https://app.example/saml", consumer: HTTPURL("https://app.example/saml/acs"),
      signingKeys: [idp.key])
    let provider = idp.provider
    let path = try ReturnPath("/" + String(repeating: "q", count: pathLength - 1))
    var cookies: [(name: String, value: String)] = []
    for second in 0..<count {
      let begun = try service.begin(
        at: provider, returningTo: path, at: now.advanced(bySeconds: Int64(second)))
      let surplus = sealer.surplus(
        in: CookieJar(cookies), at: now.advanced(bySeconds: Int64(second)))
      cookies.removeAll { surplus.contains($0.name) }
      cookies.append(
        (
          sealer.cookieName(of: begun.pending.request),
          sealer.seal(begun.pending).revealed
        ))
    }
    return (cookies.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 3 }, cookies.count)
  }

  @Test(
    "Five tabs on usual pages stay; longer addresses leave fewer, so that every server takes the field"
  )
  func sizes() throws {
    let usual = try field(8, pathLength: 60)
    #expect(usual.pending == 5 && usual.octets < 4_096)
    let long = try field(8, pathLength: 2_048)
    #expect(long.pending >= 1 && long.octets < 8_000, "\(long)")
  }
}
