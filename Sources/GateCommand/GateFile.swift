#if Server
  import GateService
  import LocalFiles
  import ProviderAssembly
  import SecurityKeys

  /// The gate's file and those that it names, relative to its folder.
  struct GateFile: ConfigurationFolder {
    let path: String
    let configuration: GateConfiguration

    var valueCode: TokenError.Code { .gateValue }

    /// Reads and checks the file.
    ///
    /// - Throws: ``GateFailure`` with every error.
    init(_ path: String) throws(GateFailure) {
      let octets: [UInt8]
      do throws(TokenError) {
        octets = try Self.contents(path)
      } catch {
        throw GateFailure([error])
      }
      let (configuration, errors) = GateConfiguration.read(octets)
      guard let configuration else { throw GateFailure(errors) }
      self.path = path
      self.configuration = configuration
    }

    /// The octets of a file that the gate's file names.
    ///
    /// - Throws: `gate.file-value` with the system's reason.
    func octets(_ name: String) throws(TokenError) -> [UInt8] { try Self.contents(located(name)) }

    /// A path relative to the gate's file.
    func located(_ name: String) -> String {
      guard !name.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return name }
      return path[...slash] + name
    }

    /// A private key.
    ///
    /// - Throws: `gate.file-value`, `key.*`.
    func privateKey(_ name: String) throws(TokenError) -> PrivateKey {
      try PrivateKey(pemOrDER: octets(name))
    }

    /// A certificate.
    ///
    /// - Throws: `gate.file-value`, `key.*`.
    func certificate(_ name: String) throws(TokenError) -> Certificate {
      let key = try VerificationKey(pemOrDER: octets(name))
      guard case .certificate(let certificate) = key.material else {
        throw TokenError(.gateValue, node: name, expected: "a certificate", found: key.kindName)
      }
      return certificate
    }

    static func contents(_ path: String) throws(TokenError) -> [UInt8] {
      do throws(FileFailure) {
        return try OpenFile(reading: path).readAll(limit: Limits.hardByteLimit)
      } catch {
        throw error.error(.gateValue, path, expected: "a readable file")
      }
    }
  }
#endif
