#if Client
  import Foundation
  import Synchronization

  /// A person at the standard input of the command: waits for each prompt and answers it.
  final class Person: Sendable {
    private struct State {
      var answers: [(question: String, answer: @Sendable () -> String)]
      /// The length of the output that was answered.
      var heard = 0
    }

    /// The standard input of the command.
    let input: FileHandle
    private let output: FileHandle
    private let state: Mutex<State>

    /// A person at a terminal.
    static func atTerminal(
      _ answers: (question: String, answer: @Sendable () -> String)...
    ) throws -> Person {
      let (master, name) = try pseudoterminal()
      let terminal = unsafe open(name, O_RDWR | O_NOCTTY)
      guard terminal >= 0 else { throw Browser.Lost() }
      return Person(
        FileHandle(fileDescriptor: terminal, closeOnDealloc: true),
        FileHandle(fileDescriptor: master, closeOnDealloc: true), answers)
    }

    /// The near end of a new pseudoterminal, and the name of its far end.
    private static func pseudoterminal() throws -> (Int32, String) {
      #if os(Linux)
        // Swift's Glibc lacks these functions of `stdlib.h`.
        let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (locked, number): (CInt, CInt) = (0, 0)
        let (unlock, name) = (0x4004_5431 as UInt, 0x8004_5430 as UInt)
        guard master >= 0, unsafe ioctl(master, unlock, &locked) == 0,
          unsafe ioctl(master, name, &number) == 0
        else { throw Browser.Lost() }
        return (master, "/dev/pts/\(number)")
      #else
        let master = posix_openpt(O_RDWR | O_NOCTTY)
        guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0,
          let name = unsafe ptsname(master)
        else { throw Browser.Lost() }
        return (master, unsafe String(cString: name))
      #endif
    }

    /// A script that pipes into the command.
    static func atPipe(
      _ answers: (question: String, answer: @Sendable () -> String)...
    ) -> Person {
      let pipe = Pipe()
      return Person(pipe.fileHandleForReading, pipe.fileHandleForWriting, answers)
    }

    private init(
      _ input: FileHandle, _ output: FileHandle,
      _ answers: [(question: String, answer: @Sendable () -> String)]
    ) {
      self.input = input
      self.output = output
      state = Mutex(State(answers: answers))
    }

    /// Answers the next prompt, if it is printed.
    func answer(_ said: String) {
      let line = state.withLock { state -> (@Sendable () -> String)? in
        guard let next = state.answers.first,
          let found = String(said.dropFirst(state.heard)).range(of: next.question)
        else { return nil }
        let rest = String(said.dropFirst(state.heard))
        state.heard += rest.distance(from: rest.startIndex, to: found.upperBound)
        state.answers.removeFirst()
        return next.answer
      }
      if let line { output.write(Data((line() + "\n").utf8)) }
    }

    /// The echo of the terminal.
    var echoed: String {
      let number = output.fileDescriptor
      _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
      var octets = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe read(number, &octets, octets.count)
      return String(decoding: octets.prefix(max(0, count)), as: UTF8.self)
    }
  }
#endif
