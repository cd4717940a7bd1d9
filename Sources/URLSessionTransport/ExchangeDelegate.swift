import Foundation
import HTTPExchange
import Synchronization
import TokenErrors

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Hears of all tasks of a session, and says no to all that it asks.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate {
  private let running = Mutex<[Int: RunningExchange]>([:])

  func begin(_ exchange: RunningExchange) {
    running.withLock { $0[exchange.task.taskIdentifier] = exchange }
  }

  /// Ends an exchange now, whatever the session does with its task. One that has ended stays as it is.
  func end(_ task: URLSessionTask, with result: Result<HTTPResponse, any Error>) {
    guard let exchange = running.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
      return
    }
    task.cancel()
    exchange.continuation.resume(with: result)
  }

  func endAll() {
    for exchange in running.withLock({ Array($0.values) }) {
      end(exchange.task, with: .failure(URLError(.networkConnectionLost)))
    }
  }

  // MARK: What comes

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let exchange = running.withLock { $0[dataTask.taskIdentifier] }
    do throws(TokenError) {
      try exchange?.check(response)
      completionHandler(exchange == nil ? .cancel : .allow)
    } catch {
      completionHandler(.cancel)
      end(dataTask, with: .failure(error))
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let error = running.withLock { running -> TokenError? in
      do throws(TokenError) {
        try running[dataTask.taskIdentifier]?.append(data)
        return nil
      } catch {
        return error
      }
    }
    if let error { end(dataTask, with: .failure(error)) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let exchange = running.withLock({ $0[task.taskIdentifier] }) else { return }
    end(
      task,
      with: Result {
        if let error, !Self.isUnansweredChallenge(error, task.response) { throw error }
        return try exchange.answer(task.response)
      })
  }

  /// On Linux a 401 whose challenge is refused ends as if the task had been cancelled, with its answer.
  private static func isUnansweredChallenge(_ error: any Error, _ response: URLResponse?) -> Bool {
    (error as? URLError)?.code == .cancelled && (response as? HTTPURLResponse)?.statusCode == 401
  }

  // MARK: What it asks

  /// A redirect is an answer like any other.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// The system judges the server. No password, key or ticket is shown to anyone. (To a challenge on Linux
  /// default handling without a credential would be no answer at all: the task would never end.)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if !canImport(FoundationNetworking)
      if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust {
        return completionHandler(.performDefaultHandling, nil)
      }
    #endif
    completionHandler(.rejectProtectionSpace, nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping (CachedURLResponse?) -> Void
  ) {
    completionHandler(nil)
  }
}
