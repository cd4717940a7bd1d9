#if Client
  import ArgumentParser
  import CommandSupport
  import FederationClient
  import HTTPExchange

  /// The secrets of the program itself that some services require besides the person's session. They are
  /// not stored with it.
  struct ServiceSecrets: ParsableArguments {
    @Option(
      help: ArgumentHelp("oPRO: a file with the client's secret, for renewals.", valueName: "FILE"),
      completion: .file())
    var clientSecretFile: String?

    @Option(help: ArgumentHelp("oPRO: an environment variable with it.", valueName: "NAME"))
    var clientSecretEnv: String?

    @Option(
      help: ArgumentHelp("Mobile Services: a file with the application key.", valueName: "FILE"),
      completion: .file())
    var applicationKeyFile: String?

    @Option(
      help: ArgumentHelp("Mobile Services: an environment variable with it.", valueName: "NAME"))
    var applicationKeyEnv: String?

    func clientSecret() throws(CommandFailure) -> Secret? {
      try SecretSource.optional(
        "client-secret", file: clientSecretFile, environment: clientSecretEnv)
    }

    func mobileService(_ service: StoredService) throws -> MobileService {
      try MobileService(
        at: HTTPURL(service.needed(.server)), version: service[.apiVersion],
        keyFile: applicationKeyFile, keyEnvironment: applicationKeyEnv)
    }
  }
#endif
