public import TokenBasics

extension TokenError.Code {
  /// The proxy does not answer.
  public static let wiringUnreachable = Self(
    "wiring.unreachable",
    "the proxy does not answer",
    fault: .configuration, hint: "check the address, and that the proxy is running")
  /// The gate's own pages cannot be reached.
  public static let wiringGate = Self(
    "wiring.gate",
    "the proxy does not hand the gate's own pages to the gate",
    fault: .configuration,
    hint: "pass everything below the prefix to the gate, without asking the gate about it")
  /// The check can be asked from outside.
  public static let wiringCheckExposed = Self(
    "wiring.check-exposed",
    "a client can ask the gate's check itself, about any request",
    fault: .configuration, hint: "let the proxy alone ask it: internal in nginx, 404 in Caddy")
  /// The proxy cannot ask the gate, or the gate cannot answer it.
  public static let wiringCheckFailed = Self(
    "wiring.check-failed",
    "a request ends with an error of the proxy instead of a verdict",
    fault: .configuration,
    hint: "the gate's log has the cause: gate.request-missing, gate.peer, or no question at all")
  /// Something answers without the gate's consent.
  public static let wiringUnprotected = Self(
    "wiring.unprotected",
    "a request passes although nobody is signed in",
    fault: .configuration,
    hint:
      "let the proxy ask the gate for every location and method; --open names a path that is open on purpose"
  )
  /// A browser is not sent to sign in.
  public static let wiringSignIn = Self(
    "wiring.sign-in",
    "a browser that asks for a page is not sent to sign in",
    fault: .configuration,
    hint: "answer the gate's 401 with a redirect to its Location, or ask check?redirect")
  /// A script gets something else than 401.
  public static let wiringScript = Self(
    "wiring.script",
    "a script that is not signed in gets another answer than 401",
    fault: .configuration, hint: "pass the gate's 401 on where it has no Location")
  /// The gate judges another target.
  public static let wiringTarget = Self(
    "wiring.target",
    "the gate judges another target than the one that was asked for",
    fault: .configuration,
    hint: "hand the gate the target as it was received, undecoded and with its query")
  /// A client names the target or method that is judged.
  public static let wiringForged = Self(
    "wiring.forged",
    "a header of the client decides what the gate judges",
    fault: .configuration,
    hint: "let the proxy set the header that names the judged request, in place of the client's own"
  )
  /// A path that can be read in two ways is not refused.
  public static let wiringPath = Self(
    "wiring.path",
    "a path that can be read in two ways reaches the gate in another spelling",
    fault: .configuration, hint: "hand the gate the target as it was received, before any rewriting"
  )
  /// The gate's 403 becomes something else.
  public static let wiringRefusal = Self(
    "wiring.refusal",
    "what a rule refuses is not answered with 403",
    fault: .configuration, hint: "pass the gate's 403 on; a redirect to sign in would loop")
  /// A session does not reach the gate.
  public static let wiringSession = Self(
    "wiring.session",
    "the gate does not see the session of a browser",
    fault: .configuration,
    hint: "pass the Cookie header to the gate, and let the sessions be those of this gate.json")
  /// A rule does not hold.
  public static let wiringRule = Self(
    "wiring.rule",
    "a request passes that a rule refuses",
    fault: .configuration, hint: "ask the gate about the very target that the application gets")
  /// An identity header does not arrive.
  public static let wiringHeader = Self(
    "wiring.header",
    "an identity header does not arrive at the application as the gate set it",
    fault: .configuration,
    hint: "copy every header of gate.json from the gate's answer into the request")
  /// A client takes the gate's headers away.
  public static let wiringConnection = Self(
    "wiring.connection",
    "a client's Connection header takes an identity header away",
    fault: .configuration,
    hint: "remove the client's Connection header before the gate's headers are set")
  /// A client's own identity header arrives.
  public static let wiringClientHeader = Self(
    "wiring.client-header",
    "a client's own identity header arrives at the application",
    fault: .configuration,
    hint: "remove the client's header in every spelling before the gate's is set")
  /// The application sees the gate's session.
  public static let wiringCredential = Self(
    "wiring.credential",
    "the application gets the gate's session cookie",
    fault: .configuration,
    hint: "remove the cookie before the request goes on; whoever has it is signed in")
  /// One answer serves several requests.
  public static let wiringShared = Self(
    "wiring.shared",
    "the answer to one request serves another one",
    fault: .configuration,
    hint: "do not cache the gate's verdicts, nor answers to requests that it judged")
  /// Something else than a failure while the gate fails.
  public static let wiringFailure = Self(
    "wiring.failure",
    "a request passes, or is sent to sign in, while the gate cannot answer",
    fault: .configuration,
    hint:
      "let the proxy answer 5xx where the gate does: neither the application nor a page to sign in at"
  )
  /// The gate is not told which host a request is for.
  public static let wiringHost = Self(
    "wiring.host",
    "the gate's pages at this host are not those of the application on it",
    fault: .configuration,
    hint:
      "let the proxy name scheme and host of each request, for the check and for everything below the prefix"
  )
  /// Programs do not find who gives tokens.
  public static let wiringResource = Self(
    "wiring.resource",
    "a program is not told who gives tokens for the resource",
    fault: .configuration,
    hint:
      "pass the address below /.well-known/oauth-protected-resource to the gate, and WWW-Authenticate of its 401 and 403 on"
  )
  /// Another upgrade than that to websocket passes.
  public static let wiringUpgrade = Self(
    "wiring.upgrade",
    "an upgrade to another protocol than websocket reaches the application, or costs the request",
    hint:
      "remove Upgrade but for websocket on a GET of HTTP/1.1, and HTTP2-Settings, before the gate is asked"
  )
  /// A websocket does not work.
  public static let wiringWebSocket = Self(
    "wiring.websocket",
    "a websocket does not reach the application as one",
    hint: "hand Upgrade: websocket and Connection: Upgrade on, over HTTP/1.1")
  /// The application is told another method than the gate.
  public static let wiringMethodOverride = Self(
    "wiring.method-override",
    "a header that overrides the method reaches the application, and not the gate",
    hint:
      "hand the gate every header of the request, and remove X-HTTP-Method-Override nowhere before it"
  )
  /// A request with two hosts passes.
  public static let wiringTwoHosts = Self(
    "wiring.two-hosts",
    "a request with two Host headers is not refused with 400",
    hint: "answer 400 where a request has more than one Host header (RFC 9112, 3.2)")
  /// The gate's 401 or 403 is replaced.
  public static let wiringPage = Self(
    "wiring.refusal-page",
    "what the gate answers with 401 or 403 does not reach the client",
    hint:
      "hand on the gate's answer as it is, with its headers: WWW-Authenticate says how to sign in")
  /// An application loses its own cookies.
  public static let wiringCookie = Self(
    "wiring.cookie",
    "a cookie of the application does not arrive",
    hint: "remove the gate's cookies alone, by their whole names")
  /// Identity headers are too large for the proxy.
  public static let wiringBuffers = Self(
    "wiring.buffers",
    "identity headers of 4,000 bytes each do not arrive",
    hint:
      "let the buffers for headers hold 4,096 bytes for each header of gate.json, and the cookies")
  /// The codes of this module.
  public static let wiringCodes: [Self] = [
    .wiringUnreachable, .wiringGate, .wiringCheckExposed, .wiringCheckFailed, .wiringUnprotected,
    .wiringSignIn, .wiringScript, .wiringTarget, .wiringForged, .wiringPath, .wiringRefusal,
    .wiringSession, .wiringRule, .wiringHeader, .wiringConnection, .wiringClientHeader,
    .wiringCredential, .wiringShared, .wiringFailure, .wiringHost, .wiringResource,
    .wiringUpgrade, .wiringWebSocket, .wiringMethodOverride, .wiringTwoHosts, .wiringPage,
    .wiringCookie, .wiringBuffers,
  ]
}
