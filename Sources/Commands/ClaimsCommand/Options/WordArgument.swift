#if CommandLine
  import ArgumentParser

  /// An argument that is one of a few words, spelled as the cases. ArgumentParser would find the
  /// words by reflection at every start.
  protocol WordArgument: ExpressibleByArgument, CaseIterable, RawRepresentable
  where RawValue == String {}

  extension WordArgument {
    static var allValueStrings: [String] { allCases.map { $0.rawValue } }
    static var allValueDescriptions: [String: String] { [:] }
    var defaultValueDescription: String { rawValue }
  }
#endif
