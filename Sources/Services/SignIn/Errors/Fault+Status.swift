extension TokenError.Fault {
  /// The HTTP status of a refusal: 400, or 503 where the same request may be accepted later.
  package var status: Int { isOurs ? 503 : 400 }
}

extension TokenError.Code {
  /// The HTTP status of a refusal by a site or a gate: that of its fault, but for the codes that HTTP has a status for.
  package var status: Int { Self.ownStatus[self] ?? fault.status }

  private static let ownStatus: [Self: Int] = [
    .inputTooLarge: 413, .signInContext: 403, .signInNotNavigation: 403,
    .signInProvider: 404,
  ]
}
