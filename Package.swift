// swift-tools-version: 6.2
import PackageDescription

// A target is one row: where it lies, and the edges that no other edge implies. The folders of Sources are the
// layers, and a module imports only from its own layer, upwards in this file, and from those before it.

/// Products of a fetched package, with the trait that fetches it.
func fetched(_ trait: String, _ package: String, _ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: package, condition: .when(traits: [trait])) }
}

/// A target but for the folder of its layer.
typealias Row = (_ layer: String) -> Target
func layer(_ folder: String, _ rows: Row...) -> [Target] { rows.map { $0(folder) } }

/// A module, in a folder of its name where no other is said. One that is apart sees public declarations only.
func module(_ name: String, path: String? = nil, _ needs: [Target.Dependency]..., isApart: Bool = false) -> Row {
  { .target(name: name, dependencies: needs.flatMap(\.self), path: "\($0)/\(path ?? name)", packageAccess: !isApart) }
}

func program(_ name: String, path: String? = nil, _ needs: [Target.Dependency]..., link: [LinkerSetting] = []) -> Row {
  let needs = needs.flatMap(\.self)
  return { .executableTarget(name: name, dependencies: needs, path: "\($0)/\(path ?? name)", linkerSettings: link) }
}

/// Tests; each target has TestSupport, and no more tests at once than TestWidth allows.
func tests(_ name: String, _ needs: [Target.Dependency]...) -> Row {
  { .testTarget(name: name, dependencies: ["TestSupport", "TestWidth"] + needs.joined(), path: "\($0)/\(name)") }
}

/// One module, and those that it passes on, so that `swift package diagnose-api-breaking-changes` compares them too.
func library(_ name: String, passingOn others: String...) -> Product {
  .library(name: name, targets: [name] + others)
}
func command(_ name: String, _ target: String) -> Product { .executable(name: name, targets: [target]) }

/// A library of the system.
func system(_ name: String, _ pkgConfig: String, apt: String, brew: String) -> Row {
  { .systemLibrary(name: name, path: "\($0)/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])]) }
}

let nio = "swift-nio", nioSSL = "swift-nio-ssl"

// C, each imported by exactly one Swift module (Tests/SourceRulesTests checks it).
let c = layer(
  "Sources/C",
  system("CLibXML2", "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
  system("COpenSSL", "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
  system("CZlib", "zlib", apt: "zlib1g-dev", brew: "zlib"),
  module("COctets")
)

// Octets, keys and the clock in, a report out: no file, no socket.
let core = layer(
  "Sources/Core",
  // Octets, which loops of other modules inline and no product passes on; errors, instants, texts and JSON.
  module("Octets", ["COctets"]), module("TokenBasics", ["Octets"]),
  // Configuration files: each member is declared once, for its reader, its schema and its documentation.
  module("Settings", ["TokenBasics"]),
  // One C library each; swift-crypto for ML-DSA, which the OpenSSL of today's systems has not.
  module("SecurityKeys", ["COpenSSL", "TokenBasics"], fetched("PostQuantum", "swift-crypto", "Crypto")),
  module("XMLTree", ["CLibXML2", "TokenBasics"]),
  // What every format shares: claims, trust, the report.
  module("Claims", ["SecurityKeys"]),
  // One standard each.
  module("SimpleWebTokens", ["Claims"]), module("JSONWebTokens", ["Claims"]),
  module("XMLSecurity", ["SecurityKeys", "XMLTree"]), module("SAML", ["Claims", "XMLSecurity"]),
  // All formats together.
  module("Federation", ["CZlib", "JSONWebTokens", "SAML", "Settings", "SimpleWebTokens"])
)

// What is made of tokens for people and tests; nothing that verifies needs it.
let tools = layer(
  "Sources/Tools",
  // Bad variants of good tokens; a token as a page for a person, and with its values replaced.
  module("TokenMutation", ["Federation"]), module("TokenReports", ["TokenMutation"])
)

// Sign-in, gate and token service as values: no socket, no fetched package.
let services = layer(
  "Sources/Services",
  // The network behind one protocol, and what a browser carries; files.
  module("HTTPExchange", ["SecurityKeys"]), module("LocalFiles", ["SecurityKeys"]),
  // Which issuers are trusted right now: fixed, from a file, from metadata at an address.
  module("IssuerRegistry", ["Federation", "HTTPExchange", "LocalFiles"]),
  // Sign-in at identity providers, for a service of any framework.
  module("SignIn", ["IssuerRegistry"]),
  // What a gate before other servers decides, and what is wrong around one; Access Control Service.
  module("GateService", ["SignIn"]), module("AccessControl", ["SignIn"]),
  // A test provider that answers sign-ins of a service under test wrongly, and what the service let in.
  module("SignInAttack", ["SignIn", "TokenReports"]),
  // The relying-party client, and posts to feeds with a provider's token.
  module("FederationClient", ["Federation", "HTTPExchange", "LocalFiles"]), module("SocialFeeds", ["HTTPExchange"])
)

// One fetched package, or Foundation, each.
let adapters = layer(
  "Sources/Adapters",
  module("FederationFoundation", ["Federation", "HTTPExchange"]),
  // Requests, logs, metrics, traces, and the browser that comes back to this machine.
  module(
    "FederationNetwork", ["FederationClient"], fetched("Client", "async-http-client", "AsyncHTTPClient"),
    fetched("Client", nio, "NIOCore", "NIOHTTP1", "NIOPosix"), fetched("Client", nioSSL, "NIOSSL"),
    fetched("Client", "swift-log", "Logging"), fetched("Client", "swift-metrics", "Metrics"),
    fetched("Client", "swift-distributed-tracing", "Tracing")),
  module(
    "HummingbirdFederation", ["SignIn"], fetched("Server", "hummingbird", "Hummingbird"),
    fetched("Server", "swift-mustache", "Mustache"), fetched("Server", "swift-http-types", "HTTPTypes"),
    fetched("Server", "swift-log", "Logging"), fetched("Server", nio, "NIOCore")),
  module("SQLiteSessions", ["SignIn"], fetched("Server", "GRDB.swift", "GRDB")),
  module("RedisStores", ["SignIn"], fetched("Redis", nio, "NIOCore", "NIOPosix"), fetched("Redis", nioSSL, "NIOSSL"))
)

/// Swift's libraries inside a command, which starts a sixth sooner for it. The last two are parts of Foundation that a
/// static build names and a dynamic one has no need to. lld, because gold warns of a function in Foundation.
let onLinux = BuildSettingCondition.when(platforms: [.linux], configuration: .release)
let swiftInside: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib", "-use-ld=lld"], onLinux),
  .linkedLibrary("_FoundationCShims", onLinux), .linkedLibrary("_FoundationCollections", onLinux),
]

let server: [Target.Dependency] = ["CommandServer", "SQLiteSessions"]

let commands = layer(
  "Sources/Commands",
  // What every command has in common: its start, wrong usage, help, versions, output and end.
  module(
    "CommandSupport", ["LocalFiles", "XMLTree"], fetched("CommandLine", "swift-argument-parser", "ArgumentParser")),
  // What the servers among them have besides: TLS, listening, limits, the log, providers and stores.
  module(
    "CommandServer", ["CommandSupport", "FederationNetwork", "HummingbirdFederation", "RedisStores"],
    fetched("Server", "hummingbird", "Hummingbird", "HummingbirdTLS")),
  // Its folder is not called Claims-with-another-case: macOS file systems fold case.
  // What fetches is in it where the network is.
  program(
    "ClaimsCommand", ["CommandSupport", "TokenReports"],
    ["FederationNetwork", "IssuerRegistry"].map { .target(name: $0, condition: .when(traits: ["Client"])) },
    link: swiftInside),
  program("ClientCommand", ["CommandSupport", "FederationNetwork", "SocialFeeds"]),
  program("GateCommand", ["GateService"], server),
  program("AccessControlCommand", ["AccessControl", "SocialFeeds"], server),
  program("AttackCommand", ["CommandServer", "SignInAttack"])
)

let telemetryInMemory =
  fetched("Client", "swift-log", "InMemoryLogging") + fetched("Client", "swift-metrics", "MetricsTestKit")
  + fetched("Client", "swift-distributed-tracing", "InMemoryTracing")

// Tests may import Foundation, and libxml2 as an oracle.
let testing = layer(
  "Tests",
  module("TestSupport", ["Federation", "HTTPExchange"]),
  // How many tests run at once; libxml2 as it is.
  module("TestWidth"), module("XMLOracle", ["XMLTree"]),
  // Expectations whose errors are noted for the search of a whole run (Tests/Secrets).
  module("SecrecyTesting", ["TestSupport"]),
  // The error codes of all modules.
  module(
    "TestCatalogue",
    ["AccessControl", "FederationClient", "GateService", "RedisStores", "SignInAttack", "SocialFeeds"]),
  module("RegistryTesting", ["IssuerRegistry", "TestSupport"]),
  module("IdentityProviderTesting", ["SignIn", "TestSupport"]),
  // A server and a clock in memory.
  module("ClientScript", ["SimulatedService", "TestSupport"]),
  // Services that the client talks to, each as strict as its protocol: pure values first, sockets last.
  module("SimulatedService", path: "Simulators/SimulatedService", ["HTTPExchange"]),
  module("AccessControlCore", path: "Simulators/AccessControlCore", ["Federation", "SimulatedService"]),
  module("Simulators", path: "Simulators/Services", ["SimulatedService"]),
  module(
    "SimulatorHost", path: "Simulators/Host", ["SimulatedService", "TestSupport"],
    fetched("Client", "hummingbird", "Hummingbird"), fetched("Client", nio, "NIOCore"),
    fetched("Client", "swift-http-types", "HTTPTypes"), fetched("Client", "swift-log", "Logging")),
  // The examples of the article UseTheClient, and of the others in the catalogues of Sources. They see what users see:
  // no `package` declaration, and products alone. A new format is made inside of this package, so its example is apart.
  program("SignInProgram", path: "ClientExamples/SignInProgram", ["FederationNetwork", "SocialFeeds"]),
  module(
    "ClientExamples", path: "ClientExamples/Functions", ["FederationFoundation", "FederationNetwork", "SocialFeeds"]),
  // Sign-in with the types of another framework than Hummingbird; the sample of README, with an identity provider.
  module("ServiceExamples", path: "ServiceExamples/Functions", ["SignIn"]),
  program("SignInSample", path: "ServiceExamples/SignInSample", ["CommandSupport", "HummingbirdFederation"]),
  module(
    "ArticleExamples", path: "ArticleExamples/Using",
    ["AccessControl", "FederationClient", "HummingbirdFederation", "TokenMutation"], isApart: true),
  module("FormatExample", path: "ArticleExamples/Format", ["Claims"]),
  // A process that writes credentials until it is killed, and one of those that share a store (Tests/Sessions).
  program("CredentialWriter", ["FederationClient"]),
  program("SessionProcess", path: "Sessions/SessionProcess", ["FederationClient"]),
  tests("TokenBasicsTests"), tests("SecurityKeysTests"), tests("ClaimsTests"), tests("SimpleWebTokensTests"),
  tests("JSONWebTokensTests"), tests("XMLSecurityTests"), tests("SAMLTests"), tests("FederationTests"),
  tests("HTTPExchangeTests", ["IdentityProviderTesting"]), tests("SourceRulesTests"),
  tests("XMLTreeTests", ["XMLOracle"]), tests("TokenMutationTests", ["TokenMutation"]),
  tests("TokenReportsTests", ["TokenReports"]), tests("LocalFilesTests", ["LocalFiles"]),
  tests("IssuerRegistryTests", ["IdentityProviderTesting", "RegistryTesting"]), tests("FederationFoundationTests", ["FederationFoundation"]),
  tests(
    "SignInTests", ["AccessControl", "IdentityProviderTesting", "RedisStores", "RegistryTesting", "ServiceExamples"]),
  tests("GateTests", ["GateService", "IdentityProviderTesting", "RegistryTesting"]),
  tests("AttackTests", ["AttackCommand", "FederationNetwork", "SignInAttack", "SimulatorHost"]),
  tests(
    "AccessControlTests",
    ["AccessControl", "FederationClient", "IdentityProviderTesting", "RedisStores", "RegistryTesting", "TestCatalogue"]),
  tests(
    "FederationClientTests", ["AccessControlCore", "ClientScript", "CredentialWriter", "FederationClient"],
    ["SecrecyTesting", "Simulators"]),
  tests("SocialFeedsTests", ["ClientScript", "FederationClient", "SecrecyTesting", "SocialFeeds"]),
  tests("StoreTests", ["AccessControl", "ArticleExamples", "CommandServer", "RedisStores", "SQLiteSessions"]),
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
  tests("CommandLineTests"), tests("DocumentationTests", ["TestCatalogue"])
)

// What is measured and fuzzed (docs/fuzzing.md); no test uses it, so `swift test` builds it only when asked.
let measures = layer(
  "Tests",
  module("CLibFuzzer", path: "Fuzzing/CLibFuzzer"),
  program(
    "Fuzz", path: "Fuzzing/Fuzz",
    ["AccessControl", "CLibFuzzer", "GateService", "RedisStores", "TestSupport", "TokenReports", "XMLOracle"]),
  program("IssuingPerformance", path: "Performance/IssuingPerformance", ["AccessControl"]),
  program(
    "ServiceBench", path: "Performance/ServiceBench",
    ["FederationNetwork", "GateService", "HummingbirdFederation", "IdentityProviderTesting", "SQLiteSessions"])
)

let package = Package(
  name: "swift-federation",
  // Spans of arrays and strings, UTF8Span and InlineArray came with these releases; nothing has run there yet.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    library("Federation", passingOn: "Claims", "SecurityKeys", "TokenBasics"),
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
    .trait(name: "Client", description: "AsyncHTTPClient and telemetry (fetched).", enabledTraits: ["CommandLine"]),
    .trait(name: "Server", description: "Sign-in, gate and acs as servers.", enabledTraits: ["Client", "Redis"]),
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
