import Octets

/// A mail as a mail program saves it (RFC 5322), with its header.
enum MailText {
  private static let names: Set<String> = [
    "from", "to", "subject", "received", "message-id", "return-path", "mime-version", "reply-to",
    "cc", "delivered-to", "dkim-signature", "in-reply-to", "x-mailer", "sender", "date", "bcc",
    "envelope-to", "thread-topic", "sent",
  ]

  static func recognise(_ sample: TextSample) -> RecognisedText? {
    guard sample.octets.contains(ASCII.lineFeed), let first = sample.lines.first,
      first.contains(":") || first.hasPrefix("From ")
    else {
      return nil
    }
    var found: Set<String> = []
    for line in sample.lines.prefix(80) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let name = line[..<colon].lowercased()
      if names.contains(name) { found.insert(name) }
    }
    let isMail =
      found.contains("from") || found.contains("received") || found.contains("return-path")
    guard isMail, found.count >= 3,
      found.contains("subject") || found.contains("to") || found.contains("message-id")
    else { return nil }
    let file = attachment(sample)
    return RecognisedText(
      .mail, detail: file,
      name: file.map { "a mail with the attachment \(TokenError.excerpt($0))" })
  }

  /// The name of the first attachment.
  private static func attachment(_ sample: TextSample) -> String? {
    guard let mark = sample.text.firstRange(of: "filename=") else { return nil }
    let value = sample.text[mark.upperBound...].prefix { !$0.isNewline && $0 != ";" }
    let name = value.filter { $0 != "\"" }
    return name.isEmpty ? nil : String(name)
  }

  /// The texts of the parts that are base64 (RFC 2045, 6.8).
  static func decodedParts(_ octets: ArraySlice<UInt8>) -> [[UInt8]] {
    guard octets.firstRange(ofBytes: "ase64") != nil else { return [] }
    var parts: [[UInt8]] = []
    var lines: [ArraySlice<UInt8>] = []
    func take() {
      defer { lines = [] }
      guard !lines.isEmpty, parts.count < 8,
        let text = TextSample.decoded(Array(lines.joined())[...]), ContentEncoding.isText(text)
      else { return }
      parts.append(text)
    }
    for line in octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      let line = line.last == ASCII.carriageReturn ? line.dropLast() : line
      let isDigits =
        line.count > 3
        && line.allSatisfy { TextSample.isDigit($0) || $0 == ASCII.equals }
      if isDigits { lines.append(line) } else { take() }
    }
    take()
    return parts
  }
}
