package import LocalFiles
package import TokenBasics

extension ConfigurationFolder {
  /// What `read` makes of the file at a path.
  ///
  /// - Throws: exit status 2 with every error.
  package static func content<Content>(
    of path: String, _ read: ([UInt8]) -> (content: Content?, errors: [TokenError])
  ) throws(CommandFailure) -> Content {
    let octets: [UInt8]
    do throws(TokenError) {
      octets = try contents(path)
    } catch {
      throw CommandFailure(usage: error)
    }
    let (content, errors) = read(octets)
    guard let content else {
      let name = ShownPath.of(path)
      throw CommandFailure(usage: errors.map { $0.inFile(name) })
    }
    return content
  }
}
