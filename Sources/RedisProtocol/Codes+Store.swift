public import TokenErrors

extension TokenError.Code {
  /// The store cannot be reached.
  public static let storeUnavailable = Self(
    "store.unavailable", "the shared store cannot be reached",
    hint: "nothing is accepted until it is back; connections are made anew every second")
  /// The store did not answer in time.
  public static let storeTimeout = Self(
    "store.timeout", "the shared store did not answer in time",
    hint: "look at its load and at slow commands; whether it did what was asked is not known")
  /// The store answered what it must not.
  public static let storeProtocol = Self(
    "store.protocol", "the shared store sent a reply that is not the protocol's",
    hint: "a Redis or Valkey has to be at the address, and TLS on both sides or on none")
  /// The store refused a command.
  public static let storeRefused = Self(
    "store.refused", "the shared store refused a command",
    hint: "found has the first word of its error: NOAUTH, NOPERM, OOM, READONLY and the like")
  /// The address of the store is none.
  public static let storeAddress = Self(
    "store.address", "the address of the shared store is refused",
    hint: "redis://user@host:6379/0, or rediss:// with TLS; the password is in a file of its own")
  /// The store may forget what it was told to keep.
  public static let storeEvicts = Self(
    "store.evicts", "the shared store drops keys when its memory is full",
    hint: "set maxmemory-policy to noeviction: a token whose use is forgotten is accepted again")
  /// The codes of this module.
  public static let storeCodes: [Self] = [
    .storeUnavailable, .storeTimeout, .storeProtocol, .storeRefused, .storeAddress, .storeEvicts,
  ]
}
