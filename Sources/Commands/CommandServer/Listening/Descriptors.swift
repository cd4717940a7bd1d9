#if Server
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// The file descriptors that this process may open. The runtime dies where there is none left, so listeners stay
  /// away from the last ones (SVC-9).
  package enum Descriptors {
    /// Kept for operations: 32 connections.
    package static let operations = 32
    /// Kept for files and stores.
    static let others = 64
    /// As many calls as one dependency may have at once, where the file says nothing.
    private static let fewCalls = 256
    /// The most calls to providers and issuers at once.
    static let mostCalls = 16_384
    /// More connections than this make one process no faster.
    static let mostConnections = 16_384

    /// Raises the soft limit to the hard one, and returns it.
    package static func raise() -> Int {
      var limit = rlimit()
      #if canImport(Glibc)
        let kind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
      #else
        let kind = RLIMIT_NOFILE
      #endif
      guard unsafe getrlimit(kind, &limit) == 0 else { return 1_024 }
      if limit.rlim_cur < limit.rlim_max {
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        if unsafe setrlimit(kind, &raised) == 0 { limit = raised }
      }
      return Int(clamping: limit.rlim_cur)
    }

    /// How many connections there may be at that many descriptors.
    package static func connections(of descriptors: Int) -> Int {
      let kept = min(operations + others + calls(of: descriptors), descriptors / 2)
      return max(1, min(descriptors - kept, mostConnections))
    }

    /// How many calls to providers and issuers there may be at that many descriptors, all of them together: of few descriptors a
    /// fourth, up to what one dependency may have, and an eighth of many.
    static func calls(of descriptors: Int) -> Int {
      let few = min(descriptors / 4 - others, fewCalls)
      return max(1, min(max(few, descriptors / 8 - others), mostCalls))
    }
  }
#endif
