/// Reads who is signed in from the page of the probe.
struct ProbeReading: Sendable {
  let configuration: AttackConfiguration
  /// The status of the page in a browser that has not signed in.
  let baseline: Int
  /// What stands there between the texts around `PERSON`.
  private let strangers: Set<[UInt8]>

  /// - Parameter page: The page in a browser that has not signed in.
  init(_ configuration: AttackConfiguration, baseline page: HTTPResponse) {
    self.configuration = configuration
    baseline = page.status
    strangers = Set(Frame(configuration.probe.contains)?.contents(of: page.body) ?? [])
  }

  /// Whom the page shows; nil for no person.
  func reached(_ response: HTTPResponse, subject: String) -> Reached? {
    guard response.status == configuration.probe.status else { return nil }
    guard let text = configuration.probe.contains else { return .named }
    guard text.contains(AttackConfiguration.Person.placeholder) else {
      return Self.holds(response, text) ? .named : nil
    }
    if Self.shows(response, text, configuration.attacker) { return .attacker }
    if Self.shows(response, text, subject) { return .named }
    return showsOther(response, text) ? .third : nil
  }

  /// Whether a name stands between the texts around `PERSON` that does not stand there without a sign-in. Where there are
  /// no such texts any page of another status is taken for that of a person.
  private func showsOther(_ response: HTTPResponse, _ text: String) -> Bool {
    guard let frame = Frame(text) else { return response.status != baseline }
    return frame.contents(of: response.body).contains { !strangers.contains($0) }
  }

  static func shows(_ response: HTTPResponse, _ text: String, _ subject: String) -> Bool {
    holds(response, text.replacing(AttackConfiguration.Person.placeholder, with: subject))
  }

  private static func holds(_ response: HTTPResponse, _ text: String) -> Bool {
    response.body.firstRange(of: Array(text.utf8)) != nil
  }
}

/// The texts around `PERSON`.
private struct Frame {
  private let before: [UInt8]
  private let after: [UInt8]

  /// Nil for a text that has nothing beside `PERSON`, or not that.
  init?(_ text: String?) {
    guard let text, let place = text.firstRange(of: AttackConfiguration.Person.placeholder),
      text != AttackConfiguration.Person.placeholder
    else { return nil }
    before = Array(text[..<place.lowerBound].utf8)
    after = Array(text[place.upperBound...].utf8)
  }

  /// What stands between the texts, at each place of a page. On a side without a text a name ends with the line, and at a
  /// tag or a quotation mark.
  func contents(of page: [UInt8]) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var rest = page[...]
    while let content = next(&rest) { found.append(content) }
    return found
  }

  private func next(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard !before.isEmpty else {
      guard let end = rest.firstRange(of: after) else { return nil }
      let name = rest[..<end.lowerBound].reversed().prefix { !Self.endsName($0) }
      rest = rest[end.upperBound...]
      return name.reversed()
    }
    guard let start = rest.firstRange(of: before) else { return nil }
    rest = rest[start.upperBound...]
    guard !after.isEmpty else { return Array(rest.prefix { !Self.endsName($0) }) }
    return rest.firstRange(of: after).map { Array(rest[..<$0.lowerBound]) }
  }

  private static func endsName(_ octet: UInt8) -> Bool {
    octet == 0x0A || octet == 0x0D || octet == UInt8(ascii: "<") || octet == UInt8(ascii: ">")
      || octet == UInt8(ascii: "\"")
  }
}
