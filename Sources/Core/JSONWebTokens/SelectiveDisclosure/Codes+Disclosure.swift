public import TokenBasics

extension TokenError.Code {
  /// The token is not put together as an SD-JWT.
  public static let disclosureParts = Self(
    "disclosure.parts",
    "the token is not put together as an SD-JWT",
    hint:
      "a signed token, a ~ behind it, and a ~ behind each disclosure (RFC 9901, 4); one without disclosures ends with ~"
  )
  /// A disclosure cannot be read.
  public static let malformedDisclosure = Self(
    "disclosure.malformed",
    "a disclosure is no JSON array of a salt, a name and a value, or of a salt and a value",
    hint:
      "disclosures are handed on as the issuer wrote them, letter by letter (RFC 9901, 4.2)")
  /// A disclosure has a name that it must not have.
  public static let disclosureName = Self(
    "disclosure.name",
    "a disclosure has a name that is reserved, or that its object has already",
    hint:
      "the issuer must not disclose _sd or ..., nor a name twice: two readers would disagree about its value"
  )
  /// A disclosure stands for something of another kind.
  public static let disclosureKind = Self(
    "disclosure.kind",
    "a disclosure of a member stands for an element of an array, or the other way round",
    hint:
      "members of objects have three elements, elements of arrays two (RFC 9901, 4.2)")
  /// The signed payload has digests where none belong.
  public static let disclosureDigests = Self(
    "disclosure.digests",
    "the payload has _sd or ... that are no digests",
    hint:
      "_sd is an array of digests in an object, and ... the only member of an element of an array (RFC 9901, 4.2.4)"
  )
  /// A digest or a disclosure occurs twice.
  public static let repeatedDisclosure = Self(
    "disclosure.repeated",
    "a digest or a disclosure occurs twice",
    hint:
      "each digest occurs once in the whole token; have the issuer use a new salt for each claim")
  /// A disclosure belongs to no digest.
  public static let unreferencedDisclosure = Self(
    "disclosure.unreferenced",
    "a disclosure belongs to no digest that the issuer signed",
    hint:
      "it was changed or is of another token, or the disclosure that refers to it was left out")
  /// The digest algorithm of the disclosures is none that this library implements.
  public static let disclosureAlgorithm = Self(
    "disclosure.algorithm",
    "the digest algorithm of the disclosures is none that is accepted",
    hint:
      "have the issuer use sha-256, which is meant where _sd_alg is absent")
  package static let disclosure: [Self] = [
    .disclosureParts,
    .malformedDisclosure,
    .disclosureName,
    .disclosureKind,
    .disclosureDigests,
    .repeatedDisclosure,
    .unreferencedDisclosure,
    .disclosureAlgorithm,
  ]
}
