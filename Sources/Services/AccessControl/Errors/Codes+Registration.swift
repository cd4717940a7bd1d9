public import TokenBasics

extension TokenError.Code {
  /// What a client says of itself cannot be met (RFC 7591, 3.2.2).
  public static let registrationMetadata = Self(
    "registration.metadata", "what the client says of itself is no public client that uses codes",
    hint:
      "see RFC 7591, 2: JSON with redirect_uris, and no secret; the answer says what is registered")
  /// A redirect URI that no client may have.
  public static let registrationRedirectURI = Self(
    "registration.redirect-uri", "a redirect URI is missing or may not be registered",
    hint: "redirect URIs are https, or http on loopback, whole and without a fragment; ten at most")
  /// A registration without the initial access token.
  public static let registrationToken = Self(
    "registration.token", "registration needs the initial access token of this service",
    hint: "send it as Authorization: Bearer; it is the token of registration in the service's file")
  /// No place for another client.
  public static let registrationFull = Self(
    "registration.full", "there are as many registered clients as may be",
    fault: .service,
    hint:
      "a client to which no person signs in is gone after a day; raise clients of registration in the file"
  )
  /// The document of a client cannot be used.
  public static let registrationDocument = Self(
    "registration.document", "the address that is the client_id has no document about the client",
    hint:
      "it answers 200 with JSON of at most 5 KiB: client_id, the address itself, redirect_uris, and no secret"
  )
  /// The codes of clients that describe themselves.
  public static let registrationCodes: [Self] = [
    .registrationMetadata, .registrationRedirectURI, .registrationToken, .registrationFull,
    .registrationDocument,
  ]
}
