#if Server
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
#endif
