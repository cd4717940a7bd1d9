import HTTPExchange
import Octets
import SignIn
import TokenBasics

/// How clients that no file names may describe themselves, as the file says it.
public struct RegistrationConfiguration: Sendable {
  /// The realm of the relying party whose clients they are.
  public let relyingParty: String
  /// The initial access token; nil where it is in a file of its own, or none is needed.
  public let token: Secret?
  /// Whether anybody may register a client.
  public let isOpen: Bool
  /// The most clients that are registered at a time.
  public let most: Int
}

/// Reads what is about the service as a whole.
extension ServiceFileReader {
  /// A number for all requests together, or an object.
  mutating func readRates(_ json: JSONValue?) -> RequestRates {
    guard let json else { return RequestRates() }
    guard json.members != nil else { return RequestRates(all: readRate(json)) }
    file.members(json, ["all", "perAddress", "perIdentity"])
    return RequestRates(
      all: json["all"].flatMap { readRate($0) },
      perAddress: json["perAddress"].flatMap { readRate($0) },
      perIdentity: json["perIdentity"].flatMap { readRate($0) })
  }

  private mutating func readRate(_ json: JSONValue) -> Int? {
    let rate = json.integer
    if !(1...1_000_000).contains(rate ?? 0) { file.refuse(json, "1 to 1000000") }
    return rate
  }

  // MARK: Operations

  mutating func readOperations(_ json: JSONValue?, _ listen: HostPort?) -> HostPort? {
    guard let json, let operations = file.hostPort(json) else { return nil }
    if let listen, listen.collides(with: operations) {
      file.refuse(json, "an address other than that of listen")
    }
    return operations
  }

  /// Without a word of the file: where operations are, or else with everything.
  mutating func readAdminPlace(
    _ json: JSONValue, _ operations: HostPort?
  ) -> ServiceFile.AdminPlace {
    var place: ServiceFile.AdminPlace = operations == nil ? .public : .operations
    if let value = json["admin"], let text = file.text(value) {
      guard let known = ServiceFile.AdminPlace(rawValue: text) else {
        file.refuse(
          value, ServiceFile.AdminPlace.allCases.map(\.rawValue).joined(separator: ", "))
        return place
      }
      place = known
    }
    guard place == .operations else { return place }
    if let operations, !operations.isLoopback, let value = json["operations"] {
      // Passwords would cross the network in the clear.
      file.refuse(value, "a loopback address, or \"admin\": \"public\" or \"off\" beside it")
    }
    if operations == nil, let value = json["admin"] { file.refuse(value, "operations beside it") }
    return place
  }

  mutating func readAdmins(_ json: JSONValue?) -> [Admin] {
    var admins: [Admin] = []
    for entry in file.list(json) {
      file.members(entry, ["name", "password", "role"])
      guard let name = file.text(entry["name"]) ?? file.required(entry, "name") else { continue }
      if admins.contains(where: { $0.name.hasSameBytes(as: name) }) {
        file.refuse(entry["name"] ?? entry, "a name of its own")
      }
      if entry["password"] == nil { file.refuse(entry, "a password", "none") }
      var role = Admin.Role.viewer
      if let value = entry["role"], let text = file.text(value) {
        role = Admin.Role(rawValue: text) ?? role
        if Admin.Role(rawValue: text) == nil {
          file.refuse(value, Admin.Role.allCases.map(\.rawValue).joined(separator: " or "))
        }
      }
      admins.append(Admin(name, password: secret(entry["password"], .admin(name)), role: role))
    }
    return admins
  }

  /// - Parameter realms: Those of the relying parties.
  mutating func readRegistration(
    _ json: JSONValue?, _ realms: [String]
  ) -> RegistrationConfiguration? {
    guard let json else { return nil }
    file.members(json, ["relyingParty", "token", "open", "clients"])
    guard
      let realm = file.text(json["relyingParty"]) ?? file.required(json, "relyingParty")
    else { return nil }
    if !realms.containsBytes(of: realm) {
      file.refuse(json["relyingParty"] ?? json, "one of " + realms.joined(separator: ", "))
    }
    let isOpen = file.flag(json["open"])
    let token = secret(json["token"], .registration)
    if isOpen == (json["token"] != nil) {
      file.refuse(json, "a token, or \"open\": true for anybody", isOpen ? "both" : "neither")
    }
    let most = json["clients"]?.integer ?? ClientRegistration.usualMost
    if let value = json["clients"],
      value.integer == nil || !(1...ClientRegistration.largestMost).contains(most)
    {
      file.refuse(value, "1 to \(ClientRegistration.largestMost)")
    }
    return RegistrationConfiguration(
      relyingParty: realm, token: token, isOpen: isOpen, most: most)
  }
}
