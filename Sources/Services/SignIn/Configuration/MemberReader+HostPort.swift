package import HTTPExchange
package import Octets

extension MemberReader {
  /// The host and the port of a member; nil for one that is refused, or missing.
  package mutating func hostPort(_ value: JSONValue?) -> HostPort? {
    guard let value, let text = text(value) else { return nil }
    do throws(HostPort.Refusal) {
      return try HostPort(text)
    } catch {
      refuse(value, error.expected)
      return nil
    }
  }
}
