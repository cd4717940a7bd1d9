import Octets

extension ProxyRecipe {
  /// haproxy.cfg.
  var haproxy: String {
    var seen: Set<String> = []
    let binds = hosts.map { host in
      let address = "\(host.listener ?? "*"):\(host.origin.port)"
      // HAProxy chooses the certificate by the name that a client asks for.
      let files = hosts.filter { $0.isSecure && $0.origin.port == host.origin.port }
      let tls = files.isEmpty ? "" : " ssl" + files.map { " crt \($0.fileName).pem" }.joined()
      return "  bind \(address)\(tls)\(files.isEmpty ? "" : " alpn h2,http/1.1")\n"
    }.filter { seen.insert($0).inserted }.joined()
    return "global\n" + Self.indented(haproxyGlobal, 2) + """
      defaults
        mode http
        timeout connect 5s
        timeout client 60s
        timeout server 60s
        timeout tunnel 1h
      frontend site

      """ + binds + Self.indented(haproxyFrontend, 2) + haproxyBackends
  }

  /// The same for the sections of a haproxy.cfg that exists.
  var haproxyFragment: String {
    "# In global:\n" + haproxyGlobal + "# In frontend:\n" + haproxyFrontend + "# Behind it:\n"
      + haproxyBackends
  }

  private var haproxyGlobal: String {
    let size = Self.rounded(identityKilobytes + 40) * 1024
    return """
      lua-load gate.lua
      tune.bufsize \(size)
      tune.maxrewrite \(size / 4)

      """
  }

  /// `METH_GET` of HAProxy is HEAD too, to which the gate refuses an upgrade.
  private var haproxyFrontend: String {
    var text = """
      http-request deny deny_status 400 if { req.hdr_cnt(host) gt 1 }
      http-request deny deny_status 400 if !HTTP_1.0 !{ req.hdr(host) -m found }
      # Nothing in a tunnel is judged. A websocket over HTTP/2 is a GET here.
      http-request deny deny_status 405 if METH_CONNECT
      # OPTIONS * names no path.
      http-request deny deny_status 400 if !{ path_beg / }
      http-request set-uri %[pathq]
      # The one upgrade that passes is to websocket; any other request goes on as HTTP/1.1.
      acl wants_upgrade req.ver 2.0
      acl wants_upgrade req.hdr(connection) -m str -i upgrade
      acl asks_websocket req.fhdr(upgrade) -m str -i websocket
      http-request set-var(txn.websocket) bool(true) if { method GET } !HTTP_1.0 { req.hdr_cnt(upgrade) eq 1 } \
      asks_websocket wants_upgrade
      http-request del-header upgrade if !{ var(txn.websocket) -m bool }
      http-request del-header http2-settings
      http-request del-header connection
      http-request set-header connection upgrade if { var(txn.websocket) -m bool }
      acl gate_page path_beg \(prefix)
      http-request return status 404 if { path_beg \(prefix)check }

      """
    if hasSeveralHosts { text += haproxyHosts }
    for path in hosts.compactMap(\.description) { text += "acl gate_page path -m str \(path)\n" }
    text += """
      http-request lua.gate_check \(cookiePrefix)session if !gate_page
      http-request deny deny_status 503 if !gate_page !{ var(txn.gate_status) -m int 200 }
      use_backend gate if gate_page

      """
    if !hasSeveralHosts { return text + "default_backend application\n" }
    for host in hosts.dropFirst() {
      text += "use_backend \(label(host)) if host_\(label(host))\n"
    }
    return text + (hosts.first.map { "default_backend \(label($0))\n" } ?? "")
  }

  private var haproxyHosts: String {
    let usual = { (host: RecipeHost) in host.isSecure ? 443 : 80 }
    let acls = hosts.map { host in
      let more =
        host.origin.port == usual(host) ? " \(host.origin.host):\(host.origin.port)" : ""
      return "acl host_\(label(host)) req.hdr(host) -m str -i \(host.origin.authority)\(more)\n"
    }
    return acls.joined() + "http-request deny deny_status 421 if "
      + hosts.map { "!host_\(label($0))" }.joined(separator: " ") + "\n" + """
        http-request set-header X-Forwarded-Host %[req.hdr(host)] if gate_page
        http-request set-header X-Forwarded-Proto http if gate_page
        http-request set-header X-Forwarded-Proto https if gate_page { ssl_fc }

        """
  }

  private var haproxyBackends: String {
    var text = "backend gate\n  server gate \(gate)\n"
    for host in hosts {
      text += "backend \(hasSeveralHosts ? label(host) : "application")\n"
      text += "  server application \(host.application)\n"
    }
    return text
  }

  /// The script that asks the gate.
  var haproxyScript: String {
    let list = { (names: [String]) in
      names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
    return """
      local gate = "\(gateAddress)\(prefix)check?redirect"
      local identity = { \(list(headers.map { $0.lowercasedASCII })) }
      -- What names a request, and never comes from a client.
      local forwarding = { \(list(PassageTable.forwardingNames.map { $0.lowercasedASCII })) }
      local cookies, beginnings = { \(list(GateCookies.names)) }, { \(list(GateCookies.beginnings)) }
      -- What concerns one connection alone.
      local hops = { "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding" }

      """ + Self.haproxyFunctions
  }

  private static let haproxyFunctions = #"""

    local function set(list)
      local found = {}
      for _, name in ipairs(list) do found[name] = true end
      return found
    end

    -- CGI and WSGI take X_Remote.User for X-Remote-User.
    local function folded(name) return (name:lower():gsub("[^%w]", "-")) end

    local is_removed, is_cookie, is_hop = {}, set(cookies), set(hops)
    for _, name in ipairs(identity) do is_removed[folded(name)] = true end
    for _, name in ipairs(forwarding) do is_removed[folded(name)] = true end

    local function is_of_gate(name, prefix)
      if name:sub(1, #prefix) ~= prefix then return false end
      name = name:sub(#prefix + 1)
      if prefix == "" then name = name:gsub("^__Host%-", "") end
      for _, beginning in ipairs(beginnings) do
        if name:sub(1, #beginning) == beginning then return true end
      end
      return is_cookie[name]
    end

    local function each(values, use)
      local number = 0
      while values and values[number] do
        use(values[number])
        number = number + 1
      end
    end

    -- The Cookie header without the cookies of the gate.
    local function strip(txn, values, prefix)
      local kept = {}
      each(values, function(text)
        for pair in text:gmatch("[^;]+") do
          pair = pair:match("^%s*(.*)$")
          if pair ~= "" and not is_of_gate(pair:match("^[^=%s]*"), prefix) then table.insert(kept, pair) end
        end
      end)
      txn.http:req_del_header("cookie")
      if #kept > 0 then txn.http:req_set_header("cookie", table.concat(kept, "; ")) end
    end

    core.register_action("gate_check", { "http-req" }, function(txn, session)
      local own, headers, lines = txn.http:req_get_headers(), {}, 0
      for name, values in pairs(own) do
        local plain = folded(name)
        each(values, function() lines = lines + 1 end)
        if is_removed[plain] then
          txn.http:req_del_header(name)
        elseif not is_hop[name] and plain:sub(1, 12) ~= "x-forwarded-" then
          headers[name] = {}
          each(values, function(value) table.insert(headers[name], value) end)
        end
      end
      -- The question has some more, and HAProxy ends where one has over 100.
      if lines > 90 then txn:done(txn:reply { status = 431, reason = "Request Header Fields Too Large" }) end
      headers["x-forwarded-uri"] = { txn.f:pathq() }
      headers["x-forwarded-method"] = { txn.f:method() }
      headers["x-forwarded-proto"] = { txn.f:ssl_fc() == 1 and "https" or "http" }
      headers["x-forwarded-host"] = { txn.f:req_fhdr("host") }
      local answer = core.httpclient():get { url = gate, headers = headers, timeout = 10000 }
      local status = answer.status or 0
      txn:set_var("txn.gate_status", status)
      -- The gate's own page: a sign-in, 401 or 403.
      if status >= 300 and status < 500 then
        local reply = txn:reply { status = status, reason = answer.reason }
        for name, values in pairs(answer.headers) do
          if not is_hop[name] then each(values, function(value) reply:add_header(name, value) end) end
        end
        reply:set_body(answer.body or "")
        txn:done(reply)
      end
      for _, name in ipairs(identity) do
        local value = answer.headers and answer.headers[name] and answer.headers[name][0]
        if value and value ~= "" then txn.http:req_set_header(name, value) end
      end
      strip(txn, own["cookie"], session:sub(1, -8))
    end, 1)

    """#
}
