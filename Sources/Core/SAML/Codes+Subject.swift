public import TokenBasics

extension TokenError.Code {
  /// The assertion has no subject.
  public static let subjectMissing = Self(
    "subject.missing",
    "the assertion has no subject",
    hint:
      "an assertion without a subject identifies no one")
  /// The name identifier is empty.
  public static let emptyNameIdentifier = Self(
    "subject.empty-name",
    "the name identifier is empty",
    hint:
      "the issuer must name the subject or leave the element out")
  /// Statements of one assertion are about different subjects.
  public static let subjectDiffers = Self(
    "subject.differs",
    "statements of one assertion are about different subjects",
    hint:
      "all statements must name the same subject")
  /// The subject has no confirmation.
  public static let confirmationMissing = Self(
    "subject.confirmation-missing",
    "the subject has no confirmation",
    hint:
      "a bearer confirmation is required")
  /// The subject is not confirmed by the bearer method.
  public static let confirmationMethod = Self(
    "subject.confirmation-method",
    "the subject is not confirmed by the bearer method",
    hint:
      "holder-of-key and sender-vouches need a proof that a bearer cannot give")
  /// The bearer confirmation has no data, no end, or an end before its beginning.
  public static let confirmationData = Self(
    "subject.confirmation-data",
    "the bearer confirmation has no data, no end, or an end before its beginning",
    hint:
      "a sign-in, of which a recipient or a request is expected, needs SubjectConfirmationData with "
      + "NotOnOrAfter (SAML Profiles 4.1.4.2)")
  /// The bearer confirmation is not valid yet.
  public static let confirmationNotYetValid = Self(
    "subject.confirmation-not-yet-valid",
    "the bearer confirmation is not valid yet",
    hint:
      "compare both clocks; NotBefore has no place in a bearer confirmation (SAML Profiles 4.1.4.2)"
  )
  /// The bearer confirmation has expired.
  public static let confirmationExpired = Self(
    "subject.confirmation-expired",
    "the bearer confirmation has expired",
    hint:
      "the token was delivered too late; compare both clocks")
  /// The bearer confirmation names no recipient.
  public static let recipientMissing = Self(
    "subject.recipient-missing",
    "the bearer confirmation does not say where it may be delivered",
    hint:
      "a recipient was asked for, and the signed part names none")
  /// The bearer confirmation is for another address.
  public static let recipientMismatch = Self(
    "subject.recipient-mismatch",
    "the bearer confirmation is for another address",
    hint:
      "if the address found is yours, expect it as the recipient; if not, the token was issued to be sent "
      + "to another service; addresses are compared byte for byte")
  /// The bearer confirmation answers no request.
  public static let confirmationUnsolicited = Self(
    "subject.in-response-to-missing",
    "the bearer confirmation answers no request",
    hint:
      "a request was named, and the signed part answers none")
  /// The bearer confirmation answers another request.
  public static let confirmationRequestMismatch = Self(
    "subject.in-response-to-mismatch",
    "the bearer confirmation answers another request",
    hint:
      "the token was made for another sign-in")
  /// The name identifier was made for another service.
  public static let spNameQualifier = Self(
    "subject.sp-name-qualifier",
    "the name identifier was made for another service",
    hint:
      "SPNameQualifier must name one of our audiences")
  package static let subject: [Self] = [
    .subjectMissing,
    .emptyNameIdentifier,
    .subjectDiffers,
    .confirmationMissing,
    .confirmationMethod,
    .confirmationData,
    .confirmationNotYetValid,
    .confirmationExpired,
    .recipientMissing,
    .recipientMismatch,
    .confirmationUnsolicited,
    .confirmationRequestMismatch,
    .spNameQualifier,
  ]
}
