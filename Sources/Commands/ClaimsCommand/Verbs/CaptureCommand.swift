import CommandSupport
import LocalFiles

#if CommandLine
  import ArgumentParser
  import Federation
  import Octets
  import TokenBasics
  import TokenReports

  struct CaptureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "capture",
      abstract: "Makes a copy of a token that is safe to attach to a report.",
      discussion: """
        Examples:
          claims capture --trust trust.json --output report token.txt

        Names, claims, identifiers, addresses, certificates and keys are replaced by others of the \
        same shape: letters by letters, digits by digits, of any script. Equal values get equal \
        replacements, so that an audience is still the expected one; nothing else of a value is left but \
        its length, its ASCII punctuation and the case of its letters. What stays is listed: structure, \
        algorithms, wire form and white space; what is recognised as a time, and truth values; and the \
        names of standards, also of claims. Whatever else stands in a token, well-formed or not, is \
        replaced. Test keys sign and \
        encrypt the copy where the original's signatures fit; where they do not, they still do not. \
        The folder of --output, which must be empty or missing, gets the token, the trust, the test \
        keys and a README with the line of claims verify that gives the code of the original, with the \
        same options here as there.
        Nothing is written when the copy would get another code (policy.capture-verdict): so it is \
        with ECDH key agreement in XML, with an SD-JWT and with XML signatures whose ECDSA value is ASN.1. Neither is when one \
        of the original's values of four octets or more, in plain text, percent-encoded, in base64 or \
        in hexadecimal digits, is in the copy (policy.capture-survivor). The exit code is 1 then. \
        Look at the copy before you send it.
        """)

    @Argument(
      help: ArgumentHelp("The token; - or none for standard input.", valueName: "FILE"),
      completion: .file())
    var file = "-"

    @Option(
      help: ArgumentHelp(
        "Take only this format: swt, saml11, saml20, jwt, sdjwt or rstr.", valueName: "FORMAT"))
    var format: FormatArgument?

    @OptionGroup var trust: TrustOptions

    @Option(
      help: ArgumentHelp("A folder to write to, empty or missing.", valueName: "FOLDER"),
      completion: .directory)
    var output: String

    func run() throws {
      let pinned = format.flatMap { PinnedFormat(rawValue: $0.rawValue) }
      let trusted = try trust.resolve(pinned: pinned)
      let clock = try trust.clock()
      let token = InputOptions.withoutLineEnd(
        try InputFile.read(file, upTo: trusted.limits.bytes + 2))
      let capture: Capture
      do throws(TokenError) {
        capture = try TokenCapturer(
          trusted, expectations: trust.expectations, at: clock.now, as: pinned
        ).capture(token)
      } catch {
        let isRefused = [.captureVerdict, .captureSurvivor].contains(error.code)
        guard isRefused else { throw CommandFailure(usage: error) }
        throw CommandFailure(.rejected, error.description, hint: error.hint)
      }
      try makeFolder()
      for file in capture.files { try write(file.octets, as: file.name) }
      try write(capture.token, as: "token")
      try write(Array(capture.readme.utf8), as: "README")
      var json = JSONWriter()
      Record.capture(capture, to: &json)
      try Results.write(json.bytes)
    }

    /// A folder that has files is left alone: a capture of another token would be mixed up with this one.
    private func makeFolder() throws(CommandFailure) {
      do throws(FileFailure) {
        try OpenFile.makeFolder(output)
      } catch {
        throw CommandFailure(.inputOutput, error.sentence("make", output))
      }
      guard OpenFile.isEmptyFolder(output) else {
        throw CommandFailure(.usage, "\(ShownPath.of(output)) is not an empty folder")
      }
    }

    private func write(_ octets: [UInt8], as name: String) throws(CommandFailure) {
      let path = output + "/" + name
      do throws(FileFailure) {
        try OpenFile(creating: path).write(octets)
      } catch {
        throw CommandFailure(.inputOutput, error.sentence("write", path))
      }
    }
  }
#endif
