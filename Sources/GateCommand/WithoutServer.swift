#if !Server
  /// Without trait Server there is no gate, only this message.
  @main
  enum WithoutServer {
    static func main() {
      print("claims-gate needs trait Server: swift build --traits Server --product claims-gate")
    }
  }
#endif
