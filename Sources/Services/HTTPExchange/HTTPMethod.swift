/// A request method (RFC 9110, 9).
public enum HTTPMethod: String, Hashable, Sendable {
  /// `GET` (RFC 9110, 9.3.1).
  case get = "GET"
  /// `POST` (RFC 9110, 9.3.3).
  case post = "POST"
  /// `PUT` (RFC 9110, 9.3.4).
  case put = "PUT"
  /// `PATCH` (RFC 5789).
  case patch = "PATCH"
  /// `DELETE` (RFC 9110, 9.3.5).
  case delete = "DELETE"
}
