import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Work on as many threads as there are cores.
enum Parallel {
  static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The results of `transform` for each input, in the order of the inputs.
  static func map<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ transform: @Sendable (Input) -> Output
  ) -> [Output] {
    let outputs = Mutex<[Output?]>(Array(repeating: nil, count: inputs.count))
    DispatchQueue.concurrentPerform(iterations: inputs.count) { place in
      let output = transform(inputs[place])
      outputs.withLock { $0[place] = output }
    }
    return outputs.withLock { $0.compactMap(\.self) }
  }
}
