#if Server
  package import HTTPExchange

  extension Dependencies {
    /// The servers that a command calls, within the descriptors that this process may open.
    ///
    /// - Parameters:
    ///   - limits: Those of the configuration file.
    ///   - former: The dependencies of what this one takes the place of; nil for none.
    package static func ofService(
      _ limits: DependencyLimits, replacing former: Dependencies? = nil
    ) -> Dependencies {
      let calls = Descriptors.calls(of: Descriptors.raise())
      return Dependencies(limits.fitting(calls), mostCalls: calls, replacing: former)
    }
  }
#endif
