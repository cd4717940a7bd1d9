import CommandSupport
import LocalFiles

#if CommandLine
  import ArgumentParser
  import Federation
  import Octets

  /// The token inputs and their formats.
  struct InputOptions: ParsableArguments {
    @Argument(
      help: ArgumentHelp("Token files; - or none for standard input.", valueName: "FILE"),
      completion: .file())
    var files: [String] = []

    @Option(
      help: ArgumentHelp(
        "Take only this format: swt, saml11, saml20, jwt, sdjwt or rstr.", valueName: "FORMAT"))
    var format: FormatArgument?

    /// The pinned format, if any.
    var pinned: PinnedFormat? { format.flatMap { PinnedFormat(rawValue: $0.rawValue) } }

    /// The files in order, each with its name; one that cannot be read is reported and does not stop the others.
    func forEachToken(
      limit: Int, _ body: ([UInt8], _ path: String) throws -> Void
    ) throws -> Bool {
      var allRead = true
      for path in files.isEmpty ? ["-"] : files {
        let octets: [UInt8]
        do throws(FileFailure) {
          let file = try path == "-" ? StandardInput.file : OpenFile(reading: path)
          ReadFiles.note(file)
          // Two more, so that a truncated token is still too long without a line end.
          octets = try file.readAll(limit: limit + 2)
        } catch {
          CommandMessages.own.report(CommandFailure(.inputOutput, error.sentence(reading: path)))
          allRead = false
          continue
        }
        try body(Self.withoutLineEnd(octets), path)
      }
      return allRead
    }

    /// A file that holds one token usually ends with a line end that is not part of it.
    static func withoutLineEnd(_ octets: [UInt8]) -> [UInt8] {
      guard octets.last == ASCII.lineFeed else { return octets }
      let line = octets.dropLast()
      return Array(line.last == ASCII.carriageReturn ? line.dropLast() : line)
    }
  }

  /// ``PinnedFormat`` as an argument.
  enum FormatArgument: String, WordArgument {
    case swt
    case saml11
    case saml20
    case jwt
    case sdjwt
    case rstr
  }
#endif
