import FederationClient
import Foundation
import HTTPExchange
import Synchronization
import TokenBasics

/// One of several processes that share a store, driven by `Tests/Sessions/ten_processes.py`:
///
///     SessionProcess STORE KEY JOURNAL EPOCH SPEED
///
/// Reads `<number> <verb> …` lines from standard input and executes them one after the other, with a
/// real ``CurrentSession`` and a real ``FileCredentialStore``. Its requests to the service are written to
/// standard output, and the response is the next line of standard input. SPEED seconds of its
/// clock pass in each second since EPOCH, so that idle times and waits fit into a short run.
@main
struct SessionProcess {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 6, let epoch = Double(arguments[4]), let speed = Double(arguments[5])
    else { exit(2) }
    let time = FastTime(epoch: epoch, speed: speed)
    let journal = try Journal(path: arguments[3])
    let store = JournaledStore(
      FileCredentialStore(path: arguments[1], key: .file(arguments[2])), journal)
    let service = Service(time)
    let session = {
      CurrentSession(account: "acs", store: store, renewal: service.renewal, time: time)
    }
    var current = session()
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      guard words.count >= 2 else { exit(2) }
      let (number, verb) = (words[0], words[1])
      journal.begin(number, verb)
      var outcome = "ok"
      do throws(TokenError) {
        switch verb {
        case "start":
          current = session()
          outcome = try await current.restore() == nil ? "none" : "ok"
        case "in": try await current.signIn(service.session(words[2], words[3], words[4]))
        case "out": try await current.logOut()
        case "use":
          let filter = AuthorizedTransport(
            service, session: current, origin: try Service.address().origin)
          let request = HTTPRequest(.get, try Service.address())
          outcome = "\(try await filter.response(to: request).status)"
        default: exit(2)
        }
      } catch {
        outcome = error.code.rawValue
      }
      Service.say("done \(number) \(outcome)")
    }
  }
}

/// A clock that runs faster than the machine's, alike in all processes.
struct FastTime: TimeSource {
  let epoch: Double
  let speed: Double

  var now: Instant {
    let passed = (Date().timeIntervalSince1970 - epoch) * speed + epoch
    return Instant(
      secondsSinceEpoch: Int64(passed),
      nanoseconds: Int32(passed.truncatingRemainder(dividingBy: 1) * 1e9))
  }

  func wait(_ duration: Duration) async { try? await Task.sleep(for: duration / speed) }
}

/// The service, which the driver simulates.
struct Service: HTTPTransport {
  private let time: FastTime

  init(_ time: FastTime) { self.time = time }

  static func address() throws(TokenError) -> HTTPURL { try HTTPURL("https://service.example/") }

  func response(to request: HTTPRequest) async throws(TokenError) -> HTTPResponse {
    let credential = request.fields["Authorization"]?.split(separator: " ").last ?? ""
    return HTTPResponse(status: Self.ask("use \(credential)") == "good" ? 200 : 401)
  }

  var renewal: Renewal {
    Renewal(refresh: { session throws(TokenError) in
      let answer = Self.ask("refresh \(session.refreshToken?.revealed ?? "-")")
      let words = answer.split(separator: " ").map(String.init)
      guard words.count == 2 else { throw TokenError(.sessionRenewalRefused) }
      var renewed = session
      renewed.credential = Credential(.bearer, Secret(words[0]))
      renewed.refreshToken = Secret(words[1])
      return renewed
    })
  }

  func session(_ person: String, _ access: String, _ refresh: String) -> Session {
    Session(
      principal: Principal(authority: "service.example", subject: person),
      credential: Credential(.bearer, Secret(access)), refreshToken: Secret(refresh),
      signedInAt: time.now, lifetime: SessionLifetime(idle: 36_000))
  }

  static func say(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
  }

  /// One request at a time: the operations run one after the other.
  private static func ask(_ question: String) -> String {
    say(question)
    return readLine() ?? ""
  }
}

/// The content before and after each change of the store, written while its lock is held: the lines are
/// in the order of the changes.
final class Journal: Sendable {
  private let file: FileHandle
  private let operation = Mutex("0 none")

  init(path: String) throws {
    guard let file = FileHandle(forUpdatingAtPath: path) else { exit(2) }
    self.file = file
    _ = fcntl(file.fileDescriptor, F_SETFL, O_APPEND)
  }

  func begin(_ number: String, _ verb: String) { operation.withLock { $0 = "\(number) \(verb)" } }

  func note(_ before: Session?, _ after: Session?) {
    let line =
      "\(getpid()) \(operation.withLock { $0 }) \(Self.text(before)) \(Self.text(after))\n"
    try? file.write(contentsOf: Data(line.utf8))
  }

  private static func text(_ session: Session?) -> String {
    guard let session else { return "-" }
    return [
      session.principal.subject, session.credential.secret.revealed,
      session.refreshToken?.revealed ?? "",
    ].joined(separator: "/")
  }
}

struct JournaledStore: CredentialStore {
  private let store: FileCredentialStore
  private let journal: Journal

  init(_ store: FileCredentialStore, _ journal: Journal) {
    self.store = store
    self.journal = journal
  }

  func read() async throws(TokenError) -> StoredCredentials { try store.read() }

  func update(
    _ change: @Sendable (inout StoredCredentials) throws(TokenError) -> Void
  ) async throws(TokenError) -> StoredCredentials {
    try store.update { (content) throws(TokenError) in
      let before = content.sessions["acs"]
      try change(&content)
      journal.note(before, content.sessions["acs"])
    }
  }
}
