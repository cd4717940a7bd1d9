extension HostileFamily {
  /// The documents that were measured with other implementations: 22, 95 and 199 seconds there.
  static let known = [
    HostileFamily("222 kB of nested declarations", .canonicalForms) { _ in declarations(40) },
    HostileFamily("448 kB of nested declarations", .canonicalForms) { _ in declarations(80) },
    HostileFamily("153 kB of a prefix list", .signatures) { _ in
      signed(
        method: "<ec:InclusiveNamespaces xmlns:ec=\"http://www.w3.org/2001/10/xml-exc-c14n#\" "
          + "PrefixList=\"\(numbered(6_400) { "p\($0) " })\"/>",
        object: times(2_000, "<e/>"))
    },
  ]

  /// 250 levels with `count` declarations each.
  private static func declarations(_ count: Int) -> String {
    numbered(250) { level in
      "<r\(numbered(count) { " xmlns:n\(level)x\($0)='urn:\($0)'" })>"
    } + times(250, "</r>")
  }

  static let trees = [
    HostileFamily("depth", .canonicalForms) { times($0 * 12, "<r>") + times($0 * 12, "</r>") },
    HostileFamily("depth beyond every limit", .canonicalForms) { scale in
      times(scale * 17_000, "<r>") + times(scale * 17_000, "</r>")
    },
    HostileFamily("attributes of one element", .canonicalForms) { scale in
      "<r\(numbered(scale * 12_000) { " a\($0)=''" })/>"
    },
    HostileFamily("elements full of attributes", .canonicalForms) { scale in
      "<r>\(times(scale * 50, "<e\(numbered(250) { " a\(249 - $0)=''" })/>"))</r>"
    },
    HostileFamily("elements full of prefixed attributes", .canonicalForms) { scale in
      "<r\(numbered(120) { " xmlns:n\($0)='urn:\($0)'" })>"
        + times(scale * 44, "<e\(numbered(250) { " n\($0 % 120):a\($0)=''" })/>") + "</r>"
    },
    HostileFamily("declarations on one element", .canonicalForms) { scale in
      "<r\(numbered(scale * 4_000) { " xmlns:n\($0)='urn:\($0)'" })/>"
    },
    HostileFamily("declarations in scope, used far below", .canonicalForms) { scale in
      numbered(4) { level in "<r\(numbered(120) { " xmlns:n\(level)x\($0)='urn:\($0)'" })>" }
        + times(scale * 2_400, "<n0x1:e n0x2:a='' n0x3:b=''/>") + times(4, "</r>")
    },
    HostileFamily("a prefix declared again and again", .canonicalForms) { scale in
      "<p:r xmlns:p='urn:0'>\(numbered(scale * 2_400) { "<p:e xmlns:p='urn:\($0 % 2)'/>" })</p:r>"
    },
    HostileFamily("elements", .canonicalForms) { "<r>\(times($0 * 2_400, "<e/>"))</r>" },
    HostileFamily("elements beyond the limit", .canonicalForms) { scale in
      "<r>\(times(scale * 30_000, "<e/>"))</r>"
    },
    HostileFamily("different names", .canonicalForms) { scale in
      "<r>\(numbered(scale * 2_400) { "<e\($0) a\($0)=''/>" })</r>"
    },
    HostileFamily("identifiers", .token) { scale in
      response(numbered(scale * 2_000) { "<x ID='i\($0)'/>" })
    },
    HostileFamily("one long text", .canonicalForms) { "<r>\(times($0 * 130_000, "t"))</r>" },
    HostileFamily("text that is all references", .canonicalForms) { scale in
      "<r a='\(times(scale * 12_000, "&#13;"))'>\(times(scale * 12_000, "&#13;"))</r>"
    },
    HostileFamily("comments between letters", .canonicalForms) { scale in
      "<r>\(times(scale * 16_000, "x<!---->"))</r>"
    },
    HostileFamily("instructions", .canonicalForms) { "<r>\(times($0 * 26_000, "<?p?>"))</r>" },
    HostileFamily("CDATA sections", .canonicalForms) { scale in
      "<r>\(times(scale * 10_000, "<![CDATA[]]>"))</r>"
    },
    HostileFamily("one long attribute value", .canonicalForms) { scale in
      "<r a='\(times(scale * 130_000, "a"))'/>"
    },
    HostileFamily("one long name", .canonicalForms) { "<r\(times($0 * 6_000, "n"))/>" },
    HostileFamily("nested base URIs", .canonicalForms) { scale in
      numbered(90) { "<e xml:base='../a\($0)/\(times(scale * 150, "b/"))'>" } + times(90, "</e>")
    },
    HostileFamily("less-than signs", .canonicalForms) { times($0 * 130_000, "<") },
    HostileFamily("entities in a DOCTYPE", .canonicalForms) { scale in
      "<!DOCTYPE r [\(numbered(scale * 1_300) { "<!ENTITY e\($0) '\(times(10, "&e\($0 - 1);"))'>" })]>"
        + "<r>&e100;</r>"
    },
  ]
}
