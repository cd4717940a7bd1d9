import TokenBasics

extension HostileFamily {
  static let pairs = [
    HostileFamily("pairs", .swt) { swt(numbered($0 * 120) { "&a\($0)=b" }) },
    HostileFamily("pairs beyond the limit", .swt) { swt(numbered($0 * 14_000) { "&a\($0)=b" }) },
    HostileFamily("one long value", .swt) { swt("&a=\(times($0 * 130_000, "b"))") },
    HostileFamily("ampersands", .swt) { swt(times($0 * 130_000, "&")) },
    HostileFamily("escapes", .swt) { swt("&a=\(times($0 * 43_000, "%41"))") },
    HostileFamily("MACs", .swt) { swt(times($0 * 10_500, "&HMACSHA256=")) },
    HostileFamily("MACs that end in a pair", .swt) { scale in
      swt("&HMACSHA256=a\(times(scale * 60_000, "&a"))")
    },
    HostileFamily("text that could be anything", .token) { times($0 * 130_000, "e") },
    HostileFamily("equals signs", .token) { "a\(times($0 * 130_000, "="))" },
  ]

  static let json = [
    HostileFamily("JSON depth", .jwt) { jwt(times($0 * 48_000, "[") + times($0 * 48_000, "]")) },
    HostileFamily("JSON members", .jwt) { scale in
      jwt("{\(numbered(scale * 8_000) { "\"a\($0)\":1," })\"iss\":\"i\"}")
    },
    HostileFamily("one JSON name again and again", .jwt) { scale in
      jwt("{\(times(scale * 8_000, "\"a\":1,"))\"iss\":\"i\"}")
    },
    HostileFamily("a long JSON number", .jwt) { jwt("{\"exp\":\(times($0 * 96_000, "1"))}") },
    HostileFamily("a long JSON name", .jwt) { jwt("{\"\(times($0 * 96_000, "n"))\":1}") },
    HostileFamily("JSON escapes", .jwt) { jwt("{\"a\":\"\(times($0 * 16_000, "\\u0041"))\"}") },
    HostileFamily("white space in JSON", .jwt) { jwt("{\(times($0 * 96_000, " "))}") },
    HostileFamily("JSON arrays of audiences", .jwt) { scale in
      jwt("{\"aud\":[\(times(scale * 16_000, "\"a\","))\"b\"]}")
    },
    HostileFamily("a JSON header that is long", .jwt) { scale in
      "\(base64("{\"alg\":\"RS256\",\"kid\":\"\(times(scale * 96_000, "k"))\"}")).e30.AAAA"
    },
    HostileFamily("parts", .jwt) { times($0 * 65_000, "a.") },
    HostileFamily("members of a trust file", .trustFile) { scale in
      "{\(numbered(scale * 8_000) { "\"a\($0)\":1,\n" })\"skew\":1}"
    },
    HostileFamily("issuers of a trust file", .trustFile) { scale in
      "{\"issuers\":[\(times(scale * 4_000, "{\"name\":\"i\",\"keys\":[]},\n"))1]}"
    },
  ]

  private static func swt(_ pairs: String) -> String {
    "Issuer=https%3a%2f%2ftalksns.accesscontrol.windows.net%2f\(pairs)&HMACSHA256="
      + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3d"
  }

  private static func jwt(_ payload: String) -> String {
    "\(base64("{\"alg\":\"HS256\"}")).\(base64(payload)).AAAA"
  }

  private static func base64(_ text: String) -> String { Base64.encode(text.utf8, .url) }
}
