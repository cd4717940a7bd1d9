package import Instants

/// The parameters that a relying party sends to a service of the WS-Federation passive profile.
package enum PassiveRequestParameters {
  /// A sign-in request (WS-Federation 1.2, 13.2.2). Nil and empty texts leave a parameter out.
  ///
  /// - Parameter state: Comes back as `wctx`.
  package static func signIn(
    realm: String, reply: HTTPURL?, state: String, homeRealm: String?,
    authenticationType: String?, freshness: Int?, at now: Instant
  ) -> [(String, String)] {
    var parameters = [("wa", "wsignin1.0"), ("wtrealm", realm)]
    if let reply { parameters.append(("wreply", reply.text)) }
    parameters.append(("wctx", state))
    parameters.append(("wct", Instant(secondsSinceEpoch: now.seconds).rfc3339))
    for (name, text) in [("whr", homeRealm), ("wauth", authenticationType)] {
      if let text, !text.isEmpty { parameters.append((name, text)) }
    }
    if let freshness { parameters.append(("wfresh", "\(max(0, freshness))")) }
    return parameters
  }

  /// A sign-out request (WS-Federation 1.2, 13.2.4).
  package static func signOut(realm: String, reply: HTTPURL?) -> [(String, String)] {
    let parameters = [("wa", "wsignout1.0"), ("wtrealm", realm)]
    return parameters + (reply.map { [("wreply", $0.text)] } ?? [])
  }
}
