#if Server
  import BrowserExchange
  import Octets
  public import SignIn

  /// The folder of a configuration file, which names files relative to it.
  public protocol ConfigurationFolder: Sendable {
    /// The code of a value that is refused.
    var valueCode: TokenError.Code { get }
    /// The octets of a file.
    func octets(_ name: String) throws(TokenError) -> [UInt8]
    /// The path of a file.
    func located(_ name: String) -> String
  }

  extension ConfigurationFolder {
    /// The secret in a file, without the white space around it and in it.
    func secret(_ name: String) throws(TokenError) -> Secret {
      Secret(
        String(decoding: try octets(name).filter { !ASCII.isWhiteSpace($0) }, as: UTF8.self))
    }
  }
#endif
