import Foundation
import TestSupport
import Testing

/// Entries of the attack catalogue that are rules about the sources.
@Suite("The sources leave attacks no room")
struct AttackRuleTests {
  /// What judges tokens; clocks and networks belong above it.
  static let core: Set<String> = [
    "TokenErrors", "Octets", "Instants", "StrictJSON", "SecurityKeys", "XMLTree", "Claims",
    "SimpleWebTokens", "JSONWebTokens", "XMLSecurity", "SAML", "Federation",
  ]

  @Test("TIME-17 Nothing that judges a token reads a clock: the time comes in, once")
  func clocks() {
    #expect(
      SourceRulesTests.lines(
        matching: #"\bDate\(|ContinuousClock|SuspendingClock|clock_gettime|\btime\(nil\)|\.now\(\)"#
      ) { Self.core.contains($0.module) && $0.path != "Instants/SystemTime.swift" } == [])
    // The clock that callers may pass in; nothing that judges takes it by itself.
    #expect(
      SourceRulesTests.lines(matching: #"\bSystemTime\(\)"#) { Self.core.contains($0.module) } == []
    )
  }

  @Test("TIME-14 No time is a floating-point number, which could be not a number")
  func floatingPoint() {
    #expect(
      SourceRulesTests.lines(matching: #"\bDouble\b|\bFloat\b|TimeInterval"#) {
        Self.core.contains($0.module) && $0.module != "StrictJSON"
      } == [])
    // Numbers of JSON stay text when they are read; only what is written may be a Double.
    #expect(
      SourceRulesTests.lines(matching: #"\bDouble\b"#) {
        $0.module == "StrictJSON" && $0.path != "StrictJSON/JSONWriter.swift"
      } == [])
  }

  @Test("REF-5, XML-3 Nothing that judges a token can reach a network or a file")
  func reach() {
    #expect(
      SourceRulesTests.lines(
        matching:
          #"URLSession|\bsocket\(|\bfopen\(|getaddrinfo|FileManager|FileHandle|xmlCtxtReadFile"#
      ) { Self.core.contains($0.module) } == [])
  }

  @Test("SEM-21, RP-20 Nothing looks an account up by its e-mail address")
  func accounts() {
    #expect(
      SourceRulesTests.lines(matching: #"func .*[eE]mail|var .*[eE]mail"#) {
        Self.core.contains($0.module)
      } == [])
  }
}
