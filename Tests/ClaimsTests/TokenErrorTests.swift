import Testing
import TokenBasics

@Suite("Errors as values")
struct TokenErrorTests {
  @Test("An error is no larger than two words, so that returning one is cheap")
  func size() {
    #expect(MemoryLayout<TokenError>.size <= 16)
    #expect(MemoryLayout<TokenError?>.size <= 16)
  }

  @Test("Each text can be set by itself and leaves the others and every copy alone")
  func texts() {
    var error = TokenError(.expired)
    #expect(error.node == nil && error.expected == nil && error.found == nil)
    error.expected = "a"
    let copy = error
    error.found = "b"
    error.node = "/x"
    #expect(error.node == "/x" && error.expected == "a" && error.found == "b")
    #expect(copy.node == nil && copy.expected == "a" && copy.found == nil)
    error.node = nil
    error.expected = nil
    error.found = nil
    #expect(error.description == TokenError(.expired).description)
  }

  @Test("Errors of one cause are equal, whatever their texts; of two causes they are not")
  func equality() {
    #expect(TokenError(.expired, found: "a") == TokenError(.expired, found: "b"))
    #expect(TokenError(.expired) != TokenError(.notYetValid))
    #expect(TokenError.Code.expired.hashValue == TokenError(.expired).code.hashValue)
  }
}
