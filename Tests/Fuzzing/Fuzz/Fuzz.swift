import Foundation
import XMLOracle

/// Fuzzes, replays and measures (docs/fuzzing.md).
///
///     Fuzz TARGET [libFuzzer's options and folders]   in a build with -sanitize=fuzzer
///     Fuzz TARGET FILE-OR-FOLDER…                     in any other build: replays
///     Fuzz seeds TARGET FOLDER                        writes the target's seeds
///     Fuzz mutate TARGET COUNT SEED                   mutates the seeds and exercises the results
///     Fuzz c14n-differential COUNT SEED               our canonical forms and libxml2's
///     Fuzz signed-documents COUNT SEED                mutated signatures with our verdicts
///     Fuzz cost                                       time and memory of hostile input
@main enum Fuzz {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "seeds": try writeSeeds(Array(arguments.dropFirst()))
    case "mutate": mutate(Array(arguments.dropFirst()))
    case "c14n-differential": CanonicalDifferential.run(Array(arguments.dropFirst()))
    case "signed-documents": SignedDocuments.run(Array(arguments.dropFirst()))
    case "cost": CostTable.run(Array(arguments.dropFirst()))
    case let name? where Targets.names.contains(name):
      unsafe setenv("FUZZ_TARGET", name, 1)
      if Current.runLibFuzzer(dropping: 1) == -1 { try replay(Array(arguments.dropFirst())) }
    default:
      // A process that libFuzzer started itself has the name in its environment.
      let isChild = ProcessInfo.processInfo.environment["FUZZ_TARGET"] != nil
      if !isChild || Current.runLibFuzzer(dropping: 0) == -1 {
        fail("usage: Fuzz \(Targets.names.joined(separator: "|")) …")
      }
    }
  }

  private static func replay(_ paths: [String]) throws {
    var count = 0
    for path in paths {
      for file in try files(at: path) {
        let octets = Array(try Data(contentsOf: URL(filePath: file)))
        // A crash prints no message; the last line names its input.
        FileHandle.standardError.write(Data("\(file)\n".utf8))
        Current.target.exercise(octets)
        count += 1
      }
    }
    print("\(count) inputs replayed")
  }

  private static func files(at path: String) throws -> [String] {
    let values = try URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey])
    guard values.isDirectory == true else { return [path] }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map {
      "\(path)/\($0)"
    }
  }

  private static func writeSeeds(_ arguments: [String]) throws {
    guard arguments.count == 2, let target = Targets.make(arguments[0]) else {
      fail("usage: Fuzz seeds TARGET FOLDER")
    }
    let folder = URL(filePath: arguments[1])
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for seed in target.seeds {
      let name = seed.name.replacingOccurrences(of: "/", with: "-")
      try Data(seed.octets).write(to: folder.appending(path: name))
    }
    print("\(target.seeds.count) seeds")
  }

  private static func mutate(_ arguments: [String]) {
    guard arguments.count == 3, let target = Targets.make(arguments[0]),
      let count = Int(arguments[1]), let seed = UInt64(arguments[2])
    else { fail("usage: Fuzz mutate TARGET COUNT SEED") }
    let seeds = target.seeds.map(\.octets)
    for number in 0..<UInt64(count) {
      var random = SplitMix64(seed: seed &+ number)
      var octets = random.pick(seeds)
      for _ in 0..<1 + random.below(4) {
        octets = target.mutate(octets, &random) ?? ByteMutator.mutate(octets, &random)
      }
      if random.chance(10) {
        octets = target.cross(octets, random.pick(seeds), &random) ?? octets
      }
      LastInput.note(seed &+ number, octets)
      target.exercise(octets)
    }
    print("\(count) mutated inputs of \(arguments[0]) from seed \(seed): every property held")
  }
}
