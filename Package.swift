// swift-tools-version: 6.2
import PackageDescription

// A target is one row: where it lies, and the edges that no other edge implies. The folders of Sources are the
// layers, and a module imports only from its own layer, upwards in this file, and from those before it.

/// Products of a fetched package, with the trait that fetches it.
func fetched(_ trait: String, _ package: String, _ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: package, condition: .when(traits: [trait])) }
}

/// A module of the product in the folder of its layer, or one for tests in a folder of Tests.
func module(_ name: String, in folder: String, path: String? = nil, _ dependencies: [Target.Dependency]...) -> Target {
  .target(name: name, dependencies: dependencies.flatMap(\.self), path: "\(folder)/\(path ?? name)")
}

/// A program of the product, or one that tests run.
func program(
  _ name: String, in folder: String, _ dependencies: [Target.Dependency]..., linkerSettings: [LinkerSetting] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies.flatMap(\.self), path: "\(folder)/\(name)", linkerSettings: linkerSettings)
}

/// Tests; each target has TestSupport, and no more tests at once than TestWidth allows.
func tests(_ name: String, _ dependencies: [Target.Dependency]...) -> Target {
  .testTarget(name: name, dependencies: ["TestSupport", "TestWidth"] + dependencies.joined())
}

/// One module, and those that it passes on, so that `swift package diagnose-api-breaking-changes` compares them too.
func library(_ name: String, passingOn others: String...) -> Product {
  .library(name: name, targets: [name] + others)
}

func command(_ name: String, _ target: String) -> Product { .executable(name: name, targets: [target]) }

/// A library of the system.
func system(_ name: String, _ pkgConfig: String, apt: String, brew: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

let nio = "swift-nio"

// C, each imported by exactly one Swift module (Tests/SourceRulesTests checks it).
let c: [Target] = [
  system("CLibXML2", "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
  system("COpenSSL", "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
  system("CZlib", "zlib", apt: "zlib1g-dev", brew: "zlib"),
  module("CByteVectors", in: "Sources/C"), module("CMemory", in: "Sources/C"),
]

// Octets, keys and the clock in, a report out: no file, no socket.
let core: [Target] = [
  // Errors with codes, and instants, which products pass on; octets, texts and JSON, which none does.
  module("TokenErrors", in: "Sources/Core"),
  module("Octets", in: "Sources/Core", ["CByteVectors", "TokenErrors"]),
  module("Instants", in: "Sources/Core", ["Octets"]),
  // ML-DSA, which the OpenSSL of today's systems has not.
  module("ModuleLattice", in: "Sources/Core", [], fetched("PostQuantum", "swift-crypto", "Crypto")),
  // One C library each.
  module("SecurityKeys", in: "Sources/Core", ["COpenSSL", "Instants", "ModuleLattice"]),
  module("XMLTree", in: "Sources/Core", ["CLibXML2", "Octets"]),
  // What every format shares: claims, trust, the report.
  module("Claims", in: "Sources/Core", ["SecurityKeys"]),
  // One standard each.
  module("SimpleWebTokens", in: "Sources/Core", ["Claims"]), module("JSONWebTokens", in: "Sources/Core", ["Claims"]),
  module("XMLSecurity", in: "Sources/Core", ["SecurityKeys", "XMLTree"]),
  module("SAML", in: "Sources/Core", ["Claims", "XMLSecurity"]),
  // All formats together.
  module("Federation", in: "Sources/Core", ["CZlib", "JSONWebTokens", "SAML", "SimpleWebTokens"]),
]

// What is made of tokens for people and tests; nothing that verifies needs it.
let tools: [Target] = [
  // Bad variants of good tokens; a token as a page for a person, and with its values replaced.
  module("TokenMutation", in: "Sources/Tools", ["Federation"]),
  module("TokenReports", in: "Sources/Tools", ["TokenMutation"]),
]

// Sign-in, gate and token service as values: no socket, no fetched package.
let services: [Target] = [
  // The network behind one protocol, and what a browser carries.
  module("HTTPExchange", in: "Sources/Services", ["SecurityKeys"]),
  module("LocalFiles", in: "Sources/Services", ["SecurityKeys"]),
  // Which issuers are trusted right now: fixed, from a file, from metadata at an address.
  module("IssuerRegistry", in: "Sources/Services", ["Federation", "HTTPExchange", "LocalFiles"]),
  // Sign-in at identity providers, for a service of any framework.
  module("SignIn", in: "Sources/Services", ["IssuerRegistry"]),
  // What a gate before other servers decides, and what is wrong around one.
  module("GateService", in: "Sources/Services", ["SignIn"]),
  // Access Control Service: relying parties, rules, tokens, endpoints.
  module("AccessControl", in: "Sources/Services", ["SignIn"]),
  // A test provider that answers sign-ins of a service under test wrongly, and what the service let in.
  module("SignInAttack", in: "Sources/Services", ["SignIn", "TokenReports"]),
  // The relying-party client, and posts to feeds with a provider's token.
  module("FederationClient", in: "Sources/Services", ["Federation", "HTTPExchange", "LocalFiles"]),
  module("SocialFeeds", in: "Sources/Services", ["HTTPExchange"]),
]

// One fetched package, or Foundation, each.
let adapters: [Target] = [
  module("FederationFoundation", in: "Sources/Adapters", ["Federation", "HTTPExchange"]),
  // Requests, logs, metrics, traces, and the browser that comes back to this machine.
  module(
    "FederationNetwork", in: "Sources/Adapters", ["FederationClient"],
    fetched("Client", "async-http-client", "AsyncHTTPClient"),
    fetched("Client", nio, "NIOCore", "NIOHTTP1", "NIOPosix"), fetched("Client", "swift-nio-ssl", "NIOSSL"),
    fetched("Client", "swift-log", "Logging"), fetched("Client", "swift-metrics", "Metrics"),
    fetched("Client", "swift-distributed-tracing", "Tracing")),
  module(
    "HummingbirdFederation", in: "Sources/Adapters", ["SignIn"], fetched("Server", "hummingbird", "Hummingbird"),
    fetched("Server", "swift-mustache", "Mustache"), fetched("Server", "swift-http-types", "HTTPTypes"),
    fetched("Server", "swift-log", "Logging"), fetched("Server", nio, "NIOCore")),
  module("SQLiteSessions", in: "Sources/Adapters", ["SignIn"], fetched("Server", "GRDB.swift", "GRDB")),
  module(
    "RedisStores", in: "Sources/Adapters", ["SignIn"], fetched("Redis", nio, "NIOCore", "NIOPosix"),
    fetched("Redis", "swift-nio-ssl", "NIOSSL")),
]

/// Swift's libraries inside a command, which starts a sixth sooner for it. The last two are parts of Foundation that a
/// static build names and a dynamic one has no need to. lld, because gold warns of a function in Foundation.
let onLinux = BuildSettingCondition.when(platforms: [.linux], configuration: .release)
let swiftInside: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib", "-use-ld=lld"], onLinux),
  .linkedLibrary("_FoundationCShims", onLinux), .linkedLibrary("_FoundationCollections", onLinux),
]

let server: [Target.Dependency] = ["CommandServer", "HummingbirdFederation", "SQLiteSessions"]

let commands: [Target] = [
  // What every command has in common: its start, wrong usage, help, versions, output and end.
  module(
    "CommandSupport", in: "Sources/Commands", ["CMemory", "LocalFiles", "XMLTree"],
    fetched("CommandLine", "swift-argument-parser", "ArgumentParser")),
  // What the servers among them have besides: TLS, listening, limits, the log, providers and stores.
  module(
    "CommandServer", in: "Sources/Commands", ["CommandSupport", "FederationNetwork", "RedisStores"],
    fetched("Server", "hummingbird", "Hummingbird", "HummingbirdTLS")),
  // Its folder is not called Claims-with-another-case: macOS file systems fold case.
  // What fetches is in it where the network is.
  program(
    "ClaimsCommand", in: "Sources/Commands", ["CommandSupport", "TokenReports"],
    ["FederationNetwork", "IssuerRegistry"].map { .target(name: $0, condition: .when(traits: ["Client"])) },
    linkerSettings: swiftInside),
  program("ClientCommand", in: "Sources/Commands", ["CommandSupport", "FederationNetwork", "SocialFeeds"]),
  program("GateCommand", in: "Sources/Commands", ["GateService"], server),
  program("AccessControlCommand", in: "Sources/Commands", ["AccessControl", "SocialFeeds"], server),
  program("AttackCommand", in: "Sources/Commands", ["CommandServer", "HummingbirdFederation", "SignInAttack"]),
  // The sample of README, with an identity provider of its own.
  program("SignInSample", in: "Sources/Commands", ["CommandSupport", "HummingbirdFederation"]),
]

let telemetryInMemory =
  fetched("Client", "swift-log", "InMemoryLogging") + fetched("Client", "swift-metrics", "MetricsTestKit")
  + fetched("Client", "swift-distributed-tracing", "InMemoryTracing")

// Tests may import Foundation, and libxml2 as an oracle.
let testing: [Target] = [
  module("TestSupport", in: "Tests", ["Federation", "HTTPExchange"]),
  // How many tests run at once.
  module("TestWidth", in: "Tests"),
  module("XMLOracle", in: "Tests", ["XMLTree"]),
  // Expectations whose errors are noted for the search of a whole run (Tests/Secrets).
  module("SecrecyTesting", in: "Tests", ["TestSupport"]),
  // The error codes of all modules.
  module(
    "TestCatalogue", in: "Tests",
    ["AccessControl", "FederationClient", "GateService", "RedisStores", "SignInAttack", "SocialFeeds"]),
  module("RegistryTesting", in: "Tests", ["IssuerRegistry", "TestSupport"]),
  module("IdentityProviderTesting", in: "Tests", ["SignIn", "TestSupport"]),
  // A server and a clock in memory.
  module("ClientScript", in: "Tests", ["SimulatedService", "TestSupport"]),
  // Services that the client talks to, each as strict as its protocol: pure values first, sockets last.
  module("SimulatedService", in: "Tests/Simulators", ["HTTPExchange"]),
  module("AccessControlCore", in: "Tests/Simulators", ["Federation", "SimulatedService"]),
  module("Simulators", in: "Tests/Simulators", path: "Services", ["SimulatedService"]),
  module(
    "SimulatorHost", in: "Tests/Simulators", path: "Host", ["SimulatedService", "TestSupport"],
    fetched("Client", "hummingbird", "Hummingbird"), fetched("Client", nio, "NIOCore"),
    fetched("Client", "swift-http-types", "HTTPTypes"), fetched("Client", "swift-log", "Logging")),
  // The examples of the article UseTheClient, and of the others in the catalogues of Sources. They see what users see:
  // no `package` declaration, and products alone. A new format is made inside of this package, so its example is apart.
  program("SignInProgram", in: "Tests/ClientExamples", ["FederationNetwork", "SocialFeeds"]),
  module(
    "ClientExamples", in: "Tests/ClientExamples", path: "Functions",
    ["FederationFoundation", "FederationNetwork", "SocialFeeds"]),
  // Sign-in with the types of another framework than Hummingbird.
  module("ServiceExamples", in: "Tests", ["SignIn"]),
  .target(
    name: "ArticleExamples",
    dependencies: ["AccessControl", "FederationClient", "HummingbirdFederation", "TokenMutation"],
    path: "Tests/ArticleExamples/Using", packageAccess: false),
  module("FormatExample", in: "Tests/ArticleExamples", path: "Format", ["Claims"]),
  // A process that writes credentials until it is killed, and one of those that share a store (Tests/Sessions).
  program("CredentialWriter", in: "Tests", ["FederationClient"]),
  program("SessionProcess", in: "Tests/Sessions", ["FederationClient"]),

  tests("OctetsTests"), tests("SecurityKeysTests"), tests("ClaimsTests"), tests("SimpleWebTokensTests"),
  tests("JSONWebTokensTests"), tests("XMLSecurityTests"), tests("SAMLTests"), tests("FederationTests"),
  tests("HTTPExchangeTests"), tests("SourceRulesTests"),
  tests("XMLTreeTests", ["XMLOracle"]), tests("TokenMutationTests", ["TokenMutation"]),
  tests("TokenReportsTests", ["TokenReports"]), tests("LocalFilesTests", ["LocalFiles"]),
  tests("IssuerRegistryTests", ["RegistryTesting"]), tests("FederationFoundationTests", ["FederationFoundation"]),
  tests(
    "SignInTests", ["AccessControl", "IdentityProviderTesting", "RedisStores", "RegistryTesting", "ServiceExamples"]),
  tests("GateTests", ["GateService", "IdentityProviderTesting", "RegistryTesting"]),
  tests("AttackTests", ["AttackCommand", "FederationNetwork", "SignInAttack", "SimulatorHost"]),
  tests(
    "AccessControlTests",
    ["AccessControl", "FederationClient", "IdentityProviderTesting", "RedisStores", "RegistryTesting"]),
  tests(
    "FederationClientTests", ["AccessControlCore", "ClientScript", "CredentialWriter", "FederationClient"],
    ["SecrecyTesting", "Simulators"]),
  tests("SocialFeedsTests", ["ClientScript", "FederationClient", "SecrecyTesting", "SocialFeeds"]),
  tests("StoreTests", ["ArticleExamples", "CommandServer", "RedisStores", "SQLiteSessions"]),
  tests(
    "ClientTests", telemetryInMemory,
    ["FederationFoundation", "FederationNetwork", "RegistryTesting", "SecrecyTesting", "SocialFeeds"]),
  tests(
    "ClientStoryTests", telemetryInMemory,
    ["AccessControlCore", "ClientCommand", "ClientExamples", "ClientScript", "SecrecyTesting"],
    ["SignInProgram", "SimulatorHost", "Simulators", "TestCatalogue"]),
  tests(
    "ServerTests", ["AccessControlCommand", "GateCommand", "IdentityProviderTesting"],
    fetched("Server", "hummingbird", "HummingbirdTesting"), fetched("Server", nio, "NIOEmbedded")),
  tests(
    "ArticleTests", ["ArticleExamples", "FormatExample", "IdentityProviderTesting", "RegistryTesting"],
    fetched("Server", "hummingbird", "HummingbirdTesting")),
  // CommandLineTests runs the commands, which are built beside the tests and not linked with them.
  tests("CommandLineTests"), tests("DocumentationTests", ["TestCatalogue"]),
]

// What is measured and fuzzed (docs/fuzzing.md); no test uses it, so `swift test` builds it only when asked.
let measures: [Target] = [
  .target(name: "CLibFuzzer", path: "Tests/Fuzzing/CLibFuzzer"),
  program(
    "Fuzz", in: "Tests/Fuzzing",
    ["AccessControl", "CLibFuzzer", "GateService", "RedisStores", "TestSupport", "TokenReports", "XMLOracle"]),
  program("IssuingPerformance", in: "Tests/Performance", ["AccessControl"]),
  program(
    "ServiceBench", in: "Tests/Performance",
    ["FederationNetwork", "GateService", "HummingbirdFederation", "IdentityProviderTesting", "SQLiteSessions"]),
]

let package = Package(
  name: "swift-federation",
  // Linux is where everything is built and tested. On Apple's platforms nothing of it has run; what stands here is what
  // the code needs: spans of arrays and strings, UTF8Span and InlineArray came with these releases (Mutex, typed throws
  // and Duration are older). The C libraries come from Homebrew on macOS; an app for the others brings its own.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    library("Federation", passingOn: "Claims", "Instants", "SecurityKeys", "TokenErrors"),
    library("SimpleWebTokens"), library("SAML"), library("JSONWebTokens"), library("TokenMutation"),
    library("IssuerRegistry", passingOn: "HTTPExchange"), library("FederationFoundation"), library("FederationNetwork"),
    library("SignIn"), library("HummingbirdFederation"), library("SQLiteSessions"), library("RedisStores"),
    library("GateService"), library("AccessControl"), library("FederationClient"), library("SocialFeeds"),
    command("claims", "ClaimsCommand"), command("claims-client", "ClientCommand"),
    command("claims-gate", "GateCommand"), command("acs", "AccessControlCommand"),
    command("claims-attack", "AttackCommand"), command("SignInSample", "SignInSample"),
  ],
  traits: [
    .trait(name: "CommandLine", description: "The claims command (fetches swift-argument-parser)."),
    .trait(
      name: "Client", description: "The network over AsyncHTTPClient, with logs, metrics and traces (fetches them).",
      enabledTraits: ["CommandLine"]),
    .trait(
      name: "Server", description: "Sign-in for services: Hummingbird, pages, sessions in SQLite, the gate (fetched).",
      enabledTraits: ["Client", "Redis"]),
    .trait(name: "Redis", description: "Sessions and used tokens of a fleet in Redis or Valkey (fetches SwiftNIO)."),
    .trait(name: "PostQuantum", description: "ML-DSA signatures of JSON Web Tokens (fetches swift-crypto)."),
    .default(enabledTraits: ["CommandLine"]),
  ],
  // What no enabled trait needs is not fetched.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
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
  target.swiftSettings =
    ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].map { .enableUpcomingFeature($0) }
    + [.strictMemorySafety(), .treatAllWarnings(as: .error)]
}
