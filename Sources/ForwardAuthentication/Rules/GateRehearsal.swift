/// Whom the doctor signs in to see what the proxy makes of a gate that cannot answer.
package enum GateRehearsal {
  /// The subject for which the gate answers 503. Should a provider have somebody of that name, it is they who are
  /// told to come back.
  package static let unavailable = "gate-doctor-unavailable"
}
