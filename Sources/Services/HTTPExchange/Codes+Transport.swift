public import TokenBasics

extension TokenError.Code {
  /// No connection came about, so nothing was sent.
  public static let transportNoConnection = Self(
    "transport.no-connection",
    "no connection to the server came about; nothing was sent",
    fault: .provider,
    hint: "check the address, the network and whether the server is up; trying again may help")
  /// The connection broke, and the request may have been processed.
  public static let transportUnreachable = Self(
    "transport.unreachable",
    "the server could not be reached, or the connection broke off",
    fault: .provider,
    hint: "check the address, the network and whether the server is up; trying again may help")
  /// The exchange took longer than the caller allowed.
  public static let transportTimeout = Self(
    "transport.timeout",
    "the server did not answer in time",
    fault: .provider, hint: "try again, or allow more time")
  /// The certificate or the handshake was refused.
  public static let transportUntrustedServer = Self(
    "transport.untrusted-server",
    "the TLS handshake failed or the server's certificate is not trusted",
    fault: .provider,
    hint:
      "mend the server's certificate or the machine's trust store; there is no switch to ignore it")
  /// The answer is larger than the caller allowed.
  public static let transportTooLarge = Self(
    "transport.too-large",
    "the answer is larger than allowed",
    fault: .provider, hint: "raise the limit if this server sends responses of that size")
  /// The server sent us elsewhere.
  public static let transportRedirect = Self(
    "transport.redirect",
    "the server answered with a redirect, which is never followed",
    fault: .provider, hint: "configure the address that it redirects to, if you trust it")
  /// Not an answer of the protocol spoken.
  public static let transportMalformedResponse = Self(
    "transport.malformed-response",
    "the answer is not what the protocol allows",
    fault: .provider,
    hint: "check that the address belongs to the service and not to a proxy or a login page")
  /// A status that the protocol does not foresee here.
  public static let transportStatus = Self(
    "transport.status",
    "the server answered with an unexpected status",
    fault: .provider, hint: "look at the server's log; 5xx is worth another try later, 4xx is not")
  /// Not an absolute http or https address.
  public static let transportMalformedAddress = Self(
    "transport.malformed-address",
    "the address is not a plain absolute http or https address",
    hint: "write scheme, host and path in ASCII; user names, backslashes and fragments are refused")
  /// Plain http to another machine.
  public static let transportInsecureAddress = Self(
    "transport.insecure-address",
    "the address is plain http, which is allowed on this machine's loopback only",
    hint: "use https")
  /// A field that would split the message.
  public static let transportMalformedField = Self(
    "transport.malformed-field",
    "a header field has a name or a value that HTTP does not allow",
    hint: "names are RFC 9110 tokens; values have no line ends and no other control characters")
  /// The caller gave up.
  public static let transportCancelled = Self(
    "transport.cancelled",
    "the exchange was cancelled",
    fault: .service, hint: "nothing is wrong; the task that wanted the answer was cancelled")
  /// A proxy of the environment that the program did not allow.
  public static let transportProxy = Self(
    "transport.proxy",
    "the environment names a proxy, which this transport cannot leave out",
    fault: .configuration,
    hint: "unset the variable, set no_proxy to *, or allow proxies where the transport is made")
  /// An address of another machine, where only this one is meant.
  public static let transportNotLoopback = Self(
    "transport.not-loopback",
    "the address belongs to another machine, and only this machine's loopback is allowed",
    hint: "name a service on this machine, or allow others where the transport is made")
  /// An address of a network of its own, where only machines of the internet are meant.
  public static let transportNotPublic = Self(
    "transport.not-public",
    "the name leads to an address within a network of its own, and only the internet is allowed",
    hint: "publish the document on a host that the internet reaches")
  /// Too many calls to one server at once.
  public static let transportBusy = Self(
    "transport.busy",
    "too many calls to this server run or wait already, so this one was refused at once",
    fault: .provider,
    hint:
      "try again in a moment; if the server is well, raise `outgoing` in the configuration, or see why it is slow"
  )
  /// The server gave no answer to the last calls, so none is made for a moment.
  public static let transportPaused = Self(
    "transport.paused",
    "the server did not answer the last calls, so this one was refused at once",
    fault: .provider,
    hint:
      "see whether the server is up; a call every two seconds tries it, and the first answer ends the pause"
  )
  /// The codes of this module: failures of the network and of what comes over it.
  public static let transportCodes: [Self] = [
    .transportNoConnection, .transportUnreachable, .transportTimeout,
    .transportUntrustedServer, .transportTooLarge,
    .transportRedirect, .transportMalformedResponse, .transportStatus,
    .transportMalformedAddress, .transportInsecureAddress, .transportMalformedField,
    .transportCancelled, .transportProxy, .transportNotLoopback, .transportNotPublic,
    .transportBusy, .transportPaused,
  ]
}

extension TokenError.Code {
  /// Another process listens there.
  public static let listenInUse = Self(
    "listen.in-use",
    "another process listens at this address",
    fault: .configuration, hint: "end that process, or give this one another address")
  /// The system does not let the command listen there.
  public static let listenRefused = Self(
    "listen.refused",
    "the system does not let the command listen at this address",
    fault: .configuration,
    hint:
      "the host has to be an address of this machine; a port below 1024 may need rights that the "
      + "command does not have")
  /// A certificate or a private key that TLS cannot be spoken with.
  public static let listenTLS = Self(
    "listen.tls",
    "TLS cannot be spoken with this certificate and this private key",
    fault: .configuration,
    hint:
      "both are PEM files: the certificate first and those that issued it behind it, and the private key that "
      + "belongs to it, without a passphrase")
  /// The codes of what listens.
  public static let listenCodes: [Self] = [.listenInUse, .listenRefused, .listenTLS]
}
