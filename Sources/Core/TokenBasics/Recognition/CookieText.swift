import Octets

/// The header fields of cookies, and cookies that hold a piece of a token each.
enum CookieText {
  /// - Parameter field: `Cookie` or `Set-Cookie`.
  static func recognise(_ field: String, _ sample: TextSample) -> RecognisedText {
    let name = "the header field \(field)"
    let cookies = cookies(sample)
    if let pieces = pieces(cookies.map(\.name)) {
      return RecognisedText(
        .cookiePieces, detail: pieces, name: "\(name), with a cookie in pieces (\(pieces))")
    }
    guard !TokenSearch.tokens(in: sample.octets).isEmpty else {
      return RecognisedText(.cookie, detail: field, name: name)
    }
    let holder = cookies.first { !TokenSearch.tokens(in: Array($0.value.utf8)).isEmpty }
    return RecognisedText(
      .headerField,
      detail: holder.map { "the cookie \(TokenError.excerpt(String($0.name), length: 48))" }
        ?? field,
      name: name)
  }

  /// The value of such a field without its name: pairs with `;` between them, or the session of a known server.
  static func value(_ sample: TextSample) -> RecognisedText? {
    guard sample.lines.count == 1, sample.octets.count <= 16_384,
      let equals = sample.octets.firstIndex(of: ASCII.equals)
    else { return nil }
    let name = sample.octets[..<equals]
    guard !name.isEmpty,
      name.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "_.-".utf8.contains($0) })
    else { return nil }
    // A Simple Web Token with `;` between its pairs stays one.
    guard !sample.has("HMACSHA256=") else { return nil }
    let lower = sample.lower
    if lower.contains("; path=") || lower.contains("; httponly") || lower.contains("; secure") {
      return recognise("Set-Cookie", sample)
    }
    if servers.contains(where: { lower.hasPrefix($0) }) { return recognise("Cookie", sample) }
    let pairs = sample.text.split(separator: ";").map { $0.drop { $0 == " " } }
    return pairs.count > 1
      && pairs.allSatisfy({ $0.dropFirst().contains("=") && !$0.contains(" ") })
      ? recognise("Cookie", sample) : nil
  }

  /// The beginnings of names that servers give the cookies of their sessions.
  private static let servers = [
    "jsessionid=", "phpsessid=", "_shibsession_", "asp.net_sessionid=", "connect.sid=",
    "sessionid=",
    ".aspnet", "simplesaml", "mod_auth_openidc_session=", "next-auth.", "__secure-", "__host-",
    "laravel_session=",
    "smsession=", "ltpatoken", "fedauth", "obssocookie=", "iplanetdirectorypro=",
  ]

  private static func cookies(_ sample: TextSample) -> [(name: Substring, value: Substring)] {
    let fields = sample.text.split { $0 == ";" || $0.isNewline }.prefix(64)
    return fields.compactMap { field in
      var pair = field[...]
      if let colon = pair.firstIndex(of: ":"), pair[..<colon].lowercased().hasSuffix("cookie") {
        pair = pair[pair.index(after: colon)...]
      }
      pair = pair.drop { $0 == " " || $0 == "\t" }
      guard let equals = pair.firstIndex(of: "="), equals != pair.startIndex else { return nil }
      return (pair[..<equals], pair[pair.index(after: equals)...])
    }
  }

  /// The names of cookies that differ in a number at their end, as `NAME.0` and `NAME.1`, or `NAMEC1` and `NAMEC2`.
  static func pieces(_ names: [Substring]) -> String? {
    for (first, second) in [(".0", ".1"), ("C1", "C2"), ("_0", "_1"), ("-0", "-1")] {
      for name in names where name.hasSuffix(first) {
        let other = name.dropLast(first.count) + second
        if names.contains(where: { $0 == other }) { return "\(name), \(other)" }
      }
    }
    return nil
  }
}
