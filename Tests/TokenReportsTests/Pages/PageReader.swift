import Federation
import TestSupport
import TokenReports
import XMLTree

/// A page, read back as the XML that it is too.
struct PageReader {
  let text: String
  let root: Element

  /// The page about a vector, judged with the settings of the vector.
  init(_ vector: TestVector, showsValues: Bool = false) throws {
    try self.init(vector.token, like: vector, showsValues: showsValues)
  }

  /// The page about any octets, judged with the settings of a vector.
  init(_ octets: [UInt8], like vector: TestVector, showsValues: Bool = false) throws {
    try self.init([Self.subject(octets, like: vector)], showsValues: showsValues)
  }

  init(_ subjects: [PageSubject], showsValues: Bool = false) throws {
    let page = TokenPage(subjects, showsValues: showsValues).octets
    text = String(decoding: page, as: UTF8.self)
    var limits = Limits()
    limits.bytes = 10 << 20
    limits.elements = 1 << 20
    limits.depth = 1_000
    // XML knows no document type of this form.
    let content = page.dropFirst("<!DOCTYPE html>\n".utf8.count)
    root = try Document(parsing: Array(content), limits: limits).root
  }

  /// The text of the page about a vector, not read back.
  static func text(_ vector: TestVector) throws -> String {
    String(decoding: TokenPage([try subject(vector.token, like: vector)]).octets, as: UTF8.self)
  }

  static func subject(
    _ octets: [UInt8], like vector: TestVector, at moment: String? = nil
  ) throws -> PageSubject {
    let trust = try vector.trust()
    let now = try Instant(dateTime: moment ?? vector.at ?? "2030-01-01T12:00:00Z")
    do throws(TokenError) {
      let token = try AnyToken(reading: octets, as: vector.pin, limits: trust.limits)
      let expectations = Expectations(
        recipient: vector.recipient, inResponseTo: vector.inResponseTo)
      let (verdict, notes) = TokenValidator(trust).verdict(
        on: token, at: now, expectations, isDetailed: true)
      return PageSubject(
        octets, pinned: vector.pin, trust: trust, at: now, token: token, verdict: verdict,
        notes: notes)
    } catch {
      return PageSubject(octets, pinned: vector.pin, trust: trust, at: now, unreadable: error)
    }
  }

  func elements(_ name: String) -> [Element] {
    root.descendants { $0.localName == name }
  }

  /// The elements of a style.
  func styled(_ name: String) -> [Element] {
    root.descendants { element in
      let styles = element.attribute(ExpandedName("class"))?.split(separator: " ") ?? []
      return styles.contains { $0 == name }
    }
  }

  /// All text inside of an element.
  static func text(of element: Element) -> String {
    var text = ""
    for step in DocumentWalk(element) {
      if case .text(let range) = step { text += element.string(range) }
    }
    return text
  }

  /// The sentence about what is signed.
  var summary: String { styled("sum").first.map(Self.text) ?? "" }

  /// The labels of the marked parts, in order.
  var labels: [String] { styled("rl").map(Self.text) }

  /// The innermost marked part around the first element that holds `text`; its style.
  func mark(around text: String) -> String? {
    var found: String?
    var open: [String] = []
    var depths: [Int] = []
    var depth = 0
    for step in DocumentWalk(root.document) {
      switch step {
      case .start(let element):
        depth += 1
        let styles = (element.attribute(ExpandedName("class")) ?? "").split(separator: " ")
        if styles.first == "r", styles.count > 1, element.localName == "div" {
          open.append(String(styles[1]))
          depths.append(depth)
        }
      case .end:
        if depths.last == depth {
          depths.removeLast()
          open.removeLast()
        }
        depth -= 1
      case .text(let range):
        if found == nil, !open.isEmpty, root.string(range).contains(text) { found = open.last }
      case .comment, .instruction: break
      }
    }
    return found
  }
}

extension TestVector {
  /// The vector of that identifier.
  static func named(_ id: String) throws -> TestVector {
    struct Missing: Error { let id: String }
    guard let vector = all.first(where: { $0.id == id }) else { throw Missing(id: id) }
    return vector
  }
}
