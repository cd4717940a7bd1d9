#if Server
  package import NIOCore

  /// How long a connection may wait for what comes next (SVC-9).
  package struct WaitingTimes: Sendable {
    /// From the first octet of a request to the end of its header.
    package var header = TimeAmount.seconds(10)
    /// From the end of the header to the end of the body.
    package var body = TimeAmount.seconds(30)
    /// For the next request.
    package var idle = TimeAmount.seconds(60)
    /// From the end of a request until its answer is written.
    package var answer = TimeAmount.seconds(60)
    /// For what is under way when the command is told to end.
    package var end = TimeAmount.seconds(8)
    /// For the peer to close the connection after an answer that says `Connection: close`. A connection that is closed
    /// at once may take the answer with it (RFC 9112, 9.6).
    package var linger = TimeAmount.seconds(1)

    package init() {}
  }

  /// What a connection waits for, and until when. A value: the handler tells it what happened.
  struct ConnectionClock {
    enum Phase: Int {
      /// For the first octet of a request.
      case idle
      /// For the rest of a header.
      case header
      /// For the rest of a body.
      case body
      /// For the answer, or for the peer to take it.
      case answer
    }

    private let times: WaitingTimes
    private(set) var phase = Phase.idle
    private(set) var since: NIODeadline
    private var unanswered = 0
    private var end: NIODeadline?

    init(_ times: WaitingTimes, at now: NIODeadline) {
      self.times = times
      since = now
    }

    /// When the wait is over.
    var deadline: NIODeadline {
      let limit =
        switch phase {
        case .idle: times.idle
        case .header: times.header
        case .body: times.body
        case .answer: times.answer
        }
      return min(since + limit, end ?? .distantFuture)
    }

    mutating func octetsCame(at now: NIODeadline) {
      if phase == .idle { enter(.header, now) }
    }

    mutating func headCame(at now: NIODeadline) {
      unanswered += 1
      enter(.body, now)
    }

    mutating func requestEnded(at now: NIODeadline) {
      enter(unanswered > 0 ? .answer : .idle, now)
    }

    mutating func answered(at now: NIODeadline) {
      unanswered = max(0, unanswered - 1)
      if phase == .answer, unanswered == 0 { enter(.idle, now) }
    }

    /// The command ends: what is under way has a little time left.
    mutating func end(at now: NIODeadline) { end = end ?? (now + times.end) }

    /// The last answer of the connection is written.
    mutating func leave(at now: NIODeadline) {
      end = min(end ?? .distantFuture, now + times.linger)
    }

    private mutating func enter(_ next: Phase, _ now: NIODeadline) {
      phase = next
      since = now
    }
  }
#endif
