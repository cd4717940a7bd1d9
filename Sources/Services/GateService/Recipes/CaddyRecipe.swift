extension ProxyRecipe {
  /// The Caddyfile.
  var caddy: String {
    var text = ""
    if hosts.allSatisfy({ !$0.isSecure }) {
      text += "{\n  admin off\n  auto_https off\n}\n"
    }
    for host in hosts {
      text += "\(host.origin) {\n"
      if let listener = host.listener { text += "  bind \(listener)\n" }
      text += Self.indented(caddySite(host), 2) + "}\n"
    }
    return text
  }

  /// The same for the sites of a Caddyfile that exists.
  var caddyFragment: String {
    guard hasSeveralHosts else { return hosts.first.map(caddySite) ?? "" }
    return hosts.map { "# In \($0.origin):\n" + caddySite($0) }.joined()
  }

  private func caddySite(_ host: RecipeHost) -> String {
    var text = """
      handle \(prefix)check* {
        respond 404
      }
      handle \(prefix)* {
        reverse_proxy \(gate)
      }

      """
    if let path = host.description {
      text += "handle \(path) {\n  reverse_proxy \(gate)\n}\n"
    }
    return text + "route {\n" + caddyUpgrade + caddyAsk(host) + caddyCookies
      + "  reverse_proxy \(host.application)\n}\n"
  }

  /// The one upgrade that passes is to websocket. Caddy removes what `Connection` names after the gate's headers were set, so
  /// the client's list goes first.
  private var caddyUpgrade: String {
    #"""
      # Nothing in a tunnel is judged.
      @connect method CONNECT
      respond @connect 405
      # The one upgrade that passes is to websocket; any other request goes on as HTTP/1.1.
      @websocket {
        method GET
        protocol http/1.1
        header_regexp Connection (?i)(^|,)\s*upgrade\s*(,|$)
        vars_regexp {http.request.header.Upgrade} ^(?i:websocket)$
      }
      vars gate_upgrade none
      vars @websocket gate_upgrade websocket
      @upgrade vars gate_upgrade websocket
      @plain vars gate_upgrade none
      request_header @plain -Upgrade
      request_header -Connection
      request_header @upgrade Connection Upgrade
      request_header -HTTP2-Settings

    """#
  }

  private func caddyAsk(_ host: RecipeHost) -> String {
    let own = (headers + PassageTable.forwardingNames).map { "  request_header -\($0)\n" }.joined()
    let odd = Self.oddCharacters.map { character in
      let name = character == "`" ? "\"-*`*\"" : "-*\(character)*"
      return "  request_header \(name)\n"
    }.joined()
    let copied =
      host.headers.isEmpty ? "" : "    copy_headers \(host.headers.joined(separator: " "))\n"
    let ask = """
        forward_auth \(gate) {
          uri \(prefix)check?redirect
      \(copied)\
        }

      """
    // The gate sees every spelling of a header that overrides the method; a header of the file's own has to outlast this.
    let isOdd = headers.contains { $0.contains(where: Self.oddCharacters.contains) }
    let before = "  # CGI and WSGI take X_Remote.User for X-Remote-User.\n"
    return isOdd ? before + odd + own + ask : own + ask + before + odd
  }

  /// What a name of a header may have beside letters, digits and `-` (RFC 9110, 5.6.2).
  static let oddCharacters = Array("!#$%&'*+.^_`|~")

  /// The cookies go behind `forward_auth`, which needs them. `$9` stands for nothing.
  private var caddyCookies: String {
    #"""
      # The gate's cookies.
      request_header Cookie "(?:^|;)\s*(?:\#(cookiePattern))\s*=[^;]*" "$9"
      request_header Cookie "^[;\s]+" "$9"
      @empty not header_regexp Cookie .
      request_header @empty -Cookie

    """#
  }
}
