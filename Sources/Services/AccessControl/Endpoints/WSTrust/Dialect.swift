import Federation
import TokenBasics
import XMLTree

/// The versions of SOAP and WS-Trust that a request speaks.
public struct Dialect: Sendable {
  var soap = WSSName.soap12
  var trust = WSSName.trust13

  /// SOAP 1.2 and WS-Trust 1.3.
  public init() {}

  /// The media type of messages (SOAP 1.2 Part 2, 7.1.4; SOAP 1.1, 6).
  public var mediaType: String {
    soap.namespace == WSSName.soap11.namespace
      ? "text/xml; charset=utf-8" : "application/soap+xml; charset=utf-8"
  }

  /// The HTTP status of a fault: clients of SOAP look at the message of these alone (SOAP 1.2 Part 2, table 20; SOAP
  /// 1.1, 6.2).
  ///
  /// - Parameter status: That of the error.
  public func status(of status: Int) -> Int {
    soap.namespace == WSSName.soap11.namespace || status >= 500 ? 500 : 400
  }

  /// The URI of an action of the version.
  func action(_ name: String) -> String {
    trust.namespace
      + (trust.namespace == WSSName.trust2005.namespace
        ? name.replacing("RSTRC/IssueFinal", with: "RSTR/Issue") : name)
  }

  /// A message.
  ///
  /// - Parameters:
  ///   - action: Its action (WS-Addressing 1.0).
  ///   - messageID: Of the request.
  func message(
    _ action: String, relatesTo messageID: String?,
    _ body: (inout XMLWriter) throws(TokenError) -> Void
  ) throws(TokenError) -> [UInt8] {
    try XMLWriter.fragment(soap.envelope, prefixes: WSSName.prefixes) {
      writer throws(TokenError) in
      try writer.element(soap.header) { writer throws(TokenError) in
        try writer.element(ExpandedName("Action", in: WSSName.addressing), text: action)
        if let messageID {
          try writer.element(ExpandedName("RelatesTo", in: WSSName.addressing), text: messageID)
        }
      }
      try writer.element(soap.body, [], body)
    }.octets
  }

  /// A fault (WS-Trust 1.3, 11).
  ///
  /// - Parameters:
  ///   - reason: Says which error it is.
  ///   - code: Its number.
  ///   - messageID: The identifier of the request that the fault answers; nil for none.
  /// - Throws: `policy.mint-character`.
  public func fault(
    _ reason: String, _ code: ACSRefusal, relatesTo messageID: String? = nil
  ) throws(TokenError) -> [UInt8] {
    let isSender = code.status < 500
    let subcode = "\(WSSName.prefixes[trust.namespace] ?? "trust"):\(Self.subcode(code))"
    return try message(WSSName.addressing + "/fault", relatesTo: messageID) {
      writer throws(TokenError) in
      guard soap.namespace != WSSName.soap11.namespace else {
        return try writer.element(soap.fault, [], declaring: trust.namespace) {
          writer throws(TokenError) in
          // SOAP 1.1, 4.4: the children of a fault have no namespace.
          try writer.element(ExpandedName("faultcode"), text: subcode)
          try writer.element(ExpandedName("faultstring"), text: reason)
        }
      }
      func name(_ local: StaticString) -> ExpandedName {
        ExpandedName(local.description, in: soap.namespace)
      }
      try writer.element(soap.fault, [], declaring: trust.namespace) { writer throws(TokenError) in
        try writer.element(name("Code")) { writer throws(TokenError) in
          try writer.element(name("Value"), text: isSender ? "s:Sender" : "s:Receiver")
          try writer.element(name("Subcode")) { writer throws(TokenError) in
            try writer.element(name("Value"), text: subcode)
          }
        }
        try writer.element(name("Reason")) { writer throws(TokenError) in
          try writer.element(
            name("Text"),
            [
              (ExpandedName("lang", in: "http://www.w3.org/XML/1998/namespace"), "en")
            ], text: reason)
        }
      }
    }
  }

  private static func subcode(_ code: ACSRefusal) -> String {
    switch code.number.number {
    case 10_000...10_002: "BadRequest"
    case 10_003: "InvalidSecurityToken"
    case 50_001: "InvalidScope"
    case _ where code.status == 401: "FailedAuthentication"
    default: "RequestFailed"
    }
  }
}
