#if !Server
  /// Without trait Server there is no service, only this message.
  @main
  enum WithoutServer {
    static func main() {
      print("acs needs trait Server: swift run --traits Server acs demo")
    }
  }
#endif
