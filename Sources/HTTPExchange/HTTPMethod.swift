/// A request method (RFC 9110, 9).
public enum HTTPMethod: String, Hashable, Sendable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
}
