import Foundation
import HTTPExchange

extension ServerRequest {
  /// The parts of a form with files, by name.
  /// - Throws: ``Refusal`` for another content type, a repeated name, a part without a
  ///   name, and anything before, between or behind the parts.
  public func multipart() throws(Refusal) -> [String: FormPart] {
    let head = "multipart/form-data; boundary="
    guard let type = fields["Content-Type"], type.hasPrefix(head) else {
      throw Refusal(
        415, "multipart/form-data is wanted, not \(fields["Content-Type"] ?? "nothing")")
    }
    let boundary = String(type.dropFirst(head.count))
    guard (16...70).contains(boundary.utf8.count),
      boundary.utf8.allSatisfy({
        ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 >= 0x30 && $0 <= 0x39
      })
    else { throw Refusal(400, "a boundary that can be guessed") }
    var parts: [String: FormPart] = [:]
    var rest = Data(body)
    guard let first = rest.range(of: Data("--\(boundary)\r\n".utf8)), first.lowerBound == 0 else {
      throw Refusal(400, "no first boundary")
    }
    rest = rest[first.upperBound...]
    while true {
      guard let end = rest.range(of: Data("\r\n--\(boundary)".utf8)) else {
        throw Refusal(400, "a part without an end")
      }
      let (name, part) = try Self.part(rest[..<end.lowerBound])
      guard parts.updateValue(part, forKey: name) == nil else {
        throw Refusal(400, "\(name) twice")
      }
      rest = rest[end.upperBound...]
      if rest.elementsEqual("--\r\n".utf8) { return parts }
      guard rest.starts(with: Data("\r\n".utf8)) else { throw Refusal(400, "not a boundary") }
      rest = rest.dropFirst(2)
    }
  }

  private static func part(_ octets: Data) throws(Refusal) -> (String, FormPart) {
    guard let middle = octets.range(of: Data("\r\n\r\n".utf8)) else {
      throw Refusal(400, "a part without a head")
    }
    let lines = String(decoding: octets[..<middle.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    guard
      let found = lines.first?.wholeMatch(
        of: /Content-Disposition: form-data; name="([^"\\]+)"(?:; filename="([^"\\\/]+)")?/)
    else { throw Refusal(400, "a part without a name") }
    var type: String?
    for line in lines.dropFirst() {
      guard type == nil, line.hasPrefix("Content-Type: ") else {
        throw Refusal(400, "an unknown field of a part")
      }
      type = String(line.dropFirst(14))
    }
    guard (found.2 == nil) == (type == nil) else {
      throw Refusal(400, "a file has a name and a type, a value neither")
    }
    return (
      String(found.1),
      FormPart(
        fileName: found.2.map(String.init), type: type, body: Array(octets[middle.upperBound...]))
    )
  }
}
