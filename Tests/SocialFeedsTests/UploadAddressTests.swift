import ClientScript
import HTTPExchange
import Testing
import TokenBasics

import FederationClient
@testable import SocialFeeds

@Suite("Upload addresses of a service")
struct UploadAddressTests {
  @Test(
    "An upload address on loopback is accepted only if the service itself is on loopback",
    arguments: [
      "http://127.0.0.1:8080/u", "http://localhost/u", "http://[::1]:8080/u",
      "https://127.0.0.1:8080/u", "https://localhost/u",
    ])
  func loopback(address: String) throws {
    let elsewhere = try HTTPURL("https://api.linkedin.com/").origin
    #expect(throws: TokenError(.transportInsecureAddress)) {
      try UploadAddress.read(address, of: elsewhere)
    }
    let here = try HTTPURL("http://127.0.0.1:9090/").origin
    #expect(try UploadAddress.read(address, of: here).text == address)
  }

  @Test("Any other https address is taken, http is not")
  func elsewhere() throws {
    let service = try HTTPURL("https://api.linkedin.com/").origin
    let address = "https://elsewhere.example.net/u?sig=1"
    #expect(try UploadAddress.read(address, of: service).text == address)
    #expect(throws: TokenError(.transportInsecureAddress)) {
      try UploadAddress.read("http://elsewhere.example.net/u", of: service)
    }
  }
}
