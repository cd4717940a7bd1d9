extension TokenError.Code {
  /// There is no signature where one is required.
  public static let signatureMissing = Self(
    "signature.missing",
    "there is no signature where one is required",
    hint:
      "the issuer must sign the token; an unsigned one proves nothing")
  /// A signature is in a place where it covers nothing that is read.
  public static let signatureMisplaced = Self(
    "signature.misplaced",
    "a signature is in a place where it covers nothing that is read",
    hint:
      "a SAML signature is a child of the element it signs (SAML Core 5.4.1)")
  /// An element has more than one signature.
  public static let signatureRepeated = Self(
    "signature.repeated",
    "an element has more than one signature",
    hint:
      "SAML allows one; a second is how signatures are wrapped")
  /// The Signature element is not built as XML Signature and SAML demand.
  public static let signatureStructure = Self(
    "signature.structure",
    "the Signature element is not built as XML Signature and SAML demand",
    hint:
      "it holds SignedInfo, SignatureValue and at most one KeyInfo, in that order; anything more, such "
      + "as another assertion, is the mark of a wrapping attack: refuse the token")
  /// The signature value is empty, no base64, or of impossible length.
  public static let malformedSignatureValue = Self(
    "signature.value",
    "the signature value is empty, no base64, or of impossible length",
    hint:
      "the text was cut or edited")
  /// SignedInfo does not have exactly one reference.
  public static let referenceCount = Self(
    "signature.reference-count",
    "SignedInfo does not have exactly one reference",
    hint:
      "one signature covers one element (SAML Core 5.4.2)")
  /// SignedInfo has more references than the limit.
  public static let tooManyReferences = Self(
    "signature.too-many-references",
    "SignedInfo has more references than the limit",
    hint:
      "raise limits.references in the trust file if this is genuine")
  /// The reference does not name the element that carries the signature.
  public static let referenceURI = Self(
    "signature.reference-uri",
    "the reference does not name the element that carries the signature",
    hint:
      "its URI must be # and that element's own ID (SAML Core 5.4.2); \"\" will do where the element is the "
      + "document without processing instructions beside it")
  /// The reference names no element of this document.
  public static let referenceUnresolved = Self(
    "signature.reference-unresolved",
    "the reference names no element of this document",
    hint:
      "only Id, ID and xml:id are identifiers by themselves: name the ID attributes of the document"
  )
  /// The reference leads outside the document.
  public static let externalReference = Self(
    "signature.external-reference",
    "the reference leads outside the document",
    hint:
      "nothing is ever fetched; verify the parts where they are")
  /// The reference has a type that adds meaning of its own.
  public static let referenceType = Self(
    "signature.reference-type",
    "the reference has a type that adds meaning of its own",
    hint:
      "references to a Manifest verify only the list, not what it lists")
  /// The reference uses a transform that is not allowed.
  public static let refusedTransform = Self(
    "signature.transform",
    "the reference uses a transform that is not allowed",
    hint:
      "only enveloped-signature and canonicalization are, the former first and once")
  /// The digest value is no base64 or has another length than its algorithm's.
  public static let malformedDigestValue = Self(
    "signature.digest-value",
    "the digest value is no base64 or has another length than its algorithm's",
    hint:
      "the text was cut or edited")
  /// The signed content was changed after signing.
  public static let digestMismatch = Self(
    "signature.digest-mismatch",
    "the signed content was changed after signing",
    hint:
      "compare with what the issuer sent: re-indenting, re-encoding or editing all "
      + "change the digest")
  /// No trusted key of the issuer verifies the signature.
  public static let signatureInvalid = Self(
    "signature.invalid",
    "no trusted key of the issuer verifies the signature",
    hint:
      "check that the key is the one the issuer signs with now; tampering looks the "
      + "same")
  /// The signature asks for a truncated MAC.
  public static let hmacOutputLength = Self(
    "signature.hmac-output-length",
    "the signature asks for a truncated MAC",
    hint:
      "truncated MACs can be guessed (CVE-2009-0217); sign without HMACOutputLength")
  /// The HMACSHA256 value is not the base64 of 32 bytes.
  public static let malformedMAC = Self(
    "signature.mac-malformed",
    "the HMACSHA256 value is not the base64 of 32 bytes",
    hint:
      "the token was cut or edited")
  /// No trusted key of the issuer produces this HMAC.
  public static let macMismatch = Self(
    "signature.mac-mismatch",
    "no trusted key of the issuer produces this HMAC",
    hint:
      "check the secret: a file whose text happens to be base64 is decoded, so where the text "
      + "itself is the "
      + "secret, give hmac: with the base64 of that text; the MAC covers the bytes as received, so "
      + "re-encoding "
      + "breaks it")
  /// The HMACSHA256 pair is not the last one.
  public static let macNotLast = Self(
    "signature.mac-not-last",
    "the HMACSHA256 pair is not the last one",
    hint:
      "whatever follows it would not be signed")
  /// There is more than one HMACSHA256 pair.
  public static let macRepeated = Self(
    "signature.mac-repeated",
    "there is more than one HMACSHA256 pair",
    hint:
      "a reader could take the other one")
  /// The signatures of a document hold, and none of them covers its document element.
  public static let signaturePartial = Self(
    "signature.partial",
    "the signatures are valid, and none covers the document element: anybody may have written the rest",
    hint:
      "take it for signed only where the references point, and accept partial signatures")
  package static let signature: [Self] = [
    .signatureMissing,
    .signatureMisplaced,
    .signatureRepeated,
    .signatureStructure,
    .malformedSignatureValue,
    .referenceCount,
    .tooManyReferences,
    .referenceURI,
    .referenceUnresolved,
    .externalReference,
    .referenceType,
    .refusedTransform,
    .malformedDigestValue,
    .digestMismatch,
    .signatureInvalid,
    .hmacOutputLength,
    .malformedMAC,
    .macMismatch,
    .macNotLast,
    .macRepeated,
    .signaturePartial,
  ]
}
