import SecurityKeys
import TokenBasics

/// Turns a sentence of the argument parser into one that repeats nothing that was typed: it quotes arguments,
/// and any of them may be a secret.
package struct UsageMessage {
  /// What was typed, without the command's name.
  private let arguments: [String]
  /// The words that could have been meant, such as the names of verbs.
  private let words: [String]
  /// How many of the arguments name the verb below which these words are.
  private let depth: Int
  private let help: String
  /// All options of the command, and whether each takes a value.
  private let options: [String: Bool]

  /// - Parameters:
  ///   - arguments: What was typed, without the command's name.
  ///   - words: The names of verbs.
  ///   - depth: How many of the arguments name the verb below which these are.
  ///   - help: The help texts of the command and its verbs, which list every option.
  package init(arguments: [String], words: [String] = [], depth: Int = 0, help: String = "") {
    self.arguments = arguments
    self.words = words
    self.depth = depth
    self.help = help
    options = Self.options(in: help)
  }

  /// The options in a help text, each with whether it takes a value, as `--skew <skew>` does.
  package static func options(in help: String) -> [String: Bool] {
    var found: [String: Bool] = [:]
    var rest = help[...]
    while let dashes = rest.firstRange(of: "--") {
      let name = rest[dashes.lowerBound...].prefix { $0.isLetter || $0.isNumber || $0 == "-" }
      rest = rest[name.endIndex...]
      if name.utf8.count > 2 {
        found[String(name)] = found[String(name)] ?? false || rest.hasPrefix(" <")
      }
    }
    return found
  }

  /// The sentence in one line, lower case at its start, without a final period. A name of an option is shown, a
  /// text only as ``ShownPath`` shows it.
  package func line(_ sentence: String) -> String {
    let isUnknown = sentence.hasPrefix("Unknown option '")
    let text = Self.plain(unknownVerb ?? (isUnknown ? nil : unknownOption) ?? masked(sentence))
    // Whatever the parser may say one day: what was typed is not in it.
    return arguments.contains { isSecret($0, in: text) } ? "the arguments are not understood" : text
  }

  /// What to say of a verb that is none: what follows belongs to the one that was meant. Nil without one.
  private var unknownVerb: String? {
    guard let verb = arguments.dropFirst(depth).first, !words.isEmpty, !verb.hasPrefix("-"),
      !words.contains(verb)
    else { return nil }
    guard ShownPath.isShown(verb) else { return unexpected(verb) }
    let said = "unknown verb \"\(ShownText.line(verb))\""
    if let word = words.first(where: { verb.isMisspelling(of: $0) }) {
      return "\(said); did you mean \(word)?"
    }
    return "\(said); verbs: " + words.filter { $0 != "help" }.joined(separator: ", ")
  }

  /// What to say of an option that is none, whatever else is wrong: it is likely the cause. Nil without one.
  private var unknownOption: String? {
    guard let name = unknownName else { return nil }
    let meant = options.keys.filter { name.isMisspelling(of: $0) }.min()
    return "unknown option \(name)" + (meant.map { "; did you mean \($0)?" } ?? "")
  }

  /// The first word that is written like an option and is none of the command's; nil without one.
  package var unknownName: String? {
    guard !options.isEmpty else { return nil }
    for (place, argument) in arguments.prefix(while: { $0 != "--" }).enumerated() {
      let name = String(argument.prefix { $0 != "=" })
      // What follows an option may be its value.
      let isValue = place > 0 && options[arguments[place - 1]] == true
      guard Self.isOption(name), name.utf8.count > 2, options[name] == nil, !isValue else {
        continue
      }
      return name
    }
    return nil
  }

  /// A known option where a verb has to be; nil for none.
  package var optionBeforeVerb: String? {
    guard !words.isEmpty, let first = arguments.dropFirst(depth).first else { return nil }
    let name = String(first.prefix { $0 != "=" })
    return options[name] == nil ? nil : name
  }

  /// The option that lacks its value, by the parser's sentence, where what follows it begins with a dash and is no option.
  package func optionBeforeDash(_ sentence: String) -> String? {
    guard let rest = sentence.suffix(after: "Missing value for '") else { return nil }
    let name = String(rest.prefix { $0 != " " && $0 != "'" })
    guard let place = arguments.firstIndex(of: name),
      let value = arguments.dropFirst(place + 1).first, value.hasPrefix("-"),
      options[String(value.prefix { $0 != "=" })] == nil
    else { return nil }
    return name
  }

  private func masked(_ sentence: String) -> String {
    if let rest = sentence.suffix(after: "Unknown option '") { return unknownOption(rest) }
    if let rest = sentence.suffix(after: "Unexpected argument '") {
      return unexpected(String(rest.dropLast()))
    }
    if sentence.range(of: " unexpected arguments: '") != nil, let first = sentence.first,
      first.isNumber
    {
      return "\(sentence.prefix { $0.isNumber }) arguments too many"
    }
    if let rest = sentence.suffix(after: "The value '") { return invalidValue(rest) }
    if let rest = sentence.suffix(after: "The option '") { return needlessValue(rest, sentence) }
    if let rest = sentence.suffix(after: "Invalid option: ") {
      return "invalid option (\(SecretMark.of(String(rest))))"
    }
    if let rest = sentence.suffix(after: "Can't generate completion scripts for '") {
      let shell = rest.prefix { $0 != "\n" }.dropLast(2)
      return "no completion script for that shell (\(SecretMark.of(String(shell))))"
    }
    return sentence
  }

  /// `NAME'`, or `NAME'. Did you mean 'OTHER'?`
  private func unknownOption(_ rest: Substring) -> String {
    let names = arguments.map { $0.prefix { $0 != "=" } }
    let name = names.filter { rest.hasPrefix($0 + "'") }.max { $0.utf8.count < $1.utf8.count }
    let shown = name.map { Self.shown(option: String($0)) } ?? ""
    let mark = ". Did you mean '"
    guard let start = rest.lastRange(of: mark)?.upperBound else { return "unknown option" + shown }
    let other = String(rest[start...].prefix { $0 != "'" })
    guard Self.isOption(other), name.map({ String($0).isMisspelling(of: other) }) ?? true else {
      return "unknown option" + shown
    }
    return "unknown option\(shown); did you mean \(other)?"
  }

  private func unexpected(_ text: String) -> String {
    let shown = ShownPath.isShown(text) ? " " + ShownText.line(text) : " (\(SecretMark.of(text)))"
    guard let word = words.first(where: { text.isMisspelling(of: $0) }) else {
      return "unexpected argument" + shown
    }
    return "unexpected argument\(shown); did you mean \(word)?"
  }

  /// `TEXT' is invalid for '--option <value>'` and what is valid.
  private func invalidValue(_ rest: Substring) -> String {
    for mark in ["' is invalid for '", "' is invalid."] {
      guard let range = rest.lastRange(of: mark) else { continue }
      let end = rest[range.upperBound...]
      let value = Self.value(rest[..<range.lowerBound])
      return mark.hasSuffix("for '")
        ? "the value \(value) is invalid for '\(end)" : "the value \(value) is invalid"
    }
    return "a value is invalid"
  }

  /// A value as messages show it.
  private static func value(_ text: Substring) -> String {
    ShownPath.looksSecret(String(text))
      ? "(\(SecretMark.of(String(text))))" : TokenError.excerpt(String(text))
  }

  /// `--option' does not take any value, but 'TEXT' was specified.`
  private func needlessValue(_ rest: Substring, _ sentence: String) -> String {
    guard let range = rest.firstRange(of: "' does not take any value, but '") else {
      return sentence
    }
    let value = rest[range.upperBound...].dropLast("' was specified.".count)
    return "\(rest[..<range.lowerBound]) takes no value, but has one \(Self.value(value))"
  }

  /// Whether an argument that may be a secret is in the text. A shorter one is likely a part of a word.
  private func isSecret(_ argument: String, in text: String) -> Bool {
    let name = String(argument.prefix { $0 != "=" })
    let value = Self.isOption(name) ? argument.dropFirst(name.count + 1) : argument[...]
    let isName =
      value.isEmpty || words.contains(String(value)) || help.contains(value)
      || ShownPath.isShown(String(value))
    return value.utf8.count >= 8 && !isName && text.contains(value)
  }

  private static func shown(option: String) -> String {
    isOption(option) ? " \(option)" : " (\(SecretMark.of(option)))"
  }

  /// Whether the text is like the name of an option: words of letters, at most 24 octets; or one letter.
  private static func isOption(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    if bytes.count == 2 { return bytes[0] == UInt8(ascii: "-") && isLetter(bytes[1]) }
    guard bytes.count <= 24, text.hasPrefix("--"), bytes.dropFirst(2).first.map(isLetter) ?? false
    else { return false }
    return bytes.dropFirst(2).allSatisfy { isLetter($0) || $0 == UInt8(ascii: "-") }
  }

  /// The parser's sentence in the style of the commands.
  private static func plain(_ sentence: String) -> String {
    var text = ShownText.line(sentence.split(separator: "\n").joined(separator: "; "))
    if text.hasSuffix(".") { text.removeLast() }
    guard let first = text.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
    else {
      return text
    }
    return String(UnicodeScalar(first | 0x20)) + text.dropFirst()
  }
}

extension StringProtocol {
  fileprivate func suffix(after start: String) -> SubSequence? {
    hasPrefix(start) ? dropFirst(start.count) : nil
  }

  fileprivate func lastRange(of text: String) -> Range<Index>? {
    var found: Range<Index>?
    var start = startIndex
    while let range = self[start...].firstRange(of: text) {
      found = range
      start = range.upperBound
    }
    return found
  }

  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}

extension String {
  /// Whether one or two letters more, less or other make this the word.
  fileprivate func isMisspelling(of word: String) -> Bool {
    guard abs(utf8.count - word.utf8.count) <= 2, utf8.count > 2 else { return false }
    // Two other letters of a short word make another word.
    return Spelling.distance(self, word) <= min(2, max(utf8.count, word.utf8.count) / 3)
  }
}

/// The arguments of this process as the system gave them.
package enum ProcessArguments {
  /// The number of the first argument that is not UTF-8, counted from 1; nil if all are.
  ///
  /// As a `String` such an argument is another one: a file of its name would not be found.
  package static var firstMalformed: Int? {
    for number in 0..<Int(CommandLine.argc) {
      guard let text = unsafe CommandLine.unsafeArgv[number] else { continue }
      if unsafe String(validatingCString: text) == nil { return number }
    }
    return nil
  }
}
