import Foundation
import TestSupport
import Testing

@Suite("decode, and what records say of tokens that are not accepted")
struct DecodeTests {
  private static let instant = "2030-01-01T12:00:00Z"

  private func minted(_ arguments: [String]) throws -> String {
    let outcome = try ClaimsTool.run(
      ["mint"] + arguments + [
        "--issuer", "https://idp.example/", "--audience", "urn:app", "--subject", "ada",
        "--signing-key", "keys/idp-rsa.key", "--at", Self.instant,
      ])
    #expect(outcome.status == 0, "\(outcome.talk)")
    return String(outcome.output.dropLast())
  }

  @Test("With --lines each line has its record, unverified, with its id; a bad line stops nothing")
  func lines() throws {
    let token = try minted(["jwt", "--claim", "role=staff"])
    let lines = "{\"id\": 7, \"token\": \"\(token)\"}\n\nnot a token\n\(token)\n"
    let outcome = try ClaimsTool.run(["decode", "--lines"], input: Array(lines.utf8))
    #expect(outcome.status == 1)
    let records = outcome.records
    #expect(records.count == 4)
    #expect(records.allSatisfy { $0["verified"] as? Bool == false && $0["valid"] == nil })
    #expect(
      records[0]["id"] as? Int == 7 && records[0]["issuer"] as? String == "https://idp.example/")
    let code = (records[1]["error"] as? [String: Any])?["code"] as? String
    #expect(code == "input.blank-line")
    #expect(records[2]["error"] != nil && records[3]["error"] == nil)
    let good = try ClaimsTool.run(["decode", "--lines"], input: Array("\(token)\n".utf8))
    #expect(good.status == 0 && good.records.count == 1)
  }

  @Test("A JSON Web Token has its header, on the line of its record")
  func header() throws {
    let token = try minted(["jwt", "--key-id", "key-1"])
    let record = try #require(
      ClaimsTool.run(["decode"], input: Array(token.utf8)).records.first)
    let header = try #require(record["header"] as? [String: Any])
    #expect(header["alg"] as? String == "RS256" && header["kid"] as? String == "key-1")
    // Spaces and line feeds between the members of a header stay on the line.
    let spread = Data("{\n \"alg\": \"RS256\",\r\n \"kid\": \"x\"}".utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    let parts = token.split(separator: ".")
    let outcome = try ClaimsTool.run(
      ["decode"], input: Array("\(spread).\(parts[1]).\(parts[2])".utf8))
    #expect(outcome.output.split(separator: "\n").count == 1 && outcome.records.count == 1)
    #expect((outcome.records[0]["header"] as? [String: Any])?["kid"] as? String == "x")
  }

  @Test("Of an encrypted token the envelope has the header; with the key, that of the one inside")
  func encryptedToken() throws {
    let token = try minted(["jwt", "--key-id", "key-1", "--encrypt-to", "jwk:keys/rp-rsa.jwk"])
    let outcome = try ClaimsTool.run(["decode"], input: Array(token.utf8))
    #expect(outcome.status == 1 && outcome.code == "encryption.no-key")
    let envelope = try #require(outcome.records.first?["envelope"] as? [String: Any])
    let outer = try #require(envelope["header"] as? [String: Any])
    #expect(outer["alg"] as? String == "RSA-OAEP-256" && outer["enc"] as? String == "A256GCM")
    #expect(outer["kid"] as? String == "rsa-1")
    let opened = try ClaimsTool.run(
      ["decode", "--decrypt-key", "keys/rp-rsa.key"], input: Array(token.utf8))
    let record = try #require(opened.records.first)
    let inner = try #require(record["header"] as? [String: Any])
    #expect(inner["alg"] as? String == "RS256" && inner["kid"] as? String == "key-1")
    #expect(opened.status == 0 && record["envelope"] == nil && record["encryptedWith"] != nil)
    let refused = try ClaimsTool.run(
      ["verify", "--key", "keys/idp-rsa.crt", "--audience", "urn:app"], input: Array(token.utf8))
    #expect(refused.status == 1 && refused.records.first?["keyID"] as? String == "rsa-1")
  }

  @Test("An SD-JWT has its header, and the key that it names where it is refused")
  func selectiveDisclosure() throws {
    let parts = [
      #"{"alg":"ES256","typ":"dc+sd-jwt","kid":"key-9"}"#,
      #"{"iss":"https://idp.example/","exp":1893499500}"#,
    ].map {
      Data($0.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    let token = Array("\(parts[0]).\(parts[1]).AAAA~".utf8)
    let decoded = try ClaimsTool.run(["decode"], input: token)
    let header = try #require(decoded.records.first?["header"] as? [String: Any])
    #expect(header["typ"] as? String == "dc+sd-jwt" && header["kid"] as? String == "key-9")
    let refused = try ClaimsTool.run(
      [
        "verify", "--format", "sdjwt", "--key", "keys/idp-ec256.crt", "--allow-any-audience",
        "--at", Self.instant,
      ], input: token)
    #expect(refused.status == 1 && refused.records.first?["keyID"] as? String == "key-9")
  }

  @Test(
    "Of an encrypted assertion the envelope is shown, beside the error; with the key the claims are"
  )
  func encrypted() throws {
    let token = try minted([
      "saml20", "--wrap", "response", "--sign", "response", "--encrypt-to", "keys/rp-rsa.crt",
      "--recipient", "https://rp.example/acs",
    ])
    let outcome = try ClaimsTool.run(["decode"], input: Array(token.utf8))
    #expect(outcome.status == 1)
    let record = try #require(outcome.records.first)
    let envelope = try #require(record["envelope"] as? [String: Any])
    #expect(envelope["issuer"] as? String == "https://idp.example/")
    #expect(envelope["destination"] as? String == "https://rp.example/acs")
    let status = envelope["status"] as? [String: Any]
    #expect((status?["codes"] as? [String])?.first?.hasSuffix(":Success") == true)
    let part = (envelope["encrypted"] as? [[String: Any]])?.first
    #expect((part?["algorithm"] as? String)?.contains("aes256-gcm") == true)
    #expect((part?["keys"] as? [[String: Any]])?.count == 1)
    #expect(record["error"] != nil && record["claims"] == nil)
    let opened = try ClaimsTool.run(
      ["decode", "--decrypt-key", "keys/rp-rsa.key"], input: Array(token.utf8))
    #expect(opened.status == 0 && opened.records.first?["envelope"] == nil)
    #expect(opened.records.first?["subject"] as? String == "ada")
  }

  @Test("Of a sign-in that failed the status and its message are shown")
  func failedSignIn() throws {
    let response = """
      <samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" Version="2.0" \
      IssueInstant="2030-01-01T12:00:00Z" Destination="https://rp.example/acs"><saml:Issuer \
      xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">https://idp.example/</saml:Issuer><samlp:Status>\
      <samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"/><samlp:StatusMessage>no such \
      account</samlp:StatusMessage></samlp:Status></samlp:Response>
      """
    let record = try #require(
      ClaimsTool.run(["decode"], input: Array(response.utf8)).records.first)
    let envelope = try #require(record["envelope"] as? [String: Any])
    #expect((envelope["status"] as? [String: Any])?["message"] as? String == "no such account")
    #expect(envelope["issuer"] as? String == "https://idp.example/")
  }

  @Test("A rejected record names the issuer, and says where nothing vouches for it")
  func claimant() throws {
    let token = try minted(["jwt", "--key-id", "key-1"])
    func error(_ arguments: [String]) throws -> (record: [String: Any], error: [String: Any]) {
      let outcome = try ClaimsTool.run(["verify"] + arguments, input: Array(token.utf8))
      #expect(outcome.status == 1)
      let record = try #require(outcome.records.first)
      return (record, try #require(record["error"] as? [String: Any]))
    }
    let stranger = try error([
      "--key", "keys/evil-rsa.crt", "--audience", "urn:app", "--at", Self.instant,
    ])
    #expect(stranger.record["issuer"] as? String == "https://idp.example/")
    #expect(stranger.record["keyID"] as? String == "key-1")
    #expect(stranger.error["unverified"] as? Bool == true)
    let late = try error([
      "--key", "keys/idp-rsa.crt", "--audience", "urn:app", "--at", "2031-01-01",
    ])
    #expect(late.error["code"] as? String == "time.expired" && late.error["unverified"] == nil)
    #expect(late.record["issuer"] as? String == "https://idp.example/")
    let other = try error([
      "--key", "keys/idp-rsa.crt", "--audience", "urn:other", "--at", Self.instant,
    ])
    #expect(other.error["found"] as? String == "urn:app", "no quotation marks of its own")
    #expect(other.error["unverified"] == nil)
  }

  @Test("explain names the file, in the text and in the page")
  func fileNames() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "token.jwt")
    try Data(try minted(["jwt"]).utf8).write(to: file)
    let page = folder.appending(path: "page.html")
    let outcome = try ClaimsTool.run([
      "explain", "--key", "keys/idp-rsa.crt", "--audience", "urn:app", "--at", Self.instant,
      "--html", page.path(), file.path(),
    ])
    #expect(outcome.status == 0, "\(outcome.talk)")
    #expect(outcome.output.hasPrefix("file      ") && outcome.output.contains("token.jwt\n"))
    let html = try String(contentsOf: page, encoding: .utf8)
    #expect(
      html.contains("token.jwt</h2>") && html.contains("Written by claims 0.1.0 explain --html"))
  }

  @Test("metadata lint for people: the worst first, each rule once, and how many there are")
  func lintText() throws {
    let outcome = try ClaimsTool.run([
      "metadata", "lint", "--format", "text", "--at", "2030-01-01", "metadata/duplicate.xml",
    ])
    #expect(outcome.status == 1)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let severities = lines.compactMap { $0.firstMatch(of: /^(error|warning|info)  META/)?.1 }
    let order = ["error", "warning", "info"]
    #expect(severities.first == "error")
    #expect(
      severities.map { order.firstIndex(of: String($0)) ?? 9 }
        == severities.map { order.firstIndex(of: String($0)) ?? 9 }.sorted())
    #expect(lines.last?.hasPrefix("metadata/duplicate.xml: ") == true)
  }
}
