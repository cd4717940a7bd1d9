// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-federation",
  products: [
    .library(name: "Federation", targets: ["Federation"]),
    .library(name: "SimpleWebTokens", targets: ["SimpleWebTokens"]),
    .library(name: "SAML", targets: ["SAML"]),
    .library(name: "JSONWebTokens", targets: ["JSONWebTokens"]),
    .executable(name: "claims", targets: ["ClaimsCommand"]),
  ],
  traits: [
    .trait(name: "CommandLine", description: "The claims command (fetches swift-argument-parser)."),
    .default(enabledTraits: ["CommandLine"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // C, each imported by exactly one Swift module (Tests/SourceRules checks it).
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
    .target(name: "Octets", dependencies: ["TokenErrors"]),
    .target(name: "Instants", dependencies: ["TokenErrors", "Octets"]),
    .target(name: "StrictJSON", dependencies: ["TokenErrors", "Octets"]),

    // One C library each.
    .target(
      name: "SecurityKeys", dependencies: ["COpenSSL", "Instants", "TokenErrors", "Octets"]),
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

    // The tool. Its folder is not called Claims-with-another-case: macOS file systems fold case.
    .executableTarget(
      name: "ClaimsCommand",
      dependencies: [
        "Federation", "SAML", "SimpleWebTokens", "JSONWebTokens", "Claims", "XMLSecurity",
        "XMLTree",
        "SecurityKeys", "StrictJSON", "Instants", "TokenErrors", "Octets",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["CommandLine"])),
      ]),

    // Tests. They may import Foundation, and libxml2 as an oracle.
    .target(name: "TestSupport", dependencies: ["Federation"], path: "Tests/TestSupport"),
    .testTarget(name: "OctetsTests", dependencies: ["Octets", "TokenErrors"]),
    .testTarget(name: "InstantsTests", dependencies: ["Instants", "TokenErrors"]),
    .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON", "TokenErrors"]),
    .testTarget(
      name: "SecurityKeysTests",
      dependencies: ["SecurityKeys", "Instants", "TokenErrors", "TestSupport"]),
    .testTarget(
      name: "XMLTreeTests", dependencies: ["XMLTree", "CLibXML2", "Octets", "TokenErrors"]),
    .testTarget(name: "ClaimsTests", dependencies: ["Claims"]),
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
    .testTarget(name: "CommandLineTests", dependencies: ["ClaimsCommand", "TestSupport"]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: ["Federation", "Claims", "SecurityKeys", "TokenErrors", "TestSupport"]),
    .testTarget(name: "SourceRulesTests", dependencies: ["TokenErrors", "Claims", "TestSupport"]),
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
