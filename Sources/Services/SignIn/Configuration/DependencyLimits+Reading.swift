package import HTTPExchange
package import TokenBasics

extension DependencyLimits {
  /// The member `outgoing` of a configuration file; the default limits for no value.
  package init(_ json: JSONValue?, _ file: inout MemberReader) {
    self.init()
    guard let json else { return }
    file.members(json, ["calls", "queue", "seconds"])
    calls = Self.number(json["calls"], calls, Self.callRange, &file)
    queue = Self.number(json["queue"], queue, Self.queueRange, &file)
    seconds = file.seconds(json["seconds"], seconds, Self.secondRange)
  }

  private static func number(
    _ json: JSONValue?, _ standard: Int, _ range: ClosedRange<Int>, _ file: inout MemberReader
  ) -> Int {
    guard let json else { return standard }
    guard let number = json.integer, range.contains(number) else {
      file.refuse(json, "a number from \(range.lowerBound) to \(range.upperBound)")
      return standard
    }
    return number
  }
}

extension MemberReader {
  /// The member `log` of a configuration file: whether a line of the log is a JSON object.
  package mutating func logsJSON(_ json: JSONValue?) -> Bool {
    guard let json else { return false }
    let form = text(json)
    if form != "text", form != "json" { refuse(json, "text or json") }
    return form == "json"
  }
}
