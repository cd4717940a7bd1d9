extension Claim {
  /// The property of an e-mail address of which nobody says whether it is verified: it decides nothing.
  package static let unconfirmedEmail = propertyPrefix + "emailunconfirmed"
}
