import Claims
import Octets
import TokenErrors
import XMLSecurity
import XMLTree

/// The checks of the response around an assertion. Without a signature of its own it can only refuse.
struct ResponseChecks {
  let response: ResponseContent
  /// The message as its signature covers it; nil when it has none.
  var signedMessage: SignedElement?

  /// Checks that the response reports success (SAML Core 3.2.2.2).
  func checkStatus(_ context: inout VerificationContext) {
    // SAML 1.1 has qualified names as codes.
    if let signedMessage, signedMessage.element.isNamed(SAML1Name.response),
      !SAML1ResponseReader.isStatusCovered(by: signedMessage)
    {
      return context.fail(
        .status,
        TokenError(
          .responseStatus, node: response.status.path,
          expected: "a StatusCode whose prefix the signature covers"))
    }
    if let failure = response.failure {
      return context.fail(
        .status,
        TokenError(
          .responseStatus, node: response.status.path, expected: "Success",
          found: ResponseContent.shown(failure)))
    }
    context.pass(.status, node: response.status.path, found: "Success")
  }

  /// Checks that the response names the issuer of the assertion, where it names one.
  func checkIssuer(_ content: borrowing AssertionContent, _ context: inout VerificationContext) {
    guard let issuer = response.issuer else {
      return context.skip(.responseIssuer, because: "the response names no issuer")
    }
    guard content.claims.hasBytes(content.issuer, of: issuer) else {
      return context.fail(.responseIssuer, mismatch(content.claims.string(content.issuer)))
    }
    context.pass(.responseIssuer, node: response.element.path)
  }

  /// The error for a response that names another issuer than its assertion, or none.
  func mismatch(_ assertionIssuer: String) -> TokenError {
    TokenError(
      .issuerMismatch, node: response.element.path,
      expected: TokenError.excerpt(assertionIssuer),
      found: TokenError.excerpt(String(decoding: response.issuer ?? [], as: UTF8.self)))
  }
}
