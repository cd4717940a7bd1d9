#if Client
  import ArgumentParser
  import CommandSupport
  import FederationClient
  import FederationNetwork
  import TokenBasics

  /// How the browser returns.
  struct LoopbackOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Seconds to wait for the browser.", valueName: "SECONDS"))
    var timeout: Int64 = 300

    @Option(help: ArgumentHelp("The path to which the browser returns.", valueName: "PATH"))
    var path = "/signin"

    func validate() throws {
      guard (1...3600).contains(timeout) else {
        throw ValidationError("--timeout is 1 to 3600 seconds")
      }
      guard path.hasPrefix("/") else { throw ValidationError("--path begins with /") }
    }

    var signIn: LoopbackSignIn {
      var signIn = LoopbackSignIn(listener: LoopbackListener(), time: SystemTime())
      signIn.timeout = timeout
      signIn.path = path
      signIn.foreign = { error in
        CommandMessages.own.note("\(error.description); waiting goes on")
      }
      return signIn
    }
  }
#endif
