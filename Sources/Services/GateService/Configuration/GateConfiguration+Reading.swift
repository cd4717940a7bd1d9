public import TokenBasics

extension GateConfiguration {
  /// Reads the gate's file. Unknown members are errors, and every error has its line.
  public static func read(_ octets: [UInt8]) -> (configuration: Self?, errors: [TokenError]) {
    do throws(TokenError) {
      let json = try MemberReader.document(octets, orThrow: .gateSyntax)
      var reader = GateConfigurationReader(octets)
      let configuration = reader.read(json)
      return (reader.errors.isEmpty ? configuration : nil, reader.errors)
    } catch {
      return (nil, [error])
    }
  }
}
