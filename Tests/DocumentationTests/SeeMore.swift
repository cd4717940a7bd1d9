import TokenBasics

/// How to investigate a code, said once for its family, and for codes that have a way of their own.
enum SeeMore {
  /// What helps with every code of a family.
  static func text(ofFamily family: String) -> String? { byFamily[family] }

  /// What helps with one code beside that.
  static func text(of code: TokenError.Code) -> String? { byCode[code.rawValue] }

  private static let byFamily = [
    "input": "`claims decode` says where reading stops; `node` has the byte",
    "xml": "`node` has the element, or line and column; `xmllint --noout FILE` often says it in "
      + "other words",
    "signature": "`claims explain` names the signature and what it refers to; `claims xml verify` "
      + "lists every signature with its references, transforms and algorithms",
    "key":
      "`claims explain` shows the fingerprints of the keys that were tried; `claims trust check` "
      + "reads a trust file for mistakes",
    "algorithm":
      "`found` has the algorithm of the token; `claims xml verify` and the first part of a "
      + "JWT show it too",
    "encryption": "`claims xml decrypt --key PEM FILE` tries the key by itself",
    "issuer": "`claims decode` shows the issuer that the token names; `claims trust check` shows "
      + "those that are trusted",
    "audience": "`claims decode` shows the audiences that the token names",
    "time":
      "`claims explain --at INSTANT` judges by another clock; `expected` has the bound with the "
      + "skew, `found` the clock",
    "subject": "`node` has the Subject or SubjectConfirmation; `claims explain` shows what it says",
    "response": "`node` has the element around the token; `claims explain` shows which checks came "
      + "before",
    "policy":
      "`node` names the member, option or condition; `claims trust check FILE` names the line "
      + "of a trust file",
    "transport":
      "`node` has the address without its query; the log of the transport has the exchange",
    "client": "`node` names the step and `found` what the other side answered",
    "session": "`node` names the session's part; sessions are never shown whole",
    "feed": "`node` names the provider and `found` what it answered, without credentials",
    "registry":
      "`node` names the issuer or the document; the registry's state says when it was last "
      + "fetched",
    "signin":
      "the page of the refusal has the number under which the service logged it, with what was "
      + "expected and found",
    "logout": "the log of the service has the refusal with what was expected and found",
    "gate":
      "`claims-gate check` names the line of the file; `claims-gate try` shows which rule decides",
    "wiring":
      "the node is the request that `claims-gate doctor` sent; the line ends with what to change",
    "issuing":
      "the log of the service has the request's number with what was expected and found",
    "registration":
      "the answer names the member and what is expected; the log of `acs` has its reference",
    "listen": "`node` has the address or the file; `ss -ltnp` shows who listens where",
    "store": "`/health` of `claims-gate`, and the log of the server",
    "rules": "the admin page of the service shows which rule gives which claim",
    "disclosure":
      "`claims explain` shows which claims were disclosed; `node` has the number of the disclosure",
    "binding":
      "`claims decode` shows the token without it; `node` names the member of the key-binding JWT",
    "possession": "`node` has the member of `cnf` that names the key",
    "exchange": "the log of `acs` has the request's reference with what was expected and found",
    "oauth": "the answer's WWW-Authenticate has the error; the log of `acs` has its reference",
    "attack":
      "`node` has the line of the file, or the page that the browser came to; docs/test-your-sign-in.md",
    "replay": "`node` has the token's identifier where its format has one",
  ]

  private static let byCode = [
    "signature.digest-mismatch":
      "`claims explain --dump-canonical OUT FILE` writes the octets that "
      + "were digested, to compare with the issuer's",
    "signature.invalid": "`claims explain` tries the usual suspects (another key, another "
      + "canonicalization, changed line ends) and says which would fit",
    "signature.mac-mismatch":
      "`claims explain` shows the fingerprint of the secret; compare it with "
      + "the issuer's",
    "xml.duplicate-id": "`found` has the identifier; search the document for it",
    "encryption.failed":
      "nothing more is told, on purpose; `claims xml decrypt` with your own key on "
      + "your own machine tells as little",
  ]
}
