/// A feature of a former program that this client must have, and its tests.
struct Feature: Sendable {
  /// The documents that require it: S0 and S1 Mobile Services, S2 oPRO, S3 Access Control Service, S4
  /// Mobile Foundation.
  let seeds: String
  let name: String
  /// The titles of the tests.
  let tests: [String]

  init(_ seeds: String, _ name: String, _ tests: String...) {
    self.seeds = seeds
    self.name = name
    self.tests = tests
  }

  /// Every feature, in the order of the documents.
  static let all: [Feature] =
    sessions + mobileServices + opro + accessControl + feeds + mobileFoundation
}
