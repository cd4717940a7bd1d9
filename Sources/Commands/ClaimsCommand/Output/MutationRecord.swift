#if CommandLine
  import Federation
  import TokenBasics
  import TokenMutation

  extension Record {
    /// A bad variant: its token, or the file that contains it.
    ///
    /// `id` and `token` are the members that `claims verify --lines` reads.
    static func mutation(_ mutation: Mutation, file: String?, to json: inout JSONWriter) {
      json.object { json in
        json.name("id")
        json.string(mutation.name)
        json.name("expected")
        json.string(mutation.expected.rawValue)
        json.name("attacks")
        json.array { json in mutation.attacks.forEach { json.string($0) } }
        json.name("issuerSigned")
        json.bool(mutation.isIssuerSigned)
        json.name("summary")
        json.string(mutation.summary)
        if let file {
          json.name("file")
          json.string(file)
        } else {
          json.name("token")
          json.string(String(decoding: mutation.octets, as: UTF8.self))
        }
      }
      json.endLine()
    }

    /// How many variants were written, family by family.
    static func mutationCount(
      _ families: [(name: String, count: Int)], to json: inout JSONWriter
    ) {
      json.object { json in
        json.name("variants")
        json.integer(families.reduce(0) { $0 + $1.count })
        json.name("families")
        json.object { json in
          for (name, count) in families {
            json.name(text: name)
            json.integer(count)
          }
        }
      }
      json.endLine()
    }
  }
#endif
