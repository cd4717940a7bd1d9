import Foundation
import HTTPExchange
import Synchronization
import TokenBasics

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Receives the events of all tasks of a session, and declines redirects, challenges and caching.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate {
  private let running = Mutex<[Int: RunningExchange]>([:])

  func begin(_ exchange: RunningExchange) {
    running.withLock { $0[exchange.task.taskIdentifier] = exchange }
  }

  /// Ends an exchange now, whatever the session does with its task. No effect on one that has ended.
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

  // MARK: Events

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

  /// Whether this is a 401 whose challenge was rejected: on Linux it ends as cancelled, with a response.
  private static func isUnansweredChallenge(_ error: any Error, _ response: URLResponse?) -> Bool {
    (error as? URLError)?.code == .cancelled && (response as? HTTPURLResponse)?.statusCode == 401
  }

  // MARK: Decisions

  /// A redirect is a response like any other.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// The system verifies the server. No password, key or ticket is sent. (On Linux, default handling of a
  /// challenge without a credential never ends the task.)
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
