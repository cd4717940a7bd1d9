import Octets
public import TokenErrors

extension GateConfiguration {
  /// Reads the gate's file. Unknown members are errors, and every error has its line.
  public static func read(_ octets: [UInt8]) -> (configuration: Self?, errors: [TokenError]) {
    let json: JSONValue
    do throws(TokenError) {
      json = try JSONParser.parse(octets)
    } catch {
      return (
        nil,
        [TokenError(.gateSyntax, node: error.node, expected: error.expected, found: error.found)]
      )
    }
    var reader = GateConfigurationReader(octets)
    let configuration = reader.read(json)
    return (reader.errors.isEmpty ? configuration : nil, reader.errors)
  }
}
