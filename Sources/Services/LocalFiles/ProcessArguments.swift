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
