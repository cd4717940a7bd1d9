#if Client
  import ArgumentParser
  import CommandSupport
  import FederationClient
  import HTTPExchange

  /// An app of Azure Mobile Services, at version 1 or of App Service.
  struct MobileAppOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The address of the app.", valueName: "URL"))
    var server: String

    @Option(
      help: ArgumentHelp("Version 1: a file with the application key.", valueName: "FILE"),
      completion: .file())
    var applicationKeyFile: String?

    @Option(
      help: ArgumentHelp(
        "Version 1: an environment variable with the application key.", valueName: "NAME"))
    var applicationKeyEnv: String?

    @Option(
      help: ArgumentHelp(
        "App Service: the version of its API, such as 2.0.0.", valueName: "VERSION"))
    var apiVersion: String?

    /// Whether the app is one of version 1.
    var isVersion1: Bool { applicationKeyFile != nil || applicationKeyEnv != nil }

    func validate() throws {
      guard isVersion1 != (apiVersion != nil) else {
        throw ValidationError("an application key or --api-version is needed, not both")
      }
    }

    func service() throws -> MobileService {
      try MobileService(
        at: HTTPURL(server), version: apiVersion, keyFile: applicationKeyFile,
        keyEnvironment: applicationKeyEnv)
    }
  }

  extension MobileService {
    /// App Service at that version of its API; without one version 1, with the key of a file or of the environment.
    init(
      at address: HTTPURL, version: String?, keyFile: String?, keyEnvironment: String?
    ) throws {
      guard let version else {
        let key = try SecretSource.secret(
          "application-key", file: keyFile, environment: keyEnvironment)
        try self.init(at: address, .mobileServices(applicationKey: key))
        return
      }
      try self.init(at: address, .appService(version: version))
    }
  }
#endif
