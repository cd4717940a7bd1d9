#if CommandLine
  import ArgumentParser
  import Federation

  /// `--attribute-name-format`: a short name, or a URI, which has a colon.
  struct AttributeNameFormatArgument: ExpressibleByArgument {
    let format: AttributeNameFormat

    init?(argument: String) {
      switch argument {
      case "uri": format = .uri
      case "basic": format = .basic
      case "unspecified": format = .unspecified
      case "none": format = .omitted
      default:
        guard argument.utf8.contains(UInt8(ascii: ":")) else { return nil }
        format = .named(argument)
      }
    }
  }
#endif
