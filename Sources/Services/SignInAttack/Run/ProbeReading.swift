/// Reads who is signed in from the page of the probe.
struct ProbeReading: Sendable {
  let configuration: AttackConfiguration
  /// The status of the page in a browser that has not signed in.
  let baseline: Int

  /// Whom the page shows; nil for no person.
  func reached(_ response: HTTPResponse, subject: String) -> Reached? {
    guard response.status == configuration.probe.status else { return nil }
    guard let text = configuration.probe.contains else { return .named }
    guard text.contains(AttackConfiguration.Person.placeholder) else {
      return Self.holds(response, text) ? .named : nil
    }
    for attacker in Self.attackers(configuration) where Self.shows(response, text, attacker) {
      return .attacker
    }
    if Self.shows(response, text, subject) { return .named }
    return response.status != baseline && Self.hasFrame(response, text) ? .third : nil
  }

  /// Whether a name stands on the page between the texts around `PERSON`. Where there are none any page is taken for that of
  /// a person.
  private static func hasFrame(_ response: HTTPResponse, _ text: String) -> Bool {
    guard let place = text.firstRange(of: AttackConfiguration.Person.placeholder),
      let before = response.body.firstRange(of: Array(text[..<place.lowerBound].utf8))
    else { return false }
    let rest = response.body[before.upperBound...]
    let after = Array(text[place.upperBound...].utf8)
    return after.isEmpty || rest.firstRange(of: after) != nil
  }

  /// The subjects of forged parts.
  static func attackers(_ configuration: AttackConfiguration) -> [String] {
    [configuration.attacker]
  }

  static func shows(_ response: HTTPResponse, _ text: String, _ subject: String) -> Bool {
    holds(response, text.replacing(AttackConfiguration.Person.placeholder, with: subject))
  }

  private static func holds(_ response: HTTPResponse, _ text: String) -> Bool {
    response.body.firstRange(of: Array(text.utf8)) != nil
  }
}
