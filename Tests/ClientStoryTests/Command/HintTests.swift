#if Client
  import TestCatalogue
  @testable import ClientCommand
  import Testing
  import TokenErrors

  @Suite("Hints of claims-client")
  struct HintTests {
    @Test("No hint names an option that the command lacks, and every hint without options is whole")
    func options() {
      #expect(CommandHint.options.contains("--store") && CommandHint.options.contains("--page"))
      for code in ErrorCatalogue.codes {
        let shown = CommandHint.shown(code.hint)
        let named = CommandHint.options(in: shown ?? "")
        #expect(CommandHint.options.isSuperset(of: named), "\(code.rawValue)")
        if CommandHint.options(in: code.hint).isEmpty { #expect(shown == code.hint) }
      }
    }

    @Test("Hints on options of the other command are left out, the rest stays")
    func parts() {
      #expect(CommandHint.shown("compare both clocks; --skew widens it") == "compare both clocks")
      #expect(CommandHint.shown("trust one with --key") == nil)
      #expect(CommandHint.shown("name another with --account") != nil)
    }
  }
#endif
