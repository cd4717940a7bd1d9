import Octets

extension ProxyRecipe {
  /// envoy.yaml.
  ///
  /// - Parameter isFragment: Whether the listener is that of the documentation: 127.0.0.1:8000, without TLS.
  func envoy(isFragment: Bool = false) -> String {
    """
    static_resources:
      listeners:
      - \(isFragment ? Self.envoyExample : envoyAddresses)
        filter_chains:
        - filters:
          - name: envoy.filters.network.http_connection_manager
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
              stat_prefix: site
              use_remote_address: true
              preserve_external_request_id: true
              # The gate judges the path as it is; the application gets the same one.
              normalize_path: false
              merge_slashes: false
              path_with_escaped_slashes_action: KEEP_UNCHANGED
              # The one upgrade that passes is to websocket; any other request goes on as HTTP/1.1.
              http_protocol_options: {ignore_http_11_upgrade: [{safe_regex: {regex: "\(Self.notWebsocket)"}}]}
              http2_protocol_options: {allow_connect: true}
              # Room for what is added; a client's own are counted below.
              common_http_protocol_options: {max_headers_count: 200}
              upgrade_configs: [{upgrade_type: websocket}]
              early_header_mutation_extensions:
              - name: envoy.http.early_header_mutation.header_mutation
                typed_config:
                  "@type": type.googleapis.com/envoy.extensions.http.early_header_mutation.header_mutation.v3.HeaderMutation
                  mutations:
                  # CGI and WSGI take X_Remote.User for X-Remote-User.
    \(Self.indented(envoyRemovals, 14))\
                  - remove: http2-settings
              route_config:
                virtual_hosts:
    \(Self.indented(hosts.map(envoyHost).joined(), 12))\
              http_filters:
    \(Self.indented(envoyFilters, 10))\
    \(isFragment ? "" : Self.indented(envoyCertificates, 6))\
      clusters:
    \(Self.indented(envoyClusters, 2))
    """
  }

  /// A line for each name: Envoy warns of a longer expression, and refuses it by default.
  private var envoyRemovals: String {
    (headers + PassageTable.forwardingNames).map {
      "- remove_on_match: {key_matcher: {safe_regex: {regex: \"\(pattern([$0]))\"}}}\n"
    }.joined()
  }

  private static let envoyExample =
    "address: {socket_address: {address: 127.0.0.1, port_value: 8000}}"

  /// The addresses of the one listener, each once.
  private var envoyAddresses: String {
    var places: [String] = []
    for host in hosts {
      let address = host.listener ?? "0.0.0.0"
      let place =
        "{socket_address: {address: \"\(address.filter { !"[]".contains($0) })\", port_value: \(host.origin.port)}}"
      if !places.contains(place) { places.append(place) }
    }
    let more = places.dropFirst().map { "{address: \($0)}" }.joined(separator: ", ")
    return "address: \(places.first ?? "")"
      + (more.isEmpty ? "" : "\n    additional_addresses: [\(more)]")
  }

  /// A regular expression for every text but `websocket`, in RE2, which cannot look ahead.
  static let notWebsocket: String = {
    let word = "websocket"
    let differing = word.indices.map { word[..<$0] + "[^\(word[$0])]" }.joined(separator: "|")
    return "(?i)(?:\(differing)).*|.{0,\(word.count - 1)}|.{\(word.count + 1),}"
  }()

  private func envoyHost(_ host: RecipeHost) -> String {
    let isUsual = host.origin.authority == host.origin.host
    let names =
      isUsual
      ? "\"\(host.origin.host)\", \"\(host.origin.host):\(host.origin.port)\""
      : "\"\(host.origin.authority)\""
    let isFirst = host.origin == hosts.first?.origin
    let anchor = isFirst ? "&unjudged " + Self.envoyUnjudged : "*unjudged"
    let check = """
      - name: \(hasSeveralHosts ? label(host) : "site")
        domains: [\(hasSeveralHosts ? names : "\"*\"")]
        routes:
        - match: {prefix: \(prefix)check}
          direct_response: {status: 404}
          typed_per_filter_config: {envoy.filters.http.ext_authz: \(anchor)}

      """
    let pages =
      (["prefix: \(prefix)"] + [host.description.map { "path: \($0)" }].compactMap(\.self))
      .map { match in
        """
          - match: {\(match)}
            route: {cluster: gate}
            typed_per_filter_config: {envoy.filters.http.ext_authz: *unjudged}

        """
      }
    return check + pages.joined() + """
        - match: {prefix: /}
          route: {cluster: \(envoyCluster(host)), timeout: 0s}

      """
  }

  private static let envoyUnjudged = """
    {
          "@type": type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthzPerRoute, disabled: true}
    """

  private func envoyCluster(_ host: RecipeHost) -> String {
    hasSeveralHosts ? label(host) : "application"
  }

  private var envoyFilters: String {
    let copied = headers.map { "{exact: \($0.lowercasedASCII)}" }.joined(separator: ", ")
    return """
      - name: client-headers
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua
          default_source_code:
            inline_string: |
      \(Self.indented(Self.envoyClientHeaders, 8))\
      - name: envoy.filters.http.ext_authz
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthz
          status_on_error: {code: ServiceUnavailable}
          allowed_headers: {patterns: [{safe_regex: {regex: ".*"}}]}
          # What concerns one connection alone.
          disallowed_headers: {patterns: [{exact: connection}, {exact: expect}, {exact: te}, {exact: trailer}, \
      {exact: transfer-encoding}]}
          http_service:
            server_uri: {uri: "\(gateAddress)", cluster: gate, timeout: 10s}
            path_prefix: \(prefix)check
            authorization_response:
              allowed_upstream_headers: {patterns: [\(copied)]}
      - name: gate-cookies
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua
          default_source_code:
            inline_string: |
      \(Self.indented(envoyCookies, 8))\
      - name: envoy.filters.http.router
        typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}

      """
  }

  /// Envoy takes what follows a request with `Upgrade: websocket` for the new protocol, whatever its method and length: of a request
  /// that goes on as HTTP/1.1, no byte beyond its length may reach the application, which would read a second request in it. Envoy does not
  /// tell a body in chunks from none: without `Content-Length` the methods alone that have no body go on.
  private static let envoyClientHeaders = """
    function envoy_on_request(handle)
      local headers = handle:headers()
      -- Envoy joins two Host headers.
      if headers:get(":authority"):find(",", 1, true) then return handle:respond({[":status"] = "400"}, "") end
      local lines = 0
      for _ in pairs(headers) do lines = lines + 1 end
      if lines > 100 then return handle:respond({[":status"] = "431"}, "") end
      if not headers:get("upgrade") then return end
      local length, method = headers:get("content-length"), headers:get(":method")
      if method == "GET" and not length then
        -- In place of the client's list.
        headers:replace("connection", "upgrade")
        return
      end
      -- It goes on as HTTP/1.1, and nothing beyond its length with it.
      if not length and (method == "HEAD" or method == "OPTIONS" or method == "DELETE") then length = "0" end
      if not length then return handle:respond({[":status"] = "400"}, "") end
      headers:replace("content-length", length)
      headers:remove("upgrade")
      headers:remove("connection")
      local rest = tonumber(length)
      for chunk in handle:bodyChunks() do
        if chunk:length() > rest then chunk:setBytes(chunk:getBytes(0, rest)) end
        rest = rest - chunk:length()
      end
    end

    """

  private var envoyCookies: String {
    let list = { (names: [String]) in names.map { "[\"\($0)\"] = true" }.joined(separator: ", ") }
    let beginnings = GateCookies.beginnings.map { "\"\($0)\"" }.joined(separator: ", ")
    return """
      -- The Cookie header without the cookies of the gate.
      local prefix = ("\(cookiePrefix)session"):sub(1, -8)
      local names, beginnings = {\(list(GateCookies.names))}, {\(beginnings)}
      local function is_of_gate(name)
        if name:sub(1, #prefix) ~= prefix then return false end
        name = name:sub(#prefix + 1)
        if prefix == "" then name = name:gsub("^__Host%-", "") end
        for _, beginning in ipairs(beginnings) do
          if name:sub(1, #beginning) == beginning then return true end
        end
        return names[name]
      end
      function envoy_on_request(handle)
        local headers, rest = handle:headers(), {}
        if not headers:get("cookie") or (headers:get(":path") or ""):sub(1, \(prefix.utf8.count)) == "\(prefix)" then return end
        for number = 0, headers:getNumValues("cookie") - 1 do
          for pair in headers:getAtIndex("cookie", number):gmatch("[^;]+") do
            pair = pair:match("^%s*(.*)$")
            if pair ~= "" and not is_of_gate(pair:match("^[^=%s]*")) then table.insert(rest, pair) end
          end
        end
        headers:remove("cookie")
        if #rest > 0 then headers:add("cookie", table.concat(rest, "; ")) end
      end

      """
  }

  private var envoyCertificates: String {
    let files = hosts.filter(\.isSecure).map { host in
      "        - {certificate_chain: {filename: \(host.fileName).crt}, private_key: {filename: \(host.fileName).key}}\n"
    }
    guard !files.isEmpty else { return "" }
    return """
      transport_socket:
        name: envoy.transport_sockets.tls
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext
          common_tls_context:
            alpn_protocols: [h2, http/1.1]
            tls_certificates:
      \(files.joined())
      """
  }

  private var envoyClusters: String {
    let places = [("gate", gate)] + hosts.map { (envoyCluster($0), $0.application) }
    return places.map { name, place in
      """
      - name: \(name)
        type: STRICT_DNS
        load_assignment: {cluster_name: \(name), endpoints: [{lb_endpoints: [{endpoint: {address: {
          socket_address: {address: \(place.host), port_value: \(place.port)}}}}]}]}

      """
    }.joined()
  }
}
