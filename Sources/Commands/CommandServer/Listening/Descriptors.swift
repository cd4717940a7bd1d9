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
    /// Kept for files, stores and what is fetched.
    static let others = 128
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
      let kept = min(operations + others, descriptors / 2)
      return max(1, min(descriptors - kept, mostConnections))
    }
  }
#endif
