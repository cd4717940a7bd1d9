import IssuerRegistry

func registry(signer: VerificationKey, over network: any HTTPTransport) throws -> any IssuerRegistry
{
  CompositeRegistry(
    FileRegistry(trustFile: "/etc/service/trust.json"),
    adding: [
      MetadataRegistry(
        MetadataSource(
          try HTTPURL("https://idp.example/metadata.xml"), entityID: "https://idp.example/idp",
          proof: .signature([TrustedKey(signer)])), transport: network)
    ])
}

func validator(by registry: any IssuerRegistry, at now: Instant) async throws
  -> TokenValidator<AnyToken>
{
  TokenValidator(try await registry.trust(at: now))
}
