import Claims
import Federation
import SecurityKeys
import TestSupport
import Testing
import TokenBasics
import TokenReports

/// Tokens with a value of somebody in a place where a capture could copy it.
@Suite("What is not recognised is replaced")
struct PlantedValueTests {
  private static let secret = [UInt8](0..<32)
  private static let now = Instant(secondsSinceEpoch: 1_893_499_200)

  /// Words of twelve scripts, with digits of their own where they have some.
  static let values = [
    "John4711Doe", "Łukaszéñ0815", "Γεώργιος99", "Дмитрий2044", "Հակոբյան77", "אברהםכהן88",
    "محمدعلي٤٧١١", "۰۰۱۲۳۴۵۶۷۸", "देवनागरी४७११", "สมชาย๔๗๑๑", "山田太郎４７１１", "김철수아무개",
    "🦊🐻🐼𝟜𝟟𝟙𝟙", "𠀋𠂉𠄌𠆢",
  ]

  private func trust() throws -> Trust {
    let key = TrustedKey(VerificationKey(.secret(try SymmetricKey(bytes: Self.secret))))
    return Trust(
      issuers: [TrustedIssuer(.any, keys: [key], formats: [.jwt, .swt])], audiences: .any)
  }

  /// Captures a token, and expects its verdict and that no value is in it.
  private func expectGone(
    _ values: [String], from token: [UInt8], as format: PinnedFormat?, isDecoded: Bool = false
  ) throws {
    let trust = try trust()
    var code: TokenError.Code?
    do throws(TokenError) {
      _ = try TokenValidator(trust).validate(AnyToken(reading: token, as: format), at: Self.now)
    } catch {
      code = error.code
    }
    let made = try TokenCapturer(trust, at: Self.now, as: format).capture(token)
    #expect(made.code == code)
    var texts = [String(decoding: made.token, as: UTF8.self)]
    for part in made.token.split(separator: UInt8(ascii: ".")).prefix(2) {
      texts.append(
        String(decoding: (try? Base64.decode(part.span, .url)) ?? [], as: UTF8.self))
    }
    texts.append(
      String(
        decoding: (try? FormEncoding.decode(made.token[...], plus: .isPlus)) ?? [], as: UTF8.self))
    for value in values {
      for text in texts { #expect(!text.contains(value), "\(value) in \(text)") }
    }
  }

  private func compact(_ payload: String, header: String = #"{"alg":"HS256"}"#) throws -> [UInt8] {
    let message =
      Base64.encode(Array(header.utf8), .url) + "." + Base64.encode(Array(payload.utf8), .url)
    let mac = try SymmetricKey(bytes: Self.secret).authenticate(
      Array(message.utf8).span, with: .sha256)
    return Array((message + "." + Base64.encode(mac ?? [], .url)).utf8)
  }

  @Test("A value of any script is gone from every place of a JWT", arguments: values)
  func jwt(_ value: String) throws {
    let escaped = value.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
    for payload in [
      #"{"iss":"i","exp":1893499500,"sub":"\#(value)"}"#,
      #"{"iss":"i","exp":1893499500,"sub":"\#(escaped)"}"#,
      #"{"iss":"i","exp":1893499500,"\#(value)":["\#(value)",{"a":"\#(value)"}]}"#,
      #"{"iss":"i","exp":1893499500,"\#(value)"}"#,
      #"{"iss":"i","exp":["\#(value)"],"iat":{"a":"\#(value)"}}"#,
      #"{"iss":"i","exp":1893499500,"updated_at":"\#(value)"}"#,
      #"{"iss":"i","exp":\#(value),"a":'\#(value)'} // \#(value)"#,
      #"{"iss":"i","exp":1893499500,"a":"\#(value.map { "\\\($0)" }.joined())"}"#,
      #"["\#(value)"]"#,
    ] {
      try expectGone([value], from: compact(payload), as: .jwt)
    }
    try expectGone(
      [value],
      from: compact(#"{"iss":"i"}"#, header: #"{"alg":"HS256","kid":"\#(value)","x":"\#(value)"}"#),
      as: .jwt)
  }

  @Test("Words of which the token has hundreds are replaced by others than these")
  func manyShortWords() throws {
    let numbers = (0..<400).map { "\(1_000 + $0 * 17)" }
    let groups = numbers.map { "\"group \($0)\"" }.joined(separator: ",")
    let token = try compact(#"{"iss":"i","exp":1893499500,"groups":[\#(groups)]}"#)
    try expectGone(numbers.map { " \($0)\"" }, from: token, as: .jwt)
  }

  @Test("A number that is no time of these days is gone from where times stand")
  func numbers() throws {
    for payload in [
      #"{"iss":"i","exp":55512345678}"#, #"{"iss":"i","exp":[1234567890]}"#,
      #"{"iss":"i","exp":1893499500,"iat":"1234567890"}"#,
      #"{"iss":"i","exp":1893499500,"number":55512345678}"#,
      #"{"iss":"i","exp":1893499500.55512345678}"#,
    ] {
      try expectGone(["55512345678", "1234567890", "12345678"], from: compact(payload), as: .jwt)
    }
    // Its twin: a time stays, so that the token is as valid as before.
    let made = try TokenCapturer(trust(), at: Self.now, as: .jwt).capture(
      compact(#"{"iss":"i","auth_time":1.8934995e9,"iat":1893499199.123,"sub":"x"}"#))
    let part = made.token.split(separator: UInt8(ascii: "."))[1]
    let text = String(decoding: try Base64.decode(part.span, .url), as: UTF8.self)
    #expect(text.contains("1.8934995e9") && text.contains("1893499199.123"))
  }

  @Test("A value of any script is gone from every place of a Simple Web Token", arguments: values)
  func swt(_ value: String) throws {
    let escaped = FormEncoding.encode(value)
    for pairs in [
      "Issuer=i&ExpiresOn=1893499500&name=\(value)",
      "Issuer=\(escaped)&Audience=\(escaped)&ExpiresOn=1893499500",
      "Issuer=i&\(escaped)=x&\(value)&ExpiresOn=1893499500&x=\(FormEncoding.encode(escaped))",
      "Issuer=i&ExpiresOn=\(value)", "Issuer=i&ExpiresOn=1893499500&x=%zz\(escaped)%4",
    ] {
      let mac = try SymmetricKey(bytes: Self.secret).authenticate(
        Array(pairs.utf8).span, with: .sha256)
      let token = pairs + "&HMACSHA256=" + FormEncoding.encode(Base64.encode(mac ?? []))
      try expectGone([value, escaped], from: Array(token.utf8), as: nil)
      try expectGone([value, escaped], from: Array("\(pairs)&HMACSHA256=\(value)".utf8), as: nil)
    }
  }

  private static let places = [
    "<saml:NameID Format=§>q</saml:NameID>", "<saml:NameID Format=§@§=§ >q</saml:NameID>",
    "<saml:NameID §>q</saml:NameID>", "<saml:NameID Format=\"§>q</saml:NameID>",
    "<saml:NameID>q</saml:NameID §>", "<saml:NameID>q</§>", "<?xml §?>",
    "<?xml version=\"1.0\" §='§'?>", "<?XML §?>", "<?§ §?>", "<!--§-->", "<!-->§<!--->§",
    "<![CDATA[§]]>", "<![CDATA[§", "&§;", "a & §", "a < § > b", "<>§</>", "<§>§</§>",
    "<!DOCTYPE § [<!ENTITY § '§'>]>", "<!§ §>", "<saml:§>§</saml:§>", "<saml:NameID §='§'/>",
    "<saml:NameID Count='§' IssueInstant='§' Version='§'/>", "<saml:§:§/>", "<x xmlns='§'/>",
    "<§:x xmlns:§='urn:§' §:y='§'>§</§:x>", "<saml:NameID / § / a='§'b=\"§\"/>",
    "<ds:SignatureValue xmlns:ds='http://www.w3.org/2000/09/xmldsig#'>§</ds:SignatureValue>",
    "<ds:HMACOutputLength xmlns:ds='http://www.w3.org/2000/09/xmldsig#'>§</ds:HMACOutputLength>",
    "<x xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='§:§' PrefixList='§'/>",
    "<w:Created xmlns:w='http://docs.oasis-open.org/wss/2004/01/"
      + "oasis-200401-wss-wssecurity-utility-1.0.xsd'>§</w:Created>",
    "<t:Lifetime xmlns:t='http://docs.oasis-open.org/ws-sx/ws-trust/200512'>§</t:Lifetime>",
  ]

  @Test(
    "A value of any script is gone from every place of XML, well-formed or not", arguments: values)
  func xml(_ value: String) throws {
    for place in Self.places {
      let text =
        "<saml:Assertion xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"_a\" Version=\"2.0\">"
        + "<saml:Issuer>i</saml:Issuer>\(place.replacing("§", with: value))</saml:Assertion>"
      try expectGone([value], from: Array(text.utf8), as: nil)
      let part = place.replacing("§", with: value)
      for whole in [part, "<x/>" + part, "<?xml version=\"1.0\" x=\"\(value)\"?><x/>\(value)"] {
        try expectGone([value], from: Array(whole.utf8), as: nil)
      }
    }
    let wide = Array("<x a=\"\(value)\">\(value)</x>".utf16).flatMap {
      [UInt8($0 & 0xFF), UInt8($0 >> 8)]
    }
    let made = try TokenCapturer(trust(), at: Self.now).capture([0xFF, 0xFE] + wide)
    let units = stride(from: 0, to: made.token.count - 1, by: 2).map {
      UInt16(made.token[$0 + 1]) << 8 | UInt16(made.token[$0])
    }
    #expect(!String(decoding: units, as: UTF16.self).contains(value))
  }

  @Test("A token of any format in UTF-16 stays one, with a byte order mark and without")
  func utf16() throws {
    let value = "alice4711"
    let jwt = String(decoding: try compact(#"{"iss":"i","sub":"\#(value)"}"#), as: UTF8.self)
    let swt = "Issuer=i&name=\(value)&ExpiresOn=1893499500&HMACSHA256=AAAA"
    for text in [jwt, swt, #"{"securityToken":"\#(value)"}"#, "<x>\(value)</x>"] {
      for (mark, shifts) in [
        ("", [0, 8]), ("\u{FEFF}", [0, 8]), ("", [8, 0]), ("\u{FEFF}", [8, 0]),
      ] {
        let octets = (mark + text).utf16.flatMap { unit in
          shifts.map { UInt8(truncatingIfNeeded: unit >> $0) }
        }
        let made = try TokenCapturer(trust(), at: Self.now).capture(octets)
        #expect(made.code == (text.hasPrefix("<") ? .xmlEncoding : .utf16Input))
        #expect(made.token.count == octets.count)
        let letters = String(decoding: made.token.filter { $0 != 0 }, as: UTF8.self)
        #expect(!letters.contains(value))
      }
    }
  }

  @Test("Text that is no UTF-8 is replaced, octet by octet")
  func legacyEncodings() throws {
    let value: [UInt8] = [0xC4, 0xEC, 0xE8, 0xF2, 0xF0, 0xE8, 0xE9]
    for token in [
      Array("<x a='".utf8) + value + Array("'>".utf8) + value + Array("</x>".utf8),
      Array("Issuer=i&name=".utf8) + value + Array("&ExpiresOn=1893499500&HMACSHA256=".utf8)
        + value,
      value + [0x20] + value,
    ] {
      let made = try TokenCapturer(trust(), at: Self.now).capture(token)
      #expect(made.token.firstRange(of: value) == nil)
      #expect(made.token.count == token.count)
    }
  }

  @Test("A value of half a megabyte is captured, in time that grows with its length")
  func longValue() throws {
    // Long words, none of which another one of this shape is by chance.
    let words = (1...40_000).map { String(UInt64($0) &* 0x9E37_79B9_7F4A_7C15, radix: 36) }
      .joined(separator: " ")
    let made = try TokenCapturer(trust(), at: Self.now, as: .jwt).capture(
      compact(#"{"iss":"i","exp":1893499500,"sub":"\#(words)"}"#))
    #expect(made.code == nil)
  }

  @Test(
    "Text that sections, references or comments divide is captured as the value that a reader sees",
    arguments: ["DigestValue", "SignatureValue", "Audience", "NameID", "Issuer"])
  func dividedText(_ name: String) throws {
    let vector = try #require(TestVector.all.first { $0.id == "saml20/response-assertion-signed" })
    let text = String(decoding: vector.token, as: UTF8.self)
    let assertion = try #require(text.firstRange(of: "<saml:Assertion")).lowerBound
    let start = try #require(text[assertion...].firstRange(of: name + ">")).upperBound
    let end = try #require(text[start...].firstRange(of: "</")).lowerBound
    let value = text[start..<end]
    let (first, rest) = (value.prefix(3), value.dropFirst(3))
    let reference = try #require(value.unicodeScalars.first).value
    for divided in [
      "<![CDATA[\(value)]]>", "\(first)<!--zqJohnDoe77-->\(rest)",
      "<!---->\(first)<![CDATA[\(rest)]]>",
      "&#\(reference);\(value.dropFirst())",
    ] {
      let token = text[..<start] + divided + text[end...]
      let made = try TokenCapturer(
        vector.trust(), at: Instant(dateTime: vector.at ?? "2030-01-01T12:00:00Z")
      ).capture(Array(token.utf8))
      // Octets with a comment among their digits are refused (XML Signature, 4.3), in the capture as well.
      let refusals: [String: TokenError.Code] = [
        "DigestValue": .malformedDigestValue, "SignatureValue": .malformedSignatureValue,
      ]
      let expected = divided.contains("<!--") ? refusals[name] : nil
      #expect(made.code == expected, "\(divided)")
      let captured = String(decoding: made.token, as: UTF8.self)
      #expect(!captured.contains("zqJohnDoe77"))
      #expect(!captured.contains(value) && !captured.contains(rest))
    }
  }

  @Test("The algorithm of a key set, an OAEP label and damaged base64 are in the capture")
  func oddities() throws {
    let vector = try #require(TestVector.all.first { $0.id == "saml20/response-assertion-signed" })
    var base64 = Base64.encode(vector.token).replacing("+", with: " ")
    base64 = base64.replacing("=", with: "")
    let made = try TokenCapturer(
      vector.trust(), at: Instant(dateTime: vector.at ?? "2030-01-01T12:00:00Z")
    ).capture(Array(base64.utf8))
    #expect(made.code == .malformedBase64)
    let mended = String(decoding: made.token, as: UTF8.self).replacing(" ", with: "+")
    let padding = String(repeating: "=", count: (4 - mended.utf8.count % 4) % 4)
    let xml = try Base64.decode(Array((mended + padding).utf8).span)
    #expect(String(decoding: xml, as: UTF8.self).contains("<saml:Assertion "))
  }
}
