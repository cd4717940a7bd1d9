import LocalFiles

/// Questions to a person on a terminal. Without a terminal every question is answered by its default.
package struct Questions {
  /// Whether questions are asked: standard input and standard error are terminals.
  package static var areAsked: Bool {
    OpenFile.standardInput.isTerminal && OpenFile.standardError.isTerminal
  }

  /// Returns the answer to a question, or `suggestion` for an empty line.
  ///
  /// - Parameter suggestion: Shown in brackets behind the question.
  package static func ask(_ question: String, suggestion: String) -> String {
    guard areAsked else { return suggestion }
    StandardError.line("\(question) [\(suggestion)]")
    let answer = readLine()?.trimmingPrefix { $0.isWhitespace } ?? ""
    return answer.isEmpty ? suggestion : String(answer)
  }
}
