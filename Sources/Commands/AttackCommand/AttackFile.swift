#if Server
  import CommandSupport
  import FederationNetwork
  import LocalFiles
  import Octets
  import SignInAttack

  /// The file of the driver, and the keys beside it, which the first run makes.
  struct AttackFile: ConfigurationFolder {
    let path: String
    let configuration: AttackConfiguration
    let keys: ProviderKeys

    static var valueCode: TokenError.Code { .attackValue }

    /// - Throws: exit status 2 with every error.
    init(_ path: String) throws(CommandFailure) {
      configuration = try Self.content(of: path) {
        let (configuration, errors) = AttackConfiguration.read($0)
        return (configuration, errors)
      }
      self.path = path
      do throws(TokenError) {
        keys = try Self.keys(FileFolder(of: path).located(configuration.keys))
      } catch {
        throw CommandFailure(usage: error)
      }
    }

    /// The keys of a file; new ones, which are written for the owner alone, where there is none.
    private static func keys(_ path: String) throws(TokenError) -> ProviderKeys {
      let file = AtomicFile(path: path)
      do throws(FileFailure) {
        if try file.read(limit: 1 << 20) == nil {
          let made: ProviderKeys
          do throws(TokenError) {
            made = try ProviderKeys(at: SystemTime().now)
          } catch {
            throw FileFailure("no keys can be made")
          }
          // Of two first runs at once one makes the file, and both have its keys.
          try file.create(with: made.json, draft: ".new-" + Hex.encode(SystemRandom.octets(8)))
        }
        guard let found = try file.read(limit: 1 << 20), let keys = ProviderKeys(found) else {
          throw FileFailure("it is none")
        }
        return keys
      } catch {
        throw error.error(.attackValue, path, expected: "a file of the provider's keys, or none")
      }
    }

    /// The network of the run: this machine's loopback alone, unless the file names who allowed more.
    func transport() throws(TokenError) -> AsyncHTTPClientTransport {
      var options = TransportConfiguration()
      options.reach = configuration.authorized == nil ? .loopback : .everywhere
      return try AsyncHTTPClientTransport(options)
    }
  }
#endif
