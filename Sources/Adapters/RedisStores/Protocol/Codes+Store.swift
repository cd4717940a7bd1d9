public import TokenBasics

extension TokenError.Code {
  /// The store cannot be reached.
  public static let storeUnavailable = Self(
    "store.unavailable", "the shared store cannot be reached",
    fault: .service,
    hint: "nothing is accepted until it is back; connections are made anew every second")
  /// The store did not answer in time.
  public static let storeTimeout = Self(
    "store.timeout", "the shared store did not answer in time",
    fault: .service,
    hint: "look at its load and at slow commands; whether it did what was asked is not known")
  /// TLS failed.
  public static let storeTLS = Self(
    "store.tls", "no TLS connection to the shared store",
    fault: .service,
    hint:
      "found says why; certificate verify failed: trustedRoots does not lead to it, or it expired")
  /// The store answered what it must not.
  public static let storeProtocol = Self(
    "store.protocol", "the shared store sent a reply that is not the protocol's",
    fault: .service,
    hint: "a Redis or Valkey has to be at the address, and TLS on both sides or on none")
  /// The store refused a command.
  public static let storeRefused = Self(
    "store.refused", "the shared store refused a command",
    fault: .service,
    hint: "found has the first word of its error: NOAUTH, NOPERM, OOM, READONLY and the like")
  /// The store may forget what it was told to keep.
  public static let storeForgets = Self(
    "store.forgets", "the shared store may forget used tokens, so no answer is accepted",
    fault: .service,
    hint:
      "set maxmemory-policy noeviction and appendonly yes at the master; \"mayForget\" accepts the risk"
  )
  /// Nobody knows whether the store may forget.
  public static let storeUnknown = Self(
    "store.unknown", "the shared store does not say whether it may forget used tokens",
    fault: .service,
    hint: "allow the user +info and +time; \"mayForget\": true accepts answers without knowing")
  /// The clocks differ by more than what used tokens are remembered for.
  public static let storeClock = Self(
    "store.clock", "this clock is too far behind the shared store's",
    fault: .service,
    hint: "set both clocks by NTP: used tokens are remembered by the clock of the store")
  /// Another service, or one with other keys, has the namespace.
  public static let storeOtherKeys = Self(
    "store.other-keys", "the sessions in the shared store are sealed with other keys",
    fault: .service, hint: "give every node the same keys, or this service a namespace of its own")
  /// The codes of this module.
  public static let storeCodes: [Self] = [
    .storeUnavailable, .storeTimeout, .storeTLS, .storeProtocol, .storeRefused,
    .storeForgets, .storeUnknown, .storeClock, .storeOtherKeys,
  ]
}
