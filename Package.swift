// swift-tools-version: 6.2
import PackageDescription

/// A product that is fetched with trait Client alone.
func client(_ name: String, of package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Client"]))
}

let releaseOnLinux = BuildSettingCondition.when(platforms: [.linux], configuration: .release)

/// A product that is fetched with trait Redis alone.
func redis(_ name: String, of package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Redis"]))
}

/// A product that is fetched with trait Server alone.
func server(_ name: String, of package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Server"]))
}

/// Swift's libraries inside a command, which starts a sixth sooner for it. The last two are parts of
/// Foundation that a static build names and a dynamic one has no need to. lld, because gold warns of a
/// function in Foundation.
let swiftInside: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib", "-use-ld=lld"], releaseOnLinux),
  .linkedLibrary("_FoundationCShims", releaseOnLinux),
  .linkedLibrary("_FoundationCollections", releaseOnLinux),
]

let package = Package(
  name: "swift-federation",
  // Linux is where everything is built and tested. On Apple's platforms nothing of it has run; what stands
  // here is what the code needs: spans of arrays and strings, UTF8Span and InlineArray came with these
  // releases (Mutex, typed throws and Duration are older). The C libraries come from Homebrew on macOS; an
  // app for the others brings its own libxml2 and OpenSSL.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  // A product lists what its module passes on too, so that `swift package diagnose-api-breaking-changes` compares it.
  products: [
    .library(
      name: "Federation",
      targets: ["Federation", "Claims", "Instants", "SecurityKeys", "TokenErrors"]),
    .library(name: "SimpleWebTokens", targets: ["SimpleWebTokens"]),
    .library(name: "SAML", targets: ["SAML"]),
    .library(name: "JSONWebTokens", targets: ["JSONWebTokens"]),
    .library(name: "FederationFoundation", targets: ["FederationFoundation"]),
    .library(name: "TokenMutation", targets: ["TokenMutation"]),
    .library(name: "IssuerRegistry", targets: ["IssuerRegistry", "HTTPExchange"]),
    .library(name: "FederationClient", targets: ["FederationClient"]),
    .library(name: "SingleSignOn", targets: ["SingleSignOn", "BrowserExchange"]),
    .library(name: "SocialFeeds", targets: ["SocialFeeds"]),
    .library(name: "AsyncHTTPClientTransport", targets: ["AsyncHTTPClientTransport"]),
    .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
    .library(name: "FederationTelemetry", targets: ["FederationTelemetry"]),
    .library(name: "LoopbackListener", targets: ["LoopbackListener"]),
    .executable(name: "claims", targets: ["ClaimsCommand"]),
    .library(name: "SignIn", targets: ["SignIn"]),
    .library(name: "HummingbirdFederation", targets: ["HummingbirdFederation"]),
    .library(name: "SQLiteSessions", targets: ["SQLiteSessions"]),
    .library(name: "RedisStores", targets: ["RedisStores", "RedisProtocol", "ServiceConfiguration"]),
    .library(name: "RedisConnections", targets: ["RedisConnections"]),
    .library(name: "GateService", targets: ["GateService", "ForwardAuthentication", "ServiceConfiguration"]),
    .executable(name: "claims-gate", targets: ["GateCommand"]),
    .library(name: "TokenService", targets: ["TokenService"]),
    .library(name: "AccessControl", targets: ["AccessControl", "ServiceConfiguration"]),
    .executable(name: "acs", targets: ["AccessControlCommand"]),
    .executable(name: "SignInSample", targets: ["SignInSample"]),
    .executable(name: "claims-client", targets: ["ClientCommand"]),
  ],
  traits: [
    .trait(name: "CommandLine", description: "The claims command (fetches swift-argument-parser)."),
    .trait(
      name: "Client",
      description: "The network over AsyncHTTPClient, with logs, metrics and traces (fetches them).",
      enabledTraits: ["CommandLine"]
    ),
    .trait(
      name: "Server",
      description: "Sign-in for services: Hummingbird, pages, sessions in SQLite, the gate (fetches them).",
      enabledTraits: ["Client", "Redis"]
    ),
    .trait(
      name: "Redis",
      description: "Sessions and used tokens of a fleet in Redis or Valkey (fetches SwiftNIO)."
    ),
    .default(enabledTraits: ["CommandLine"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // Of trait Client; without it none of these is fetched.
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    // Of trait Server.
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    // Of trait Server, and of the tests under trait Client: the servers that the client talks to.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  ],
  targets: [
    // C, each imported by exactly one Swift module (Tests/SourceRulesTests checks it).
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

    // Vocabulary.
    .target(name: "TokenErrors"),
    .target(name: "CByteVectors"),
    .target(name: "Octets", dependencies: ["TokenErrors", "CByteVectors"]),
    .target(name: "Instants", dependencies: ["TokenErrors", "Octets"]),
    .target(name: "StrictJSON", dependencies: ["TokenErrors", "Octets"]),

    // One C library each.
    .target(
      name: "SecurityKeys", dependencies: ["COpenSSL", "Instants", "TokenErrors", "Octets"]),
    // Files, and what messages say of their names.
    .target(
      name: "LocalFiles", dependencies: ["SecurityKeys", "Instants", "TokenErrors"]),
    .target(name: "XMLTree", dependencies: ["CLibXML2", "TokenErrors", "Octets"]),

    // What every format shares: claims, trust, the report.
    .target(
      name: "Claims", dependencies: ["SecurityKeys", "Instants", "TokenErrors", "Octets"]),

    // One standard each.
    .target(
      name: "SimpleWebTokens",
      dependencies: ["Claims", "SecurityKeys", "Instants", "TokenErrors", "Octets"]),
    .target(
      name: "JSONWebTokens",
      dependencies: [
        "Claims", "SecurityKeys", "StrictJSON", "Instants", "TokenErrors", "Octets",
      ]),
    .target(
      name: "XMLSecurity",
      dependencies: ["XMLTree", "SecurityKeys", "Instants", "TokenErrors", "Octets"]),
    .target(
      name: "SAML",
      dependencies: [
        "Claims", "XMLSecurity", "XMLTree", "SecurityKeys", "Instants", "TokenErrors", "Octets",
      ]),

    // All formats together.
    .target(
      name: "Federation",
      dependencies: [
        "SAML", "SimpleWebTokens", "JSONWebTokens", "Claims", "XMLSecurity", "XMLTree",
        "SecurityKeys",
        "StrictJSON", "Instants", "TokenErrors", "Octets", "CZlib",
      ]),

    // The network behind one protocol; nothing here opens a socket.
    .target(name: "HTTPExchange", dependencies: ["TokenErrors", "Octets"]),

    // What a browser carries: forms, queries, return paths, proof keys; for clients and relying parties.
    .target(
      name: "BrowserExchange",
      dependencies: [
        "HTTPExchange", "SecurityKeys", "StrictJSON", "Instants", "Octets", "TokenErrors",
      ]),

    // Sign-in at identity providers as values, for a service of any framework.
    .target(
      name: "SingleSignOn",
      dependencies: [
        "BrowserExchange", "IssuerRegistry", "Federation", "HTTPExchange", "SAML", "JSONWebTokens",
        "Claims", "XMLSecurity", "XMLTree", "SecurityKeys", "StrictJSON", "Instants", "TokenErrors",
        "Octets",
      ]),

    // Routes, cookies, sessions and pages of a service that signs people in, without a framework.
    .target(
      name: "SignIn",
      dependencies: [
        "SingleSignOn", "BrowserExchange", "HTTPExchange", "IssuerRegistry", "StrictJSON", "Octets",
      ]),

    // What the files of services have in common: identity providers, a shared store, where to listen.
    .target(
      name: "ServiceConfiguration",
      dependencies: ["HTTPExchange", "StrictJSON", "Octets", "TokenErrors"]),

    // What a gate before other servers decides: paths, rules, headers and its file, without a server.
    .target(
      name: "ForwardAuthentication",
      dependencies: [
        "ServiceConfiguration",
        "BrowserExchange", "Federation", "HTTPExchange", "StrictJSON", "Octets", "TokenErrors",
      ]),

    // Access Control Service as values: relying parties, rules, and the tokens that come of them.
    .target(
      name: "TokenService",
      dependencies: [
        "Federation", "BrowserExchange", "HTTPExchange", "Claims", "SecurityKeys", "StrictJSON",
        "XMLTree", "SimpleWebTokens", "JSONWebTokens", "SAML", "Instants", "TokenErrors", "Octets",
      ]),
    // The endpoints and pages of a token service, without a server.
    .target(
      name: "AccessControl",
      dependencies: [
        "TokenService", "ServiceConfiguration", "SignIn", "BrowserExchange", "HTTPExchange", "SAML", "SecurityKeys",
        "SingleSignOn", "StrictJSON", "XMLTree",
        "Octets",
      ]),

    // What Redis and Valkey speak, without a connection, and the sessions and used tokens of a fleet in them.
    .target(name: "RedisProtocol", dependencies: ["TokenErrors", "Octets"]),
    .target(
      name: "RedisStores",
      dependencies: [
        "HTTPExchange", "RedisProtocol", "ServiceConfiguration", "SingleSignOn", "Claims",
        "SecurityKeys", "Instants", "TokenErrors", "Octets",
      ]),

    // What is wrong between a proxy, a gate and an application, found from outside.
    .target(
      name: "GateDoctor",
      dependencies: [
        "ForwardAuthentication", "BrowserExchange", "HTTPExchange", "TokenErrors", "Octets",
      ]),

    // The gate without a server: sign-in, and verdicts for proxies.
    .target(name: "GateService", dependencies: ["ForwardAuthentication", "SignIn", "Octets"]),

    // Data, Date, URL and LocalizedError at the edges of what is above, for who has them at hand.
    .target(name: "FederationFoundation", dependencies: ["Federation", "HTTPExchange"]),

    // The network by Foundation's URLSession: nothing else here depends on it.
    .target(name: "URLSessionTransport", dependencies: ["HTTPExchange", "TokenErrors"]),

    // Which issuers are trusted right now: fixed, from a file, from metadata at an address.
    .target(
      name: "IssuerRegistry",
      dependencies: [
        "LocalFiles",
        "Federation", "HTTPExchange", "SAML", "JSONWebTokens", "Claims", "SecurityKeys",
        "StrictJSON", "Instants", "TokenErrors", "Octets",
      ]),

    // The relying-party client: sign-in and sessions, over any transport.
    .target(
      name: "FederationClient",
      dependencies: [
        "BrowserExchange", "LocalFiles",
        "Federation", "HTTPExchange", "SAML", "SimpleWebTokens", "JSONWebTokens", "Claims",
        "SecurityKeys", "StrictJSON", "Instants", "TokenErrors", "Octets",
      ]),

    // Bad variants of good tokens, for testing endpoints. Nothing that verifies needs it, so it is no
    // part of what services link.
    .target(
      name: "TokenMutation",
      dependencies: [
        "Federation", "SAML", "Claims", "XMLSecurity", "XMLTree", "SecurityKeys", "StrictJSON",
        "Instants", "TokenErrors", "Octets",
      ]),

    // A token as a page for a person: what was checked, what is signed, and what is not.
    .target(
      name: "TokenPages",
      dependencies: [
        "Federation", "SAML", "SimpleWebTokens", "JSONWebTokens", "Claims", "XMLSecurity",
        "XMLTree", "SecurityKeys", "StrictJSON", "Instants", "TokenErrors", "Octets",
      ]),

    // Tokens with their values replaced, safe to attach to a report.
    .target(
      name: "TokenCapture",
      dependencies: [
        "Federation", "TokenMutation", "SAML", "Claims", "XMLSecurity", "XMLTree", "SecurityKeys",
        "StrictJSON", "Instants", "TokenErrors", "Octets",
      ]),

    // Posts to social feeds with a provider's token, over any transport.
    .target(
      name: "SocialFeeds",
      dependencies: [
        "BrowserExchange", "HTTPExchange", "SecurityKeys", "StrictJSON", "Instants", "TokenErrors",
        "Octets",
      ]),

    // The network and the watching of it, for real (trait Client).
    .target(
      name: "AsyncHTTPClientTransport",
      dependencies: [
        "HTTPExchange", "TokenErrors",
        client("AsyncHTTPClient", of: "async-http-client"), client("NIOCore", of: "swift-nio"),
        client("NIOHTTP1", of: "swift-nio"), client("NIOPosix", of: "swift-nio"),
        client("NIOSSL", of: "swift-nio-ssl"),
      ]),
    .target(
      name: "FederationTelemetry",
      dependencies: [
        "HTTPExchange", "TokenErrors",
        client("Logging", of: "swift-log"), client("Metrics", of: "swift-metrics"),
        client("Tracing", of: "swift-distributed-tracing"),
      ]),

    // The browser that comes back to this machine after a sign-in (trait Client).
    .target(
      name: "LoopbackListener",
      dependencies: [
        "FederationClient", "HTTPExchange", "TokenErrors",
        client("NIOCore", of: "swift-nio"), client("NIOHTTP1", of: "swift-nio"),
        client("NIOPosix", of: "swift-nio"),
      ]),

    // Sign-in in a service of Hummingbird (trait Server).
    .target(
      name: "HummingbirdFederation",
      dependencies: [
        "SignIn", "HTTPExchange", "SecurityKeys", "Octets",
        server("Hummingbird", of: "hummingbird"), server("Logging", of: "swift-log"), server("Mustache", of: "swift-mustache"),
        server("HTTPTypes", of: "swift-http-types"), server("NIOCore", of: "swift-nio"),
      ]),

    // The sample of README, with an identity provider of its own.
    .executableTarget(
      name: "SignInSample",
      dependencies: [
        "HummingbirdFederation", "SingleSignOn", "XMLTree", "SecurityKeys", "Octets",
        server("Hummingbird", of: "hummingbird"), server("HTTPTypes", of: "swift-http-types"),
      ]),

    // Sessions and used tokens in one file (trait Server).
    .target(
      name: "SQLiteSessions",
      dependencies: [
        "SingleSignOn", "LocalFiles", "SecurityKeys", "Octets", "Claims",
        server("GRDB", of: "GRDB.swift"),
      ]),

    // Connections to Redis or Valkey (trait Redis).
    .target(
      name: "RedisConnections",
      dependencies: [
        "RedisProtocol", "RedisStores", "BrowserExchange", redis("NIOCore", of: "swift-nio"),
        redis("NIOPosix", of: "swift-nio"), redis("NIOSSL", of: "swift-nio-ssl"),
      ]),

    // Identity providers of a configuration file, for commands (trait Server).
    .target(
      name: "ProviderAssembly",
      dependencies: [
        "BrowserExchange", "CommandSupport", "HTTPExchange", "RedisConnections", "RedisStores",
        "AsyncHTTPClientTransport", "ServiceConfiguration", "SignIn", "SecurityKeys", "Octets",
      ]),

    // What every command has in common: its start, wrong usage, help, versions, output and end.
    .target(
      name: "CommandSupport",
      dependencies: [
        "LocalFiles", "SecurityKeys", "StrictJSON", "XMLTree", "TokenErrors",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["CommandLine"])),
      ]),

    // What the servers among the commands have in common: TLS, listening, limits, the log (trait Server).
    .target(
      name: "CommandServer",
      dependencies: [
        "CommandSupport", "HTTPExchange", "LocalFiles", "Instants", "Octets", "TokenErrors",
        server("Hummingbird", of: "hummingbird"), server("HummingbirdTLS", of: "hummingbird"),
        server("Logging", of: "swift-log"), server("NIOCore", of: "swift-nio"),
        server("NIOHTTP1", of: "swift-nio"), server("NIOSSL", of: "swift-nio-ssl"),
      ]),

    // The gate as a server (trait Server).
    .executableTarget(
      name: "GateCommand",
      dependencies: [
        "CommandServer", "CommandSupport", "RedisProtocol",
        "AsyncHTTPClientTransport", "GateService", "GateDoctor", "HummingbirdFederation", "ProviderAssembly",
        "SQLiteSessions", "HTTPExchange", "LocalFiles", "SecurityKeys",
        "StrictJSON", "Octets",
        server("Hummingbird", of: "hummingbird"), server("HTTPTypes", of: "swift-http-types"),
        server("NIOCore", of: "swift-nio"), server("NIOHTTP1", of: "swift-nio"),
        server("NIOPosix", of: "swift-nio"), server("NIOSSL", of: "swift-nio-ssl"),
        server("Logging", of: "swift-log"),
        server("ArgumentParser", of: "swift-argument-parser"),
      ]),

    // The local Access Control Service as a command (trait Server).
    .executableTarget(
      name: "AccessControlCommand",
      dependencies: [
        "CommandServer", "CommandSupport", "RedisProtocol",
        "AccessControl", "AsyncHTTPClientTransport", "BrowserExchange", "FederationClient",
        "HummingbirdFederation", "LocalFiles", "ProviderAssembly", "RedisStores", "SQLiteSessions",
        "SecurityKeys", "SocialFeeds", "StrictJSON", "Octets",
        server("ArgumentParser", of: "swift-argument-parser"),
        server("Hummingbird", of: "hummingbird"), server("HummingbirdTLS", of: "hummingbird"),
        server("HTTPTypes", of: "swift-http-types"), server("Logging", of: "swift-log"),
        server("NIOCore", of: "swift-nio"), server("NIOSSL", of: "swift-nio-ssl"),
      ]),

    // The tool around the client (trait Client; without it, it only says so).
    .executableTarget(
      name: "ClientCommand",
      dependencies: [
        "CommandSupport", "LocalFiles",
        "FederationClient", "SocialFeeds", "LoopbackListener", "AsyncHTTPClientTransport",
        "FederationTelemetry", "Federation", "HTTPExchange", "Claims", "SecurityKeys", "StrictJSON",
        "Instants", "Octets",
        "TokenErrors",
        client("ArgumentParser", of: "swift-argument-parser"),
        client("Logging", of: "swift-log"),
      ]),

    // The tool. Its folder is not called Claims-with-another-case: macOS file systems fold case.
    .executableTarget(
      name: "ClaimsCommand",
      dependencies: [
        "CommandSupport", "LocalFiles", "TokenPages",
        "Federation", "TokenCapture", "TokenMutation", "SAML", "SimpleWebTokens", "JSONWebTokens",
        "Claims",
        "XMLSecurity", "XMLTree",
        "SecurityKeys", "StrictJSON", "Instants", "TokenErrors", "Octets",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["CommandLine"])),
      ],
      linkerSettings: swiftInside),

    // Tests. They may import Foundation, and libxml2 as an oracle.
    .target(
      name: "TestSupport", dependencies: ["Federation", "HTTPExchange", "Octets", "TokenErrors"],
      path: "Tests/TestSupport"),
    .target(
      name: "XMLOracle", dependencies: ["XMLTree", "CLibXML2"], path: "Tests/XMLOracle"),
    // Expectations whose errors are noted for the search of a whole run (Tests/Secrets).
    .target(
      name: "SecrecyTesting", dependencies: ["TestSupport"], path: "Tests/SecrecyTesting"),
    // The error codes of all modules.
    .target(
      name: "TestCatalogue",
      dependencies: [
        "Federation", "HTTPExchange", "IssuerRegistry", "FederationClient", "SocialFeeds",
        "SingleSignOn", "ForwardAuthentication", "GateDoctor", "RedisProtocol",
        "ServiceConfiguration", "TokenService", "TokenErrors",
      ],
      path: "Tests/TestCatalogue"),
    .testTarget(name: "OctetsTests", dependencies: ["Octets", "TokenErrors"]),
    .testTarget(name: "InstantsTests", dependencies: ["Instants", "TokenErrors"]),
    .testTarget(
      name: "LocalFilesTests",
      dependencies: ["LocalFiles", "SecurityKeys", "Octets", "TokenErrors"]),
    .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON", "TokenErrors"]),
    .testTarget(
      name: "SecurityKeysTests",
      dependencies: ["SecurityKeys", "Instants", "Octets", "TokenErrors", "TestSupport"]),
    .testTarget(
      name: "XMLSecurityTests",
      dependencies: [
        "XMLSecurity", "XMLTree", "SecurityKeys", "Instants", "Octets", "TokenErrors",
        "TestSupport",
      ]),
    .testTarget(
      name: "SAMLTests",
      dependencies: [
        "SAML", "XMLSecurity", "Claims", "SecurityKeys", "Instants", "TokenErrors", "TestSupport",
      ]),
    .testTarget(
      name: "XMLTreeTests",
      dependencies: ["XMLTree", "XMLOracle", "Octets", "TokenErrors", "TestSupport"]),
    .target(
      name: "RegistryTesting",
      dependencies: ["IssuerRegistry", "HTTPExchange", "Instants", "TokenErrors", "TestSupport"],
      path: "Tests/RegistryTesting"),
    .testTarget(
      name: "IssuerRegistryTests",
      dependencies: [
        "IssuerRegistry", "Federation", "SAML", "HTTPExchange", "Claims", "SecurityKeys",
        "Instants", "TokenErrors", "RegistryTesting", "TestSupport",
      ]),
    .testTarget(
      name: "ClientTests",
      dependencies: [
        "SecrecyTesting",
        "AsyncHTTPClientTransport", "URLSessionTransport", "FederationTelemetry",
        "FederationClient", "SocialFeeds", "IssuerRegistry",
        "Federation", "SAML", "HTTPExchange", "Claims", "SecurityKeys", "Instants", "TokenErrors",
        "RegistryTesting",
        "TestSupport",
        client("NIOCore", of: "swift-nio"), client("NIOPosix", of: "swift-nio"),
        client("NIOSSL", of: "swift-nio-ssl"),
        client("InMemoryLogging", of: "swift-log"),
        client("Logging", of: "swift-log"), client("Metrics", of: "swift-metrics"),
        client("MetricsTestKit", of: "swift-metrics"),
        client("Tracing", of: "swift-distributed-tracing"),
        client("InMemoryTracing", of: "swift-distributed-tracing"),
      ]),
    // Services that the client talks to, each as strict as its protocol: pure values first, sockets
    // last. The core of the Access Control one knows nothing of the network.
    .target(
      name: "SimulatedService", dependencies: ["HTTPExchange", "Octets", "StrictJSON"],
      path: "Tests/Simulators/SimulatedService"),
    .target(
      name: "AccessControlCore",
      dependencies: [
        "SimulatedService", "Federation", "SAML", "SimpleWebTokens", "JSONWebTokens", "Claims",
        "SecurityKeys", "StrictJSON", "Instants", "Octets", "HTTPExchange", "TokenErrors",
      ],
      path: "Tests/Simulators/AccessControlCore"),
    .target(
      name: "Simulators",
      dependencies: [
        "SimulatedService", "SecurityKeys", "StrictJSON", "Instants", "Octets", "HTTPExchange",
        "TokenErrors",
      ],
      path: "Tests/Simulators/Services"),
    .target(
      name: "SimulatorHost",
      dependencies: [
        "SimulatedService", "HTTPExchange", "TestSupport",
        client("Hummingbird", of: "hummingbird"), client("NIOCore", of: "swift-nio"),
        client("HTTPTypes", of: "swift-http-types"), client("Logging", of: "swift-log"),
      ],
      path: "Tests/Simulators/Host"),
    // The examples of the article UseTheClient: a program, and functions to paste into one.
    .executableTarget(
      name: "SignInProgram",
      dependencies: [
        "FederationClient", "SocialFeeds", "AsyncHTTPClientTransport", "LoopbackListener",
      ],
      path: "Tests/ClientExamples/SignInProgram"),
    .target(
      name: "ClientExamples",
      dependencies: [
        "FederationClient", "SocialFeeds", "AsyncHTTPClientTransport", "URLSessionTransport",
      ],
      path: "Tests/ClientExamples/Functions"),
    .testTarget(
      name: "ClientStoryTests",
      dependencies: [
        "TestCatalogue",
        "SecrecyTesting", "SignInProgram", "ClientExamples", "ClientScript",
        "AccessControlCore", "Simulators", "SimulatorHost", "SimulatedService", "ClientCommand",
        "LoopbackListener", "AsyncHTTPClientTransport", "FederationTelemetry", "FederationClient",
        "SocialFeeds",
        "Federation", "SAML", "HTTPExchange", "Claims", "SecurityKeys", "StrictJSON", "Instants",
        "Octets", "TokenErrors", "TestSupport",
        client("InMemoryLogging", of: "swift-log"), client("Logging", of: "swift-log"),
        client("Metrics", of: "swift-metrics"), client("MetricsTestKit", of: "swift-metrics"),
        client("Tracing", of: "swift-distributed-tracing"),
        client("InMemoryTracing", of: "swift-distributed-tracing"),
      ]),
    .target(
      name: "IdentityProviderTesting", dependencies: ["SingleSignOn", "TestSupport"],
      path: "Tests/IdentityProviderTesting"),
    .testTarget(
      name: "GateTests",
      dependencies: [
        "ForwardAuthentication", "GateService", "GateDoctor", "IdentityProviderTesting",
        "IssuerRegistry", "RegistryTesting", "TestSupport",
      ]),
    .testTarget(
      name: "TokenServiceTests",
      dependencies: [
        "TokenService", "BrowserExchange", "HTTPExchange", "SecurityKeys", "Octets", "TestSupport",
      ]),
    .testTarget(
      name: "StoreTests",
      dependencies: [
        "ArticleExamples",
        "RedisProtocol", "RedisStores", "RedisConnections", "SQLiteSessions", "SingleSignOn",
        "HTTPExchange", "BrowserExchange", "Claims", "Instants", "Octets", "TokenErrors",
        redis("NIOCore", of: "swift-nio"), redis("NIOPosix", of: "swift-nio"),
      ]),
    .testTarget(
      name: "AccessControlTests",
      dependencies: [
        "AccessControl", "BrowserExchange", "FederationClient", "HTTPExchange", "SAML",
        "SecurityKeys", "SingleSignOn", "StrictJSON", "Octets", "TestSupport",
      ]),
    // Sign-in with the types of another framework than Hummingbird.
    .target(name: "ServiceExamples", dependencies: ["SignIn"], path: "Tests/ServiceExamples"),
    // The examples of the articles in Sources/*/*.docc. They see what users see: no `package` declaration,
    // and products alone. A new format is made inside of this package, so its example is apart.
    .target(
      name: "ArticleExamples",
      dependencies: [
        "AccessControl", "Federation", "FederationClient", "HummingbirdFederation", "IssuerRegistry",
        "SignIn", "SingleSignOn", "TokenMutation",
        server("Hummingbird", of: "hummingbird"),
      ],
      path: "Tests/ArticleExamples/Using", packageAccess: false),
    .target(
      name: "FormatExample",
      dependencies: ["Claims", "SecurityKeys", "Instants", "Octets", "TokenErrors"],
      path: "Tests/ArticleExamples/Format"),
    .testTarget(
      name: "ArticleTests",
      dependencies: [
        "ArticleExamples", "FormatExample", "AccessControl", "Claims", "Federation", "IssuerRegistry",
        "FederationClient", "IdentityProviderTesting", "RegistryTesting", "SecurityKeys", "SignIn", "SingleSignOn",
        "TestSupport", "TokenMutation", "HummingbirdFederation",
        server("Hummingbird", of: "hummingbird"),
        server("HummingbirdTesting", of: "hummingbird"),
        server("HTTPTypes", of: "swift-http-types"),
      ]),
    // What Tests/Performance/service_speed.py measures (trait Server).
    .executableTarget(
      name: "ServiceBench",
      dependencies: [
        "AsyncHTTPClientTransport", "GateService", "HummingbirdFederation",
        "IdentityProviderTesting", "SQLiteSessions", "TestSupport",
        server("Hummingbird", of: "hummingbird"), server("Logging", of: "swift-log"),
        server("NIOPosix", of: "swift-nio"),
      ],
      path: "Tests/Performance/ServiceBench"),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "HummingbirdFederation", "IdentityProviderTesting", "SQLiteSessions", "SignIn",
        "CommandServer", "CommandSupport", "GateCommand", "GateDoctor", "GateService", "HTTPExchange",
        "SecurityKeys",
        server("Logging", of: "swift-log"),
        server("NIOCore", of: "swift-nio"), server("NIOEmbedded", of: "swift-nio"),
        server("NIOPosix", of: "swift-nio"),
        server("NIOHTTP1", of: "swift-nio"),
        "TestSupport", server("Hummingbird", of: "hummingbird"),
        server("HummingbirdTesting", of: "hummingbird"), server("GRDB", of: "GRDB.swift"),
        server("HTTPTypes", of: "swift-http-types"),
      ]),
    .testTarget(
      name: "SignInTests", dependencies: [
        "IdentityProviderTesting", "ServiceExamples", "SignIn", "TestSupport",
      ]),
    .testTarget(
      name: "SingleSignOnTests",
      dependencies: [
        "AccessControl", "BrowserExchange", "IdentityProviderTesting", "SingleSignOn", "SignIn",
        "IssuerRegistry", "Federation", "SAML", "XMLSecurity", "XMLTree", "SecurityKeys", "StrictJSON", "Octets", "HTTPExchange", "Instants", "TokenErrors",
        "RegistryTesting", "TestSupport",
      ]),
    .testTarget(name: "HTTPExchangeTests", dependencies: ["HTTPExchange", "TokenErrors"]),
    // A process that writes credentials until it is killed.
    .executableTarget(
      name: "CredentialWriter", dependencies: ["FederationClient", "TokenErrors"],
      path: "Tests/CredentialWriter"),
    // One of the processes that share a store (Tests/Sessions).
    .executableTarget(
      name: "SessionProcess",
      dependencies: ["FederationClient", "HTTPExchange", "Instants", "TokenErrors"],
      path: "Tests/Sessions/SessionProcess"),
    // A server and a clock in memory, for tests of the client and of feeds.
    .target(
      name: "ClientScript",
      dependencies: ["HTTPExchange", "Instants", "SimulatedService", "TokenErrors", "TestSupport"],
      path: "Tests/ClientScript"),
    .testTarget(
      name: "FederationClientTests",
      dependencies: [
        "SecrecyTesting", "ClientScript", "CredentialWriter", "FederationClient", "Federation",
        "HTTPExchange", "Simulators",
        "Claims", "LocalFiles", "SecurityKeys", "StrictJSON", "Instants", "Octets", "TokenErrors",
        "TestSupport",
      ]),
    .testTarget(
      name: "SocialFeedsTests",
      dependencies: [
        "SecrecyTesting", "ClientScript", "SocialFeeds", "FederationClient", "HTTPExchange",
        "SecurityKeys",
        "StrictJSON", "Instants", "TokenErrors", "TestSupport",
      ]),
    .testTarget(
      name: "FederationFoundationTests",
      dependencies: ["FederationFoundation", "Federation", "HTTPExchange", "TestSupport"]),
    .testTarget(
      name: "ClaimsTests", dependencies: ["Claims", "SecurityKeys", "Instants", "TokenErrors"]),
    .testTarget(
      name: "SimpleWebTokensTests",
      dependencies: [
        "SimpleWebTokens", "Claims", "SecurityKeys", "Instants", "TokenErrors", "TestSupport",
      ]),
    .testTarget(
      name: "JSONWebTokensTests",
      dependencies: [
        "JSONWebTokens", "Federation", "Claims", "SecurityKeys", "Instants", "Octets",
        "TokenErrors", "TestSupport",
      ]),
    .testTarget(
      name: "FederationTests",
      dependencies: [
        "Federation", "SAML", "SecurityKeys", "XMLSecurity", "XMLTree", "Octets", "TestSupport",
      ]),
    .testTarget(
      name: "TokenMutationTests",
      dependencies: [
        "TokenMutation", "Federation", "SAML", "XMLSecurity", "XMLTree", "Claims", "SecurityKeys",
        "Octets", "TokenErrors", "TestSupport",
      ]),
    .testTarget(
      name: "TokenPagesTests",
      dependencies: [
        "TokenPages", "Federation", "Claims", "XMLTree", "SecurityKeys", "StrictJSON", "Instants",
        "TokenErrors", "Octets", "TestSupport",
      ]),
    .testTarget(
      name: "TokenCaptureTests",
      dependencies: [
        "TokenCapture", "Federation", "Claims", "SecurityKeys", "Octets", "TokenErrors", "TestSupport",
      ]),
    // Runs the command, which is built beside the tests and not linked with them.
    .testTarget(name: "CommandLineTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "TestCatalogue", "Federation", "Claims", "SecurityKeys", "TokenErrors", "TestSupport",
      ]),
    .testTarget(name: "SourceRulesTests", dependencies: ["TokenErrors", "Claims", "TestSupport"]),

    // What issuing and rules cost.
    .executableTarget(
      name: "IssuingPerformance", dependencies: ["TokenService", "SecurityKeys", "Octets"],
      path: "Tests/Performance/Issuing"),

    // Fuzzing (docs/fuzzing.md): libFuzzer where it is linked in, replay and measurements otherwise.
    .target(name: "CLibFuzzer", path: "Tests/Fuzzing/CLibFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CLibFuzzer", "XMLOracle", "TestSupport", "ForwardAuthentication", "AccessControl", "SignIn",
        "RedisProtocol", "ServiceConfiguration", "TokenService", "TokenPages", "TokenCapture",
        "Federation", "SAML", "SimpleWebTokens",
        "JSONWebTokens", "Claims", "XMLSecurity", "XMLTree", "SecurityKeys", "StrictJSON",
        "Instants", "TokenErrors", "Octets",
      ],
      path: "Tests/Fuzzing/Fuzz"),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
