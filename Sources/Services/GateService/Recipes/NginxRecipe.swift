import Octets

extension ProxyRecipe {
  /// nginx.conf.
  var nginx: String {
    var text = "events {}\nhttp {\n" + Self.indented(nginxMaps, 2)
    if hasSeveralHosts {
      // nginx would hand requests for another host to the first server.
      let listeners = Set(hosts.map(nginxListener)).sorted()
      text += "  server {\n" + listeners.map { "    listen \($0) default_server;\n" }.joined()
      text += hosts.first.map { Self.indented(nginxCertificate($0), 4) } ?? ""
      text += "    return 421;\n  }\n"
    }
    for host in hosts {
      text += "  server {\n    listen \(nginxListener(host));\n"
      text += "    server_name \(host.origin.host);\n"
      text +=
        Self.indented(nginxCertificate(host) + nginxServer(host, names: host.origin.authority), 4)
        + "  }\n"
    }
    return text + "}\n"
  }

  /// The same for the sections of an nginx.conf that exists.
  var nginxFragment: String {
    var text = "# In http:\n" + nginxMaps
    for host in hosts {
      text += hasSeveralHosts ? "# In server, \(host.origin.host):\n" : "# In server:\n"
      text += nginxServer(host)
    }
    return text
  }

  private func nginxListener(_ host: RecipeHost) -> String {
    (host.listener.map { "\($0):" } ?? "") + "\(host.origin.port)"
      + (host.isSecure ? " ssl http2" : "")
  }

  private func nginxCertificate(_ host: RecipeHost) -> String {
    guard host.isSecure else { return "" }
    return "ssl_certificate \(host.fileName).crt;\nssl_certificate_key \(host.fileName).key;\n"
  }

  private var nginxMaps: String {
    #"""
    # The one upgrade that passes is to websocket; any other request goes on as HTTP/1.1.
    map $http_connection $gate_wants_upgrade {
      "~*(^|,)\s*upgrade\s*(,|$)" upgrade;
    }
    map "$request_method $server_protocol $gate_wants_upgrade $http_upgrade" $gate_upgrade {
      "~^GET HTTP/1\.1 upgrade (?i:websocket)$" websocket;
    }
    map $gate_upgrade $gate_connection {
      websocket upgrade;
    }

    """#
  }

  /// What a server has; the gate's answer carries the identity headers and the Cookie header without its own cookies.
  ///
  /// - Parameter name: The `Host` for the application; nil for nginx's own, the application's address.
  func nginxServer(_ host: RecipeHost, names name: String? = nil) -> String {
    let size = Self.rounded(identityKilobytes + 40)
    // The size of a body is the application's matter; nginx would refuse one of 2 MB.
    var text = "client_max_body_size 0;\nproxy_buffer_size \(size)k;\nproxy_buffers 4 \(size)k;\n"
    if hasSeveralHosts { text += nginxTicket(host) }
    if let path = host.description {
      text += "location = \(path) {\n  proxy_pass \(gateAddress);\n\(nginxOrigin(host))}\n"
    }
    text += nginxPages(host) + nginxCheck(host) + nginxApplication(host, names: name)
    return text + """
      location @gate_refusal { return 403; }
      location @gate_answer {
        rewrite ^ \(prefix)check?redirect? break;
        proxy_pass \(gateAddress);
        proxy_method GET;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
      \(nginxQuestion)\(nginxOrigin(host))}

      """
  }

  private func nginxPages(_ host: RecipeHost) -> String {
    guard hasSeveralHosts else {
      return "location \(prefix) { proxy_pass \(gateAddress); client_max_body_size 4m; }\n"
    }
    return "location \(prefix) {\n  proxy_pass \(gateAddress);\n  client_max_body_size 4m;\n"
      + nginxOrigin(host) + "}\n"
  }

  private func nginxTicket(_ host: RecipeHost) -> String {
    """
    location = \(prefix)ticket {
      access_log off;
      proxy_pass \(gateAddress);
    \(nginxOrigin(host))}

    """
  }

  private func nginxCheck(_ host: RecipeHost) -> String {
    // auth_request would add WWW-Authenticate of a 401 to the gate's answer, which has it already.
    """
    location = \(prefix)check {
      internal;
      proxy_pass \(gateAddress);
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
    \(nginxQuestion)\(hasSeveralHosts ? nginxOrigin(host) : "")\
      proxy_intercept_errors on;
      error_page 401 = @gate_refusal;
    }

    """
  }

  private func nginxApplication(_ host: RecipeHost, names: String?) -> String {
    var text = "location / {\n  auth_request \(prefix)check;\n"
    let variables = nginxVariables(host)
    for (name, variable) in variables {
      let answer = name.lowercasedASCII.map { $0 == "-" ? "_" : String($0) }.joined()
      text += "  auth_request_set $\(variable) $upstream_http_\(answer);\n"
    }
    text += """
        auth_request_set $cookie_without_gate $upstream_http_cookie;
        error_page 403 = @gate_answer;
        proxy_http_version 1.1;

      """
    if let names { text += "  proxy_set_header Host \(names);\n" }
    for (name, variable) in variables { text += "  proxy_set_header \(name) $\(variable);\n" }
    // Headers of other applications, and those that name a request, never come from a client.
    let others = headers.filter { name in
      !host.headers.contains { $0.lowercasedASCII == name.lowercasedASCII }
    }
    for name in others + PassageTable.forwardingNames {
      text += "  proxy_set_header \(name) \"\";\n"
    }
    return text + """
        proxy_set_header Cookie $cookie_without_gate;
        proxy_set_header Upgrade $gate_upgrade;
        proxy_set_header Connection $gate_connection;
        proxy_set_header HTTP2-Settings "";
        proxy_pass http://\(host.application);
      }

      """
  }

  /// What the recipe's own variables are called behind `gate_`.
  private static let nginxNames = ["wants_upgrade", "upgrade", "connection"]

  /// A variable for each header, named by its last part where that is enough.
  private func nginxVariables(_ host: RecipeHost) -> [(name: String, variable: String)] {
    let ends = host.headers.map {
      $0.lowercasedASCII.split(separator: "-").last.map(String.init) ?? ""
    }
    return zip(host.headers, ends).map { name, end in
      let isEnough =
        !end.isEmpty && ends.count { $0 == end } == 1 && !Self.nginxNames.contains(end)
      let whole = name.lowercasedASCII.map { $0 == "-" ? "_" : String($0) }.joined()
      let isFree = !Self.nginxNames.contains(whole)
      return (name, "gate_" + (isEnough ? end : isFree ? whole : "header_" + whole))
    }
  }

  private var nginxQuestion: String {
    """
      proxy_set_header X-Original-URI $request_uri;
      proxy_set_header X-Original-Method $request_method;

    """
  }

  private func nginxOrigin(_ host: RecipeHost) -> String {
    """
      proxy_set_header X-Original-Proto $scheme;
      proxy_set_header X-Original-Host \(host.origin.authority);

    """
  }
}
