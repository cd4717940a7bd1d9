import LocalFiles
import Testing

@Suite("Sentences of the argument parser without what was typed")
struct UsageMessageTests {
  func line(_ sentence: String, _ arguments: String...) -> String {
    UsageMessage(arguments: arguments, words: ["verify", "decode"]).line(sentence)
  }

  static let jwt = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2kifQ.c2ln"

  @Test(
    "SVC-12: What the parser quotes is told by its length and digest",
    arguments: [
      jwt, "it's a 'secret'", "a\nclaims: error: forged", "x' is invalid for 'y",
      "a'. Did you mean 'b'?", "-----BEGIN PRIVATE KEY-----", "c2VjcmV0MTIzNDU2Nzg5MDEyMzQ1",
      "hmac:c2VjcmV0",
    ])
  func quoted(secret: String) {
    let sentences = [
      "Unexpected argument '\(secret)'",
      "2 unexpected arguments: '\(secret)', 'b'",
      "The value '\(secret)' is invalid for '--format <format>'. Please provide one of 'swt' and 'jwt'.",
      "The value '\(secret)' is invalid.",
      "The option '--lines' does not take any value, but '\(secret)' was specified.",
      "Unknown option '\(secret)'", "Unknown option '\(secret)'. Did you mean '--key'?",
      "Invalid option: \(secret)",
      "Can't generate completion scripts for '\(secret)'.\nPlease use --generate-completion-script=<shell>",
      "A sentence of a later parser about \(secret)x",
    ]
    for sentence in sentences {
      for arguments in [[secret], ["--lines=\(secret)"], ["verify", secret, "b"]] {
        let said = UsageMessage(arguments: arguments).line(sentence)
        guard secret.utf8.count >= 8 || !sentence.hasPrefix("A sentence") else { continue }
        #expect(!said.contains(secret), "\(said)")
        #expect(!said.contains("\n"))
      }
    }
  }

  @Test("An unknown option is named, without its value, and the one that was meant")
  func options() {
    #expect(
      line("Unknown option '--audiance'. Did you mean '--audience'?", "--audiance=hunter2")
        == "unknown option --audiance; did you mean --audience?")
    #expect(line("Unknown option '--frobnicate'", "--frobnicate") == "unknown option --frobnicate")
    #expect(line("Unknown option '-q'", "-q") == "unknown option -q")
  }

  @Test("An option that is none is named before anything that is missing")
  func missing() {
    let help =
      "OPTIONS:\n  --issuer <issuer>  Who issues. See --lines.\n  --lines  A token a line.\n"
    func said(_ arguments: String...) -> String {
      UsageMessage(arguments: arguments, help: help).line(
        "Missing expected argument '--issuer <issuer>'")
    }
    #expect(said("--isuer", "x") == "unknown option --isuer; did you mean --issuer?")
    #expect(said("--lines", "--frobnicate") == "unknown option --frobnicate")
    #expect(said("--lines", "--Hunter2") == "missing expected argument '--issuer <issuer>'")
    // A value, and an operand.
    #expect(said("--issuer", "--isuer") == "missing expected argument '--issuer <issuer>'")
    #expect(said("--", "--isuer") == "missing expected argument '--issuer <issuer>'")
  }

  @Test("A misspelt verb is answered with the one that was meant")
  func verbs() {
    #expect(
      line("Unexpected argument 'vreify'", "vreify")
        == "unknown verb \"vreify\"; did you mean verify?")
  }

  @Test("A misspelt verb is named before what belongs to the verb that was meant")
  func verbBeforeOptions() {
    let help = "OPTIONS:\n  --help  Help.\n"
    func said(_ sentence: String, _ arguments: String..., depth: Int = 0) -> String {
      UsageMessage(arguments: arguments, words: ["verify", "saml20"], depth: depth, help: help)
        .line(sentence)
    }
    #expect(said("2 unexpected arguments: 'verfy', 'b'", "verfy", "b").hasSuffix("mean verify?"))
    #expect(
      said("Unknown option '--issuer'", "mint", "slm20", "--issuer", "a", depth: 1)
        .hasSuffix("did you mean saml20?"))
    // The verb is right, so the option is what is wrong.
    #expect(
      said("Unknown option '--issuer'", "verify", "--issuer", "a") == "unknown option --issuer")
  }

  @Test("An unknown verb is shown with the verbs, a text that may be a secret is not")
  func unknownVerbs() {
    func said(_ verb: String) -> String {
      UsageMessage(arguments: [verb], words: ["verify", "decode", "help"])
        .line("Unexpected argument '\(verb)'")
    }
    #expect(said("frobnicate") == "unknown verb \"frobnicate\"; verbs: verify, decode")
    #expect(said("verfy") == "unknown verb \"verfy\"; did you mean verify?")
    #expect(said("eyJhbGciOiJub25lIn0.e30.").hasPrefix("unexpected argument (a text of 24 octets"))
  }

  @Test("A value that the help itself names is no secret")
  func valuesOfTheHelp() {
    let sentence = "--sign response needs --wrap response"
    let help = "  --sign <PART>  assertion, response or both.\n  --wrap <WRAPPER>\n"
    let arguments = ["--sign", "response"]
    #expect(UsageMessage(arguments: arguments, help: help).line(sentence) == sentence)
    let secret = "c2VjcmV0MTIzNDU2Nzg5MDEyMzQ1"
    #expect(
      UsageMessage(arguments: ["--sign", secret]).line("--sign \(secret) needs --wrap response")
        == "the arguments are not understood")
  }

  @Test("A sentence about the command alone stays, in the style of the commands")
  func ours() {
    #expect(
      line("Missing expected argument '<file>'", "verify") == "missing expected argument '<file>'")
    #expect(line("--jobs must be 1 to 256.", "--jobs", "0") == "--jobs must be 1 to 256")
  }
}
