// swift-tools-version: 6.2
import PackageDescription

// A target is one row: where it lies, and the edges that no other edge implies. The folders of Sources are the
// layers, and a module imports only from its own layer, upwards in this file, and from those before it.

/// Products of a fetched package, with the trait that fetches it.
func fetched(_ trait: String, _ package: String, _ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: package, condition: .when(traits: [trait])) }
}

/// A module of the product, in the folder of its layer.
func module(
  _ name: String, in layer: String, _ modules: [Target.Dependency] = [], _ products: [Target.Dependency]...
) -> Target {
  .target(name: name, dependencies: modules + products.joined(), path: "Sources/\(layer)/\(name)")
}

/// A program of the product.
func command(
  _ name: String, _ modules: [Target.Dependency], _ products: [Target.Dependency]...,
  linkerSettings: [LinkerSetting] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: modules + products.joined(), path: "Sources/Commands/\(name)",
    linkerSettings: linkerSettings)
}

/// A module or a program that tests use.
func support(
  _ name: String, at path: String? = nil, _ modules: [Target.Dependency] = [], _ products: [Target.Dependency]...
) -> Target {
  .target(name: name, dependencies: modules + products.joined(), path: "Tests/\(path ?? name)")
}

func program(
  _ name: String, at path: String? = nil, _ modules: [Target.Dependency], _ products: [Target.Dependency]...
) -> Target {
  .executableTarget(name: name, dependencies: modules + products.joined(), path: "Tests/\(path ?? name)")
}

/// Tests; each target has TestSupport.
func tests(_ name: String, _ modules: [Target.Dependency] = [], _ products: [Target.Dependency]...) -> Target {
  .testTarget(name: name, dependencies: ["TestSupport"] + modules + products.joined())
}

/// A library product: one module, and those that it passes on, so that
/// `swift package diagnose-api-breaking-changes` compares them too.
func library(_ name: String, passingOn others: String...) -> Product {
  .library(name: name, targets: [name] + others)
}

let arguments = "swift-argument-parser"
let nio = "swift-nio"

// C, each imported by exactly one Swift module (Tests/SourceRulesTests checks it).
let c: [Target] = [
  .systemLibrary(
    name: "CLibXML2", path: "Sources/C/CLibXML2", pkgConfig: "libxml-2.0",
    providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
  .systemLibrary(
    name: "COpenSSL", path: "Sources/C/COpenSSL", pkgConfig: "libcrypto",
    providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
  .systemLibrary(
    name: "CZlib", path: "Sources/C/CZlib", pkgConfig: "zlib",
    providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
  module("CByteVectors", in: "C"),
]

// Octets, keys and the clock in, a report out: no file, no socket.
let core: [Target] = [
  // Errors with codes, and instants, which products pass on; octets, texts and JSON, which none does.
  module("TokenErrors", in: "Core"),
  module("Octets", in: "Core", ["CByteVectors", "TokenErrors"]),
  module("Instants", in: "Core", ["Octets"]),
  // One C library each.
  module("SecurityKeys", in: "Core", ["COpenSSL", "Instants"]),
  module("XMLTree", in: "Core", ["CLibXML2", "Octets"]),
  // What every format shares: claims, trust, the report.
  module("Claims", in: "Core", ["SecurityKeys"]),
  // One standard each.
  module("SimpleWebTokens", in: "Core", ["Claims"]),
  module("JSONWebTokens", in: "Core", ["Claims"]),
  module("XMLSecurity", in: "Core", ["SecurityKeys", "XMLTree"]),
  module("SAML", in: "Core", ["Claims", "XMLSecurity"]),
  // All formats together.
  module("Federation", in: "Core", ["CZlib", "JSONWebTokens", "SAML", "SimpleWebTokens"]),
]

// What is made of tokens for people and tests; nothing that verifies needs it.
let tools: [Target] = [
  // Bad variants of good tokens.
  module("TokenMutation", in: "Tools", ["Federation"]),
  // A token as a page for a person, and with its values replaced.
  module("TokenReports", in: "Tools", ["TokenMutation"]),
]

// Sign-in, gate and token service as values: no socket, no fetched package.
let services: [Target] = [
  // The network behind one protocol, and what a browser carries.
  module("HTTPExchange", in: "Services", ["SecurityKeys"]),
  module("LocalFiles", in: "Services", ["SecurityKeys"]),
  // Which issuers are trusted right now: fixed, from a file, from metadata at an address.
  module("IssuerRegistry", in: "Services", ["Federation", "HTTPExchange", "LocalFiles"]),
  // Sign-in at identity providers, for a service of any framework.
  module("SignIn", in: "Services", ["IssuerRegistry"]),
  // What a gate before other servers decides, and what is wrong around one.
  module("GateService", in: "Services", ["SignIn"]),
  // Access Control Service: relying parties, rules, tokens, endpoints.
  module("AccessControl", in: "Services", ["SignIn"]),
  // The relying-party client, and posts to feeds with a provider's token.
  module("FederationClient", in: "Services", ["Federation", "HTTPExchange", "LocalFiles"]),
  module("SocialFeeds", in: "Services", ["HTTPExchange"]),
]

// One fetched package, or Foundation, each.
let adapters: [Target] = [
  module("FederationFoundation", in: "Adapters", ["Federation", "HTTPExchange"]),
  // Requests, logs, metrics, traces, and the browser that comes back to this machine.
  module(
    "FederationNetwork", in: "Adapters", ["FederationClient"],
    fetched("Client", "async-http-client", "AsyncHTTPClient"),
    fetched("Client", nio, "NIOCore", "NIOHTTP1", "NIOPosix"), fetched("Client", "swift-nio-ssl", "NIOSSL"),
    fetched("Client", "swift-log", "Logging"), fetched("Client", "swift-metrics", "Metrics"),
    fetched("Client", "swift-distributed-tracing", "Tracing")),
  module(
    "HummingbirdFederation", in: "Adapters", ["SignIn"],
    fetched("Server", "hummingbird", "Hummingbird"), fetched("Server", "swift-mustache", "Mustache"),
    fetched("Server", "swift-http-types", "HTTPTypes"), fetched("Server", "swift-log", "Logging"),
    fetched("Server", nio, "NIOCore")),
  module("SQLiteSessions", in: "Adapters", ["SignIn"], fetched("Server", "GRDB.swift", "GRDB")),
  module(
    "RedisStores", in: "Adapters", ["SignIn"],
    fetched("Redis", nio, "NIOCore", "NIOPosix"), fetched("Redis", "swift-nio-ssl", "NIOSSL")),
]

/// Swift's libraries inside a command, which starts a sixth sooner for it. The last two are parts of
/// Foundation that a static build names and a dynamic one has no need to. lld, because gold warns of a
/// function in Foundation.
let onLinux = BuildSettingCondition.when(platforms: [.linux], configuration: .release)
let swiftInside: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib", "-use-ld=lld"], onLinux),
  .linkedLibrary("_FoundationCShims", onLinux), .linkedLibrary("_FoundationCollections", onLinux),
]

let commands: [Target] = [
  // What every command has in common: its start, wrong usage, help, versions, output and end.
  module(
    "CommandSupport", in: "Commands", ["LocalFiles", "XMLTree"],
    fetched("CommandLine", arguments, "ArgumentParser")),
  // What the servers among them have besides: TLS, listening, limits, the log, providers and stores.
  module(
    "CommandServer", in: "Commands", ["CommandSupport", "FederationNetwork", "RedisStores"],
    fetched("Server", "hummingbird", "Hummingbird", "HummingbirdTLS")),
  // Its folder is not called Claims-with-another-case: macOS file systems fold case.
  command("ClaimsCommand", ["CommandSupport", "TokenReports"], linkerSettings: swiftInside),
  command("ClientCommand", ["CommandSupport", "FederationNetwork", "SocialFeeds"]),
  command("GateCommand", ["CommandServer", "GateService", "HummingbirdFederation", "SQLiteSessions"]),
  command(
    "AccessControlCommand",
    ["AccessControl", "CommandServer", "HummingbirdFederation", "SocialFeeds", "SQLiteSessions"]),
  // The sample of README, with an identity provider of its own.
  command("SignInSample", ["HummingbirdFederation"]),
]

// Tests may import Foundation, and libxml2 as an oracle.
let testing: [Target] = [
  support("TestSupport", ["Federation", "HTTPExchange"]),
  support("XMLOracle", ["XMLTree"]),
  // Expectations whose errors are noted for the search of a whole run (Tests/Secrets).
  support("SecrecyTesting", ["TestSupport"]),
  // The error codes of all modules.
  support("TestCatalogue", ["AccessControl", "FederationClient", "GateService", "RedisStores", "SocialFeeds"]),
  support("RegistryTesting", ["IssuerRegistry", "TestSupport"]),
  support("IdentityProviderTesting", ["SignIn", "TestSupport"]),
  // A server and a clock in memory.
  support("ClientScript", ["SimulatedService", "TestSupport"]),
  // Services that the client talks to, each as strict as its protocol: pure values first, sockets last.
  support("SimulatedService", at: "Simulators/SimulatedService", ["HTTPExchange"]),
  support("AccessControlCore", at: "Simulators/AccessControlCore", ["Federation", "SimulatedService"]),
  support("Simulators", at: "Simulators/Services", ["SimulatedService"]),
  support(
    "SimulatorHost", at: "Simulators/Host", ["SimulatedService", "TestSupport"],
    fetched("Client", "hummingbird", "Hummingbird"), fetched("Client", nio, "NIOCore"),
    fetched("Client", "swift-http-types", "HTTPTypes"), fetched("Client", "swift-log", "Logging")),
  // The examples of the article UseTheClient, and of the others in the catalogues of Sources. They see what users see: no
  // `package` declaration, and products alone. A new format is made inside of this package, so its example is apart.
  program(
    "SignInProgram", at: "ClientExamples/SignInProgram", ["FederationNetwork", "SocialFeeds"]),
  support(
    "ClientExamples", at: "ClientExamples/Functions",
    ["FederationFoundation", "FederationNetwork", "SocialFeeds"]),
  // Sign-in with the types of another framework than Hummingbird.
  support("ServiceExamples", ["SignIn"]),
  .target(
    name: "ArticleExamples",
    dependencies: [
      "AccessControl", "FederationClient", "HummingbirdFederation", "TokenMutation",
    ],
    path: "Tests/ArticleExamples/Using", packageAccess: false),
  support("FormatExample", at: "ArticleExamples/Format", ["Claims"]),
  // A process that writes credentials until it is killed, and one of those that share a store (Tests/Sessions).
  program("CredentialWriter", ["FederationClient"]),
  program("SessionProcess", at: "Sessions/SessionProcess", ["FederationClient"]),

  tests("OctetsTests"),
  tests("SecurityKeysTests"),
  tests("XMLTreeTests", ["XMLOracle"]),
  tests("ClaimsTests"),
  tests("SimpleWebTokensTests"),
  tests("JSONWebTokensTests"),
  tests("XMLSecurityTests"),
  tests("SAMLTests"),
  tests("FederationTests"),
  tests("TokenMutationTests", ["TokenMutation"]),
  tests("TokenReportsTests", ["TokenReports"]),
  tests("HTTPExchangeTests"),
  tests("LocalFilesTests", ["LocalFiles"]),
  tests("IssuerRegistryTests", ["RegistryTesting"]),
  tests("SignInTests", ["AccessControl", "IdentityProviderTesting", "RegistryTesting", "ServiceExamples"]),
  tests("GateTests", ["GateService", "IdentityProviderTesting", "RegistryTesting"]),
  tests("AccessControlTests", ["AccessControl", "FederationClient"]),
  tests(
    "FederationClientTests",
    ["ClientScript", "CredentialWriter", "FederationClient", "SecrecyTesting", "Simulators"]),
  tests("SocialFeedsTests", ["ClientScript", "FederationClient", "SecrecyTesting", "SocialFeeds"]),
  tests("FederationFoundationTests", ["FederationFoundation"]),
  tests("StoreTests", ["ArticleExamples", "RedisStores", "SQLiteSessions"]),
  tests(
    "ClientTests",
    ["FederationFoundation", "FederationNetwork", "RegistryTesting", "SecrecyTesting", "SocialFeeds"],
    fetched("Client", "swift-log", "InMemoryLogging"), fetched("Client", "swift-metrics", "MetricsTestKit"),
    fetched("Client", "swift-distributed-tracing", "InMemoryTracing")),
  tests(
    "ClientStoryTests",
    [
      "AccessControlCore", "ClientCommand", "ClientExamples", "ClientScript", "SecrecyTesting", "SignInProgram",
      "SimulatorHost", "Simulators", "TestCatalogue",
    ],
    fetched("Client", "swift-log", "InMemoryLogging"), fetched("Client", "swift-metrics", "MetricsTestKit"),
    fetched("Client", "swift-distributed-tracing", "InMemoryTracing")),
  tests(
    "ServerTests", ["GateCommand", "IdentityProviderTesting"],
    fetched("Server", "hummingbird", "HummingbirdTesting"), fetched("Server", nio, "NIOEmbedded")),
  tests(
    "ArticleTests", ["ArticleExamples", "FormatExample", "IdentityProviderTesting", "RegistryTesting"],
    fetched("Server", "hummingbird", "HummingbirdTesting")),
  // Runs the commands, which are built beside the tests and not linked with them.
  tests("CommandLineTests"),
  tests("DocumentationTests", ["TestCatalogue"]),
  tests("SourceRulesTests"),
]

// What is measured and fuzzed (docs/fuzzing.md); no test uses it, so `swift test` builds it only when asked.
let measures: [Target] = [
  .target(name: "CLibFuzzer", path: "Tests/Fuzzing/CLibFuzzer"),
  program(
    "Fuzz", at: "Fuzzing/Fuzz",
    ["AccessControl", "CLibFuzzer", "GateService", "RedisStores", "TestSupport", "TokenReports", "XMLOracle"]),
  program("IssuingPerformance", at: "Performance/Issuing", ["AccessControl"]),
  program(
    "ServiceBench", at: "Performance/ServiceBench",
    ["FederationNetwork", "GateService", "HummingbirdFederation", "IdentityProviderTesting", "SQLiteSessions"]),
]

let package = Package(
  name: "swift-federation",
  // Linux is where everything is built and tested. On Apple's platforms nothing of it has run; what stands
  // here is what the code needs: spans of arrays and strings, UTF8Span and InlineArray came with these
  // releases (Mutex, typed throws and Duration are older). The C libraries come from Homebrew on macOS; an
  // app for the others brings its own libxml2 and OpenSSL.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    library("Federation", passingOn: "Claims", "Instants", "SecurityKeys", "TokenErrors"),
    library("SimpleWebTokens"), library("SAML"), library("JSONWebTokens"),
    library("FederationFoundation"), library("FederationNetwork"),
    library("TokenMutation"),
    library("IssuerRegistry", passingOn: "HTTPExchange"),
    library("SignIn"), library("HummingbirdFederation"), library("SQLiteSessions"), library("RedisStores"),
    library("GateService"), library("AccessControl"),
    library("FederationClient"), library("SocialFeeds"),
    .executable(name: "claims", targets: ["ClaimsCommand"]),
    .executable(name: "claims-client", targets: ["ClientCommand"]),
    .executable(name: "claims-gate", targets: ["GateCommand"]),
    .executable(name: "acs", targets: ["AccessControlCommand"]),
    .executable(name: "SignInSample", targets: ["SignInSample"]),
  ],
  traits: [
    .trait(name: "CommandLine", description: "The claims command (fetches swift-argument-parser)."),
    .trait(
      name: "Client",
      description: "The network over AsyncHTTPClient, with logs, metrics and traces (fetches them).",
      enabledTraits: ["CommandLine"]),
    .trait(
      name: "Server",
      description: "Sign-in for services: Hummingbird, pages, sessions in SQLite, the gate (fetches them).",
      enabledTraits: ["Client", "Redis"]),
    .trait(
      name: "Redis", description: "Sessions and used tokens of a fleet in Redis or Valkey (fetches SwiftNIO)."),
    .default(enabledTraits: ["CommandLine"]),
  ],
  // What no enabled trait needs is not fetched.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  ],
  targets: c + core + tools + services + adapters + commands + testing
    + (Context.environment["MEASURES"] == nil ? [] : measures),
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
