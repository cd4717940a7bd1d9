import Octets

/// What Kubernetes keeps in a Secret or ConfigMap, by the names of its data.
enum KubernetesText {
  static func recognise(_ sample: TextSample) -> RecognisedText? {
    guard KeyText.isKubernetes(sample) else { return nil }
    if sample.lines.contains("kind: Config"), sample.has("clusters:") || sample.has("users:") {
      return RecognisedText(.kubeconfig)
    }
    let line = sample.lines.first { $0.hasPrefix("kind:") } ?? ""
    let kind = line.dropFirst("kind:".count).filter { $0.isLetter || $0.isNumber }
    var text = RecognisedText(
      .kubernetes, detail: kind,
      name: "a Kubernetes document in YAML"
        + (kind.isEmpty ? "" : " (\(TokenError.unquoted(TokenError.excerpt(kind, length: 48))))"))
    text.members = members(sample)
    return text
  }

  /// The names below `data:` and `stringData:`.
  private static func members(_ sample: TextSample) -> [String] {
    var names: [String] = []
    var isInside = false
    var indentation: Int?
    for line in sample.text.split(whereSeparator: \.isNewline) where names.count < most {
      let depth = line.utf8.prefix { $0 == ASCII.space }.count
      if depth == 0 {
        isInside = line.hasPrefix("data:") || line.hasPrefix("stringData:")
        indentation = nil
        continue
      }
      guard isInside, depth == indentation ?? depth, let colon = line.firstIndex(of: ":") else {
        continue
      }
      indentation = depth
      let name = line[..<colon].filter { !" \"'".contains($0) }
      if isName(name) { names.append(name) }
    }
    return names
  }

  private static let most = 32

  /// Names of data have these characters alone, so that a command may hold them.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 253
      && name.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || "._-".utf8.contains($0)
      }
  }

  // MARK: Advice

  /// What the names of the data to take have in them, the best first.
  private static let words: [TextPlace: [String]] = [
    .key: ["tls.crt", "cert", ".crt", ".cer", ".pem", "pub"],
    .keySet: ["jwk", "keys"], .metadata: ["metadata", ".xml"],
    .trustFile: ["trust"], .token: ["id_token", "jwt", "token"],
    .line: ["id_token", "jwt", "token"], .privateKey: [".key", "private", "key"],
  ]
  private static let privateWords = [".key", "private", "password", "passwd", "secret", "key.pem"]

  private static func isPrivate(_ name: String) -> Bool {
    privateWords.contains { name.lowercased().contains($0) }
  }

  /// How to take the value out that is meant at a place; nil where no name of the data is that of one.
  static func hint(_ text: RecognisedText, at place: TextPlace) -> String? {
    let isSecret = text.detail == "Secret"
    guard isSecret || text.detail == "ConfigMap" else { return nil }
    let mayBe = text.members.filter { place == .privateKey || !isPrivate($0) }
    let best = (words[place] ?? []).lazy.compactMap { word in
      mayBe.first { $0.lowercased().contains(word) }
    }.first
    guard let name = best ?? (place == .key ? mayBe.first : nil) else {
      return place == .key ? text.members.first.map(warning) : nil
    }
    let path = name.replacing(".", with: "\\.")
    let secret = text.members.first { $0 != name && isPrivate($0) }
    return "take the value of \(name) out of data\(isSecret ? " and decode its base64" : "") "
      + "(kubectl get \(isSecret ? "secret" : "configmap") NAME -o jsonpath='{.data.\(path)}'"
      + "\(isSecret ? " | base64 -d" : "") > OUT), and name that file"
      + (secret.map { "; \(warning($0))" } ?? "")
  }

  private static func warning(_ name: String) -> String {
    "\(name) in it is private: keep it secret, and never name it as a key to trust"
  }
}
