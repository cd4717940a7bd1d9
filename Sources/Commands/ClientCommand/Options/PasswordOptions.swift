#if Client
  import ArgumentParser
  import CommandSupport
  import FederationClient
  import LocalFiles

  /// A user name and its password, prompted for if neither file nor environment has it.
  struct PasswordOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The user name.", valueName: "NAME"))
    var userName: String?

    @Option(
      help: ArgumentHelp("A file with the password; - for standard input.", valueName: "FILE"),
      completion: .file())
    var passwordFile: String?

    @Option(help: ArgumentHelp("An environment variable with the password.", valueName: "NAME"))
    var passwordEnv: String?

    func validate() throws {
      guard userName != nil || (passwordFile == nil && passwordEnv == nil) else {
        throw ValidationError("a password needs --user-name")
      }
    }

    /// - Throws: exit code 2 without a password and a terminal.
    func password(of name: String) throws(CommandFailure) -> Secret {
      if let password = try SecretSource.optional(
        "password", file: passwordFile, environment: passwordEnv)
      {
        return password
      }
      guard Terminal.isThere,
        let typed = Terminal.askSecretly("Password of \(ShownText.line(name)): "),
        !typed.revealed.isEmpty
      else {
        throw CommandFailure(
          .usage, "--password-file or --password-env is needed without a terminal")
      }
      return typed
    }
  }
#endif
