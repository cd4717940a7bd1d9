#if Server
  import Hummingbird
  import HummingbirdCore
  import Logging
  import NIOCore

  /// Answers the requests of a connection on the thread that reads and writes it, so that no request wakes another
  /// thread twice: that took longer than most of them take.
  struct OnOwnLoop<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base

    init(_ base: Base) { self.base = base }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
      base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
      await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
        await base.handle(value: value, logger: logger)
      }
    }
  }

  /// The thread of an event loop, for tasks.
  private final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
      // Run once, as the loop runs each closure once.
      let job = UnownedJob(job)
      loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
#endif
