import Foundation

/// Ends the process unless a property holds, as a crash whose input libFuzzer stores.
func require(_ holds: Bool, _ property: @autoclosure () -> String) {
  guard holds else { fail(property()) }
}

func fail(_ property: String) -> Never {
  let input = LastInput.text.map { "\n\($0)" } ?? ""
  FileHandle.standardError.write(Data("PROPERTY FAILED: \(property)\(input)\n".utf8))
  abort()
}
