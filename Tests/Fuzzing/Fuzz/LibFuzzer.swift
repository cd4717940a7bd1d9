import CLibFuzzer
import Foundation
import XMLOracle

/// The target that `FUZZ_TARGET` names; libFuzzer's functions have no parameter for it.
enum Current {
  static let target: any FuzzTarget = {
    // Keys live as long as the process, behind pointers with an enum's tag in their spare bits, which
    // LeakSanitizer does not follow.
    clibfuzzer_stop_leak_check()
    defer { clibfuzzer_start_leak_check() }
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = Targets.make(name) else { fail("no target \"\(name)\"") }
    return target
  }()

  /// Runs libFuzzer; returns -1 when it is not linked.
  ///
  /// In this file: a C function's address taken elsewhere would define the function there too.
  static func runLibFuzzer(dropping count: Int) -> CInt {
    // Initialised outside of the time of the first input.
    _ = target
    // libFuzzer keeps the array, so it lives as long as the process.
    let all = CommandLine.arguments
    let kept = [all[0]] + all.dropFirst(1 + count)
    let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: kept.count + 1)
    for (index, argument) in kept.enumerated() { unsafe list[index] = strdup(argument) }
    unsafe list[kept.count] = nil
    var argc = CInt(kept.count)
    var argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe list
    return unsafe clibfuzzer_run(&argc, &argv, fuzzOneInput)
  }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Current.target.exercise(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

@_cdecl("LLVMFuzzerCustomMutator")
public func fuzzMutate(
  _ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: UInt32
) -> Int {
  var random = SplitMix64(seed: UInt64(seed))
  // Plain byte mutations stay in the mix: no structure-aware mutation makes a broken token.
  if !random.chance(25) {
    let octets = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    if let mutated = Current.target.mutate(octets, &random), mutated.count <= capacity {
      unsafe start.update(from: mutated, count: mutated.count)
      return mutated.count
    }
  }
  return unsafe clibfuzzer_mutate(start, count, capacity)
}

@_cdecl("LLVMFuzzerCustomCrossOver")
public func fuzzCross(
  _ first: UnsafePointer<UInt8>, _ firstCount: Int, _ second: UnsafePointer<UInt8>,
  _ secondCount: Int, _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int, _ seed: UInt32
) -> Int {
  var random = SplitMix64(seed: UInt64(seed))
  let left = unsafe Array(UnsafeBufferPointer(start: first, count: firstCount))
  let right = unsafe Array(UnsafeBufferPointer(start: second, count: secondCount))
  guard let crossed = Current.target.cross(left, right, &random), crossed.count <= capacity else {
    return 0
  }
  unsafe output.update(from: crossed, count: crossed.count)
  return crossed.count
}
