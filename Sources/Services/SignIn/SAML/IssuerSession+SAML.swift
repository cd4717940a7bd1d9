import Federation

extension IssuerSession {
  /// The session that a verified assertion names.
  init(_ verified: Verified<SAMLToken>) {
    let name = verified.claims.first { $0.type == .nameIdentifier }
    func property(_ local: String) -> String? {
      name?.properties[Claim.propertyPrefix + local]
    }
    self.init(
      index: verified.facts.sessionIndex,
      name: verified.facts.subject.map {
        SubjectName(
          $0, format: property("format"), nameQualifier: property("namequalifier"),
          spNameQualifier: property("spnamequalifier"))
      }, end: verified.facts.sessionEnd)
  }
}
