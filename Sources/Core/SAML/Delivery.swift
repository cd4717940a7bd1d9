import Claims
import SecurityKeys
import TokenBasics
import XMLSecurity
import XMLTree

/// The checks of a message's destination and request against what the caller expects.
///
/// A SAML 2.0 assertion names both under its own signature, and the message repeats them. SAML 1.1 names
/// them in the message alone, which proves them only when the issuer signed it.
struct Delivery {
  let token: SAMLToken
  /// The message as its signature covers it; nil when it has no signature, or there is no message.
  let signedMessage: SignedElement?

  func check(_ context: inout VerificationContext) {
    checkRecipient(&context)
    checkRequest(&context)
  }

  private func checkRecipient(_ context: inout VerificationContext) {
    guard let expected = context.expectations.recipient else {
      return context.skip(.destination, because: "no recipient is expected")
    }
    if let signedMessage, let response = token.response {
      // SAML Bindings 3.5.5.2: a signed message names its destination.
      let found = signedMessage.element.collapsedAttribute(response.destinationName)
      return context.check(
        .destination, expected,
        isMetBy: found.map { SignedText($0, coveredBy: signedMessage.match) },
        missing: .destinationMissing, mismatch: .destinationMismatch, node: place)
    }
    let agrees = context.check(
      .destination, expected, isNotContradictedBy: token.response?.destination,
      mismatch: .destinationMismatch, node: place)
    guard agrees else { return }
    guard token.version == .v1 else { return context.skip(.destination, because: Self.unsigned) }
    context.refuseRecipient(
      node: place, found: token.response?.destination.map { _ in Self.unsigned })
  }

  private func checkRequest(_ context: inout VerificationContext) {
    guard let expected = context.expectations.inResponseTo else {
      return context.skip(.request, because: "no request is expected")
    }
    if let signedMessage {
      let found = signedMessage.element.attribute(AttributeName.inResponseTo)
      return context.check(
        .request, expected, isMetBy: found.map { SignedText($0, coveredBy: signedMessage.match) },
        missing: .responseUnsolicited, mismatch: .responseRequestMismatch, node: place)
    }
    let agrees = context.check(
      .request, expected, isNotContradictedBy: token.response?.inResponseTo,
      mismatch: .responseRequestMismatch, node: place)
    guard agrees else { return }
    guard token.version == .v1 else {
      guard let response = token.response, response.inResponseTo == nil else {
        return context.skip(.request, because: Self.unsigned)
      }
      // SAML Core 3.2.2: a response to a request names it.
      return context.fail(
        .request,
        TokenError(.responseUnsolicited, node: place, expected: TokenError.excerpt(expected)))
    }
    context.refuseRequest(
      node: place, found: token.response?.inResponseTo.map { _ in Self.unsigned })
  }

  private var place: String? { (token.response?.element ?? token.assertion)?.path }

  private static let unsigned = "the message is not signed"
}
