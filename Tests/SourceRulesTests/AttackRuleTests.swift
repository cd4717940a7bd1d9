import Foundation
import TestSupport
import Testing

/// Entries of the attack catalogue that are rules about the sources.
@Suite("Rules about the sources prevent attacks")
struct AttackRuleTests {
  /// The modules that verify tokens; clocks and networks belong above them.
  static let core: Set<String> = [
    "Octets", "TokenBasics", "Settings", "SecurityKeys", "XMLTree", "Claims",
    "SimpleWebTokens", "JSONWebTokens", "XMLSecurity", "SAML", "Federation",
  ]

  @Test("TIME-17 No verifying module reads a clock: the time is passed in, once")
  func clocks() {
    #expect(
      SourceRulesTests.lines(
        matching: #"\bDate\(|ContinuousClock|SuspendingClock|clock_gettime|\btime\(nil\)|\.now\(\)"#
      ) { Self.core.contains($0.module) && $0.path != "TokenBasics/Instants/SystemTime.swift" }
        == [])
    // The clock that callers may pass in; no verifying module uses it by itself.
    #expect(
      SourceRulesTests.lines(matching: #"\bSystemTime\(\)"#) { Self.core.contains($0.module) } == []
    )
  }

  @Test("TIME-14 No time is a floating-point number, which could be NaN")
  func floatingPoint() {
    #expect(
      SourceRulesTests.lines(matching: #"\bDouble\b|\bFloat\b|TimeInterval"#) {
        Self.core.contains($0.module) && !$0.path.hasPrefix("TokenBasics/JSON/")
      } == [])
    // Numbers of JSON stay text when they are read; only what is written may be a Double.
    #expect(
      SourceRulesTests.lines(matching: #"\bDouble\b"#) {
        $0.path.hasPrefix("TokenBasics/JSON/") && $0.path != "TokenBasics/JSON/JSONWriter.swift"
      } == [])
  }

  @Test("REF-5, XML-3 No verifying module can reach a network or a file")
  func reach() {
    #expect(
      SourceRulesTests.lines(
        matching:
          #"URLSession|\bsocket\(|\bfopen\(|getaddrinfo|FileManager|FileHandle|xmlCtxtReadFile"#
      ) { Self.core.contains($0.module) } == [])
  }

  @Test("SEM-21, RP-20 No account is looked up by its e-mail address")
  func accounts() {
    #expect(
      SourceRulesTests.lines(matching: #"func .*[eE]mail|var .*[eE]mail"#) {
        Self.core.contains($0.module)
      } == [])
  }
}
