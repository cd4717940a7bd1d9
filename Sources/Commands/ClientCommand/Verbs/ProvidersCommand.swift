#if Client
  import ArgumentParser
  import CommandSupport
  import Federation
  import FederationClient
  import FederationNetwork
  import HTTPExchange
  import TokenBasics

  /// `claims-client providers`
  struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "providers",
      abstract: "Lists the identity providers of a realm.",
      discussion: """
        Examples:
          claims-client providers --server https://acs.example/ --realm urn:app
        """)

    @OptionGroup var service: ServiceOptions
    @OptionGroup var network: NetworkOptions

    @Option(help: ArgumentHelp("Only the provider for this e-mail address.", valueName: "ADDRESS"))
    var email: String?

    func run() async throws {
      let transport = try network.transport()
      let client = AccessControlClient(
        try service.service(), trust: Trust(issuers: [], audiences: .oneOf([service.realm])),
        transport: transport, time: SystemTime(), observer: network.observer)
      StandardError.progress("asking for the providers of \(service.realm)")
      let list = try await client.providers(ProviderListRequest(.wsFederation))
      let picker = ProviderPicker(list)
      let shown = try email.map { [try picker.provider(forAddress: $0)] } ?? list
      var json = JSONWriter()
      json.array { json in
        for provider in shown { PrintedJSON.provider(provider, &json) }
      }
      try Results.write(line: json.bytes)
      await transport.shutdown()
    }
  }
#endif
