import LocalFiles

#if CommandLine
  import ArgumentParser
  import Federation
  import StrictJSON
  import TokenCapture

  struct CaptureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "capture",
      abstract: "Makes a copy of a token that is safe to attach to a report.",
      discussion: """
        Names, claims, identifiers, addresses, certificates and keys are replaced by others of the \
        same shape: letters by letters, digits by digits, the same word by the same one everywhere. \
        Structure, algorithms, times, wire form and white space stay. Test keys sign and encrypt the \
        copy where the original's signatures fit; where they do not, they still do not. The folder of \
        --output gets the token, the trust, the test keys and a README with the line of claims verify \
        that gives the code of the original, with the same options here as there.
        Nothing is written when the copy would get another code (policy.capture-verdict), or when one \
        of the original's values, in plain text, percent-encoded, in base64 or in hexadecimal digits, \
        is in it (policy.capture-survivor): the exit code is 1 then. Look at the copy before you send \
        it: names of elements in the namespaces of standards, times and lengths are those of the \
        original.
        """)

    @Argument(help: "The token; - or none for standard input.")
    var file = "-"

    @Option(help: "Take only this format: swt, saml11, saml20, jwt or rstr.")
    var format: FormatArgument?

    @OptionGroup var trust: TrustOptions

    @Option(help: "A folder to write to; made when it is missing.")
    var output: String

    func run() throws {
      let pinned = format.flatMap { PinnedFormat(rawValue: $0.rawValue) }
      let trusted = try trust.resolve(pinned: pinned)
      let clock = try trust.clock()
      let token = InputOptions.withoutLineEnd(
        try DocumentInput.read(file, limit: trusted.limits.bytes + 2))
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
      try write(capture, to: output)
      var json = JSONWriter()
      Record.capture(capture, to: &json)
      try Results.write(json.bytes)
    }

    private func write(_ capture: Capture, to folder: String) throws(CommandFailure) {
      do throws(FileFailure) {
        try OpenFile.makeFolder(folder)
      } catch {
        throw CommandFailure(.inputOutput, "cannot make \(folder): \(error.text)")
      }
      for file in capture.files {
        try DocumentOutput.write(file.octets, to: folder + "/" + file.name)
      }
      try DocumentOutput.write(capture.token, to: folder + "/token")
      try DocumentOutput.write(Array(capture.readme.utf8), to: folder + "/README")
    }
  }
#endif
