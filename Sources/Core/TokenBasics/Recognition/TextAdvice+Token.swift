import Octets

extension TextAdvice {
  /// What to do about a text in place of a token.
  static func token(_ text: RecognisedText, _ place: TextPlace) -> String? {
    if let warning = warning(text) { return "\(warning); \(place.remedy)" }
    if let around = aroundToken(text) { return around }
    if let damage = damage(text, place) { return damage }
    if let opaque = opaque(text) { return opaque }
    if let answer = answer(text) { return "\(answer); \(place.remedy)" }
    let home = home(text) ?? "this holds no token"
    return "\(home); \(place.remedy)"
  }

  /// A token stands in it: which part to pass.
  private static func aroundToken(_ text: RecognisedText) -> String? {
    let detail = text.detail
    switch text.kind {
    case .headerField where detail?.hasPrefix("the cookie ") == true:
      return "pass the token alone: the value of \(detail ?? "the cookie"), up to the next ;"
    case .cookiePieces:
      return
        "the cookie was cut into pieces (\(detail ?? "")): join their values in the order of their "
        + "numbers; pass that alone where its application put a token into it"
    case .headerField:
      return "pass the token alone: what stands behind the name of the header and the scheme, such "
        + "as Bearer, without \(detail ?? "them") before it"
    case .headerBlock:
      return "pass the token alone: the value of the header \(detail ?? "Authorization") without "
        + "its scheme, such as Bearer"
    case .command:
      return "pass the token alone: the value behind Bearer, or that of "
        + "\(detail ?? "the field") in the command"
    case .formFields: return field(detail ?? "the field")
    case .archive:
      return "find the request that posted the token, and pass the value of "
        + "\(detail ?? "its field SAMLResponse, wresult or id_token") alone"
    case .walletAnswer:
      return "pass the credential alone, without the JSON around it: the text in "
        + "\(detail ?? "the member")"
    case .jsonMember:
      if text.tokens.count > 1 { return inside(text.tokens) + ", without quotes" + jq(text.tokens) }
      let name = detail ?? "the member"
      return "pass the value of \(name) alone, without quotes"
        + (name.split(separator: " ").contains("token") ? ", or read the input line by line" : "")
        + jq([name])
    case .jsonSerialization:
      return "have the token sent in compact form, its parts joined by dots"
    case .logLine:
      return "pass the token alone, without the rest of the line"
        + (detail.map { place in
          place.hasPrefix("the field ")
            ? ": the value of \(place), percent-decoded" : ": it stands in \(place)"
        } ?? "")
    case .multipart:
      return
        "pass the value of \(detail ?? "the field with the token") alone: the lines between its empty line and the "
        + "next boundary"
    case .dataAddress:
      return "pass the token alone: what stands behind the comma of the data: address"
    case .textAroundToken:
      return "pass the token alone" + (detail.map { ": it stands in \($0)" } ?? "")
    default: return encodedToken(text)
    }
  }

  /// How to get the value of the first place, where that is the path of a member, with its escapes undone.
  private static func jq(_ places: [String]) -> String {
    guard let place = places.first else { return "" }
    let path = place.replacing("the member ", with: "").filter { $0 != "\"" }
    let isPath =
      !path.contains(" ") && !path.isEmpty
      && path.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || "_.[]".utf8.contains($0)
      }
    return isPath ? " and escapes (jq -r '.\(path)' FILE)" : ""
  }

  static func encodedToken(_ text: RecognisedText) -> String? {
    switch text.kind {
    case .quoted where text.detail == "b":
      "this is how Python prints bytes: take off b and the quotation marks"
    case .quoted: "take the quotation marks off"
    case .cdata: "take off <![CDATA[ before the XML and ]]> behind it"
    case .codeBlock: "take the lines with ``` off"
    case .mailQuotation: "take the > before each line off"
    case .jsonString: "this is a string of JSON: take the quotation marks and the backslashes off"
    case .escapedMarkup:
      "the characters of the XML are escaped for HTML, such as &lt; for <: undo that once"
    case .percentEncodedTwice: "the text is percent-encoded twice: decode it once"
    case .percentEncodedMarkup:
      "the text is percent-encoded\(text.detail == nil ? " XML" : ""): decode it once"
    case .hexadecimal: "these are hexadecimal digits: make octets of them (xxd -r -p)"
    case .base64OfToken: "inside the base64 is a JSON Web Token: decode it once"
    case .base64Twice: "this is base64 twice: decode it once"
    case .pemAroundToken: "take the BEGIN and END lines off: what is between them is no certificate"
    case .environment:
      "pass the token alone: the value of one setting, without the name before it"
    default: nil
    }
  }

  private static func field(_ name: String) -> String {
    switch name {
    case "SAMLResponse", "SAMLRequest":
      "pass the value of \(name) alone, up to the next &, percent-encoded or not"
    case "wresult": "pass the value of wresult alone, up to the next &, percent-decoded: it is XML"
    case "refresh_token":
      "a refresh token is for its issuer alone; pass the access token or the ID token, up to the "
        + "next &"
    default: "pass the value of \(name) alone, up to the next &"
    }
  }

  /// Something happened to a token.
  private static func damage(_ text: RecognisedText, _ place: TextPlace) -> String? {
    switch text.kind {
    case .severalTokens where text.detail != nil:
      "a second token begins at \(text.detail ?? ""), without a line end before it: put each on a line "
        + "of its own, or pass one of them"
    case .severalTokens:
      place == .line
        ? "a line holds one token: put each of them on a line of its own"
        : "each line holds a token of its own: read the input line by line, or pass one of them"
    case .shortened:
      "the three dots stand for what is missing: whoever sent this shortened it; ask for the whole "
        + "token"
    case .masked:
      "characters were written over to keep the token secret, so nothing can be verified: ask for "
        + "the whole token"
    case .cut:
      "the token ends early: copy all of it; logs, terminals and databases cut long texts"
    case .withoutBeginning:
      "the first letters of the token are missing: copy all of it, from its beginning"
    case .lostPart:
      "a signed JSON Web Token has three parts (header.payload.signature), and an encrypted one five "
        + "(header.key.iv.ciphertext.tag): copy all of it, and nothing else"
    case .changedCase:
      "capital and small letters differ in a token: copy it from where it was issued, before a search "
        + "field, a spelling correction or a function such as toLowerCase changed it"
    case .withoutSignature:
      "a JSON Web Token has three parts; copy all of it, up to the end of its signature"
    case .wrapped: "the token was wrapped: take the line ends and the white space inside it out"
    case .lostPlus:
      "each + became a space when a form was decoded once too often: take the field as it was sent; "
        + "the spaces are not replaced by guess"
    case .invisible:
      "the program from which this was copied put in a character that cannot be seen: take it out"
    case .typographic:
      "a word processor or a chat replaced a character: copy the token from where it was issued, or "
        + "write \(text.detail ?? "the character of ASCII") again"
    default: nil
    }
  }

  /// Nothing of it can be verified here.
  private static func opaque(_ text: RecognisedText) -> String? {
    switch text.kind {
    case .apiKey:
      "an API key carries no claims, and whoever has it can use it: keep it secret, and replace it "
        + "where others saw it; pass an ID token or a JSON Web Token"
    case .opaqueToken:
      "only its issuer knows what this stands for: ask the issuer by token introspection "
        + "(RFC 7662), or pass an ID token or a JSON Web Token"
    case .identifier:
      "a UUID is an identifier or a reference token, for which only its issuer knows the claims: ask "
        + "by token introspection (RFC 7662)"
    case .refreshToken:
      "a refresh token or code is opaque, and for its issuer alone: pass the access token or the ID "
        + "token that it gives"
    case .artifact:
      "an artifact only names a message: the issuer's resolution service exchanges it for the token"
    case .authorizationCode:
      "a code is for the token endpoint of its issuer: pass the token that it answers"
    case .cookie:
      "a session's cookie is for the server that set it; pass the token that this server got"
    case .otherScheme where text.detail?.lowercased() == "oauth":
      "OAuth 1.0 signs one request with this header, and its oauth_token is opaque: pass an ID token, "
        + "a JSON Web Token or a SAML response"
    case .otherScheme:
      "this scheme carries no token that can be verified here; a token follows Bearer, DPoP or WRAP"
    default: nil
    }
  }

  /// An answer or a piece of one.
  private static func answer(_ text: RecognisedText) -> String? {
    switch text.kind {
    case .userInfo:
      "claims without a signature prove nothing; UserInfo and introspection answer them so"
    case .introspection:
      "this is what the issuer says of a token by introspection, and no token itself"
    case .tokenHeader:
      "this is a part of a token, decoded: the signature covers it as it was encoded"
    case .soapFault: "the service answered a fault in place of a token: its reason says why"
    case .json: "no member holds a token"
    case .prose: "these are words, and no token is among them"
    case .placeholder: "a variable was not filled in: this is its name or the word for nothing"
    case .path: "this is the name of a file and not its content"
    case .wsdl: "this describes a service"
    default: nil
    }
  }
}
