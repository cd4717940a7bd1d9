#if Client
  import FederationNetwork
  import FederationClient
  import Foundation

  @main
  struct SignIn {
    static func main() async throws {
      let arguments = CommandLine.arguments
      guard arguments.count == 4 else {
        print("usage: sign-in https://NAMESPACE.example.org/ REALM CERTIFICATE.pem")
        return
      }
      // Who we are, and whose signature we believe.
      let service = try AccessControlService(base: HTTPURL(arguments[1]), realm: arguments[2])
      let certificate = try Data(contentsOf: URL(filePath: arguments[3]))
      let issuer = TrustedIssuer(
        service.issuer, keys: [try VerificationKey(pemOrDER: Array(certificate))],
        formats: [.saml11, .saml20, .jwt])
      let trust = Trust(issuers: [issuer], audiences: .oneOf([service.realm]))

      let acs = AccessControlClient(
        service, trust: trust, transport: try AsyncHTTPClientTransport(), time: SystemTime())
      let outcome = try await acs.signIn(
        scheme: .bearer,
        through: LoopbackSignIn(listener: LoopbackListener(), time: SystemTime()),
        open: { address in
          let text = "Open this address in a browser:\n\(address.text)\n"
          FileHandle.standardError.write(Data(text.utf8))
        })
      switch outcome {
      case .signedIn(let session):
        print("Signed in: \(session.principal.subject) of \(session.principal.authority)")
        print("Roles: \(session.claims[.role])")
      case .cancelled:
        print("The sign-in was cancelled.")
      }
    }
  }
#else
  @main
  struct SignIn {
    static func main() { print("built without trait Client") }
  }
#endif
