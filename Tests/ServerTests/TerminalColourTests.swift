#if Server
  import CommandSupport
  import Testing

  @Suite("Colours of messages")
  struct TerminalColourTests {
    @Test("A terminal shows them, unless it knows none or NO_COLOR is set; a pipe never does")
    func shown() {
      #expect(TerminalColour.isShown(onTerminal: true, noColour: nil, terminal: "xterm"))
      #expect(TerminalColour.isShown(onTerminal: true, noColour: "", terminal: "linux"))
      #expect(!TerminalColour.isShown(onTerminal: true, noColour: "1", terminal: "xterm"))
      #expect(!TerminalColour.isShown(onTerminal: true, noColour: "0", terminal: "xterm"))
      #expect(!TerminalColour.isShown(onTerminal: true, noColour: nil, terminal: "dumb"))
      #expect(!TerminalColour.isShown(onTerminal: true, noColour: nil, terminal: nil))
      #expect(!TerminalColour.isShown(onTerminal: false, noColour: nil, terminal: "xterm"))
    }
  }
#endif
