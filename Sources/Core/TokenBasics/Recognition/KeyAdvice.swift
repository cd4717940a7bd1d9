import Octets

/// Files that can be read as a key or secret as they are, and that are hardly what is meant.
package enum KeyAdvice {
  /// What to know of a file with a certificate that another program wrote around it.
  package static func warning(aboutKey octets: [UInt8], _ path: String) -> String? {
    guard TextSample(octets[...]).has("\nServer certificate\n") else { return nil }
    return
      "\(path), openssl s_client wrote this: the certificate is that of a TLS server, which is "
      + "hardly the one that signs tokens"
  }

  /// Why a file is no secret: it has several settings (`NAME=VALUE`), or one whose name says that its value is the secret.
  ///
  /// A secret of one line that only has `=` in it, such as padding, stays a secret.
  package static func fault(ofSecret octets: [UInt8], _ path: String) -> TokenError? {
    let sample = TextSample(octets[...])
    guard octets.contains(ASCII.equals), ContentEncoding.isText(Array(octets.prefix(4_096))) else {
      return nil
    }
    let lines = sample.lines.filter { !$0.hasPrefix("#") && !$0.hasPrefix(";") }
    let names = lines.compactMap(nameOfSetting)
    let secret = names.first { name in
      ["SECRET", "KEY", "TOKEN", "PASSWORD"].contains { name.uppercased().hasSuffix($0) }
    }
    let isSettings =
      names.count > 1 && names.count * 2 >= lines.count
      || names.count == 1 && lines.count == 1 && isUpper(names[0]) && secret != nil
    guard isSettings else { return nil }
    let value = secret.map { "the value of \(TokenError.excerpt($0, length: 48))" } ?? "the value"
    return TokenError(
      .unreadableKey, node: path, expected: "a secret alone",
      found: names.count == 1
        ? "a setting (NAME=VALUE)" : "\(names.count) settings (NAME=VALUE)",
      hint: "the whole file would be the secret: write \(value) alone into a file, without a line "
        + "end (printf %s VALUE > FILE), and name that file as hmac-file:FILE")
  }

  /// What to know of a file that is taken as a secret as it is, and looks like another document.
  package static func warning(aboutSecret octets: [UInt8], _ path: String) -> String? {
    let text = RecognisedText.of(octets)
    switch text.kind {
    case .yaml, .kubernetes, .kubeconfig, .json, .xml, .otherDocument, .privateKey,
      .encryptedPrivateKey, .opensshPrivateKey, .pemOfAnotherKind, .settingsFile, .secretJWK,
      .jwkSet,
      .privateJWKSet, .credentials, .environment, .trustFile, .metadata:
      // A word is a secret, whatever it looks like.
      guard TextSample(octets[...]).words.count > 1 else { return nil }
      return "hmac-file:\(path), all of the file is the secret, and it looks like \(text.name): "
        + "write the secret alone into a file, without a line end"
    default: return nil
    }
  }

  /// The name of `NAME=VALUE`; nil for a line without a value behind the sign, as base64 with padding is.
  private static func nameOfSetting(_ line: Substring) -> String? {
    let pair = line.hasPrefix("export ") ? line.dropFirst("export ".count) : line
    guard let equals = pair.firstIndex(of: "=") else { return nil }
    var name = pair[..<equals]
    while name.last == " " { name.removeLast() }
    let value = pair[pair.index(after: equals)...].drop { $0 == " " }
    guard let first = name.utf8.first, ASCII.isLetter(first) || first == UInt8(ascii: "_"),
      name.utf8.count <= 64, !value.isEmpty, value.first != "=",
      name.utf8.allSatisfy({
        ASCII.isLetter($0) || ASCII.isDigit($0) || "_.-".utf8.contains($0)
      })
    else { return nil }
    return String(name)
  }

  private static func isUpper(_ name: String) -> Bool {
    name.utf8.allSatisfy {
      (0x41...0x5A).contains($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_")
    }
  }
}
