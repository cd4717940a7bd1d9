#if Server
  import CommandSupport
  import LocalFiles
  import SignInAttack
  import TokenBasics

  /// The files that `claims-attack run` writes.
  struct RunReports {
    private let file: String
    private let configuration: AttackConfiguration
    private let html: String?
    private let sarif: String?

    /// - Parameter file: The driver's file.
    init(
      of file: String, _ configuration: AttackConfiguration, html: String?, sarif: String?
    ) {
      self.file = file
      self.configuration = configuration
      self.html = html
      self.sarif = sarif
    }

    /// Looks whether the files can be written, before a run of minutes.
    ///
    /// - Throws: exit status 3 with each one that cannot.
    func check() throws(CommandFailure) {
      var messages: [CommandFailure.Message] = []
      for path in [html, sarif].compactMap(\.self) {
        do throws(FileFailure) {
          try AtomicFile(path: path).tryDraft()
        } catch {
          messages.append(CommandFailure.Message(error.sentence("write", path)))
        }
      }
      guard messages.isEmpty else { throw CommandFailure(.inputOutput, messages) }
    }

    /// Writes the files, each also where the other cannot be written.
    ///
    /// - Parameter end: What ended the run before its last variant.
    /// - Returns: What could not be written.
    func write(
      _ results: [AttackResult], endedBy end: CommandFailure?
    ) -> [CommandFailure.Message] {
      let reason = end.map { $0.messages.isEmpty ? "the run was told to end" : $0.text }
      var messages: [CommandFailure.Message] = []
      if let html {
        let page = AttackPage(
          results, configuration, by: AttackCommand.program, at: SystemTime().now,
          endedBy: reason)
        messages += Self.write(page.octets, to: html)
      }
      if let sarif {
        var json = JSONWriter()
        SARIFReport(results, about: file, of: configuration, endedBy: reason).write(to: &json)
        messages += Self.write(json.bytes, to: sarif)
      }
      return messages
    }

    private static func write(
      _ octets: [UInt8], to path: String
    ) -> [CommandFailure.Message] {
      do throws(FileFailure) {
        try AtomicFile(path: path).replace(with: octets)
        return []
      } catch {
        return [CommandFailure.Message(error.sentence("write", path))]
      }
    }
  }

  extension SARIFReport {
    /// What was accepted of one service, and what was not looked at.
    init(
      _ results: [AttackResult], about file: String, of configuration: AttackConfiguration,
      endedBy reason: String?
    ) {
      let start = configuration.start.description
      self.init(
        tool: "claims-attack",
        rules: results.map { result in
          let variant = result.variant
          return Rule(
            id: variant.id, text: variant.summary, help: "\(variant.clause): \(variant.meaning)",
            level: variant.severity.rawValue)
        },
        findings: results.filter(\.isAccepted).map { result in
          Finding(
            rule: result.variant.id, level: result.severity.rawValue,
            message:
              "The service accepts: \(result.variant.summary) (\(result.variant.clause)). It means: \(result.variant.meaning).",
            place: Place(
              in: file, name: configuration.protocolName.title, path: start, kind: "resource",
              line: 1),
            fingerprint: Fingerprint("ruleAndStart/v1", "\(result.variant.id) \(start)"))
        },
        invocation: Self.invocation(AttackSummary(results), reason))
    }

    private static func invocation(_ summary: AttackSummary, _ reason: String?) -> Invocation {
      var notifications: [(level: String, text: String)] = []
      if let reason { notifications.append(("error", "The run ended early: \(reason).")) }
      for (count, text) in [
        (
          summary.unproven, "refused variants prove nothing: no honest answer signed in behind them"
        ),
        (summary.unplayed, "variants were not played, since the service failed"),
      ] where count > 0 {
        notifications.append(("warning", "\(count) \(text)."))
      }
      return Invocation(isSuccessful: notifications.isEmpty, notifications: notifications)
    }
  }
#endif
