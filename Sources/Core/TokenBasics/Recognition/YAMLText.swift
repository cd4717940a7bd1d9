/// YAML, by its lines and by the names of its first members.
enum YAMLText {
  /// YAML with its program where that is known, else with the names of its members.
  static func named(_ sample: TextSample) -> RecognisedText {
    let members = TextOutline.membersOfYAML(sample)
    let known = programs.first { row in row.members.allSatisfy(members.contains) }
    let shown = members.isEmpty ? "" : " (\(TextOutline.list(members)))"
    // A trust file that was written as YAML stays one.
    let program = members.contains("issuers") ? nil : known?.name
    return RecognisedText(.yaml, detail: program, name: program ?? "YAML\(shown)")
  }

  private static let programs: [(members: [String], name: String)] = [
    (["openapi"], "an OpenAPI description in YAML"),
    (["swagger"], "an OpenAPI description in YAML (Swagger)"),
    (["services"], "YAML of Docker Compose"), (["spring"], "YAML of Spring Boot"),
    (["management"], "YAML of Spring Boot"), (["quarkus"], "YAML of Quarkus"),
    (["micronaut"], "YAML of Micronaut"), (["mp"], "YAML of MicroProfile"),
    (["on", "jobs"], "YAML of a workflow (GitHub Actions)"),
    (["stages"], "YAML of a pipeline (GitLab)"), (["pipeline"], "YAML of a pipeline"),
    (["steps"], "YAML of a pipeline"), (["http", "url"], "YAML of a request (Bruno)"),
    (["replicaCount"], "values of a Helm chart (YAML)"),
    (["image", "service"], "values of a Helm chart (YAML)"),
    (["apiVersion", "name", "version"], "a Helm chart (Chart.yaml)"),
    (["AWSTemplateFormatVersion"], "a template of CloudFormation"),
    (["Resources"], "a template of CloudFormation"),
    (["static_resources"], "YAML of Envoy"), (["_format_version"], "YAML of Kong"),
    (["http", "providers"], "YAML of Traefik"), (["entryPoints"], "YAML of Traefik"),
    (["issuer", "storage"], "YAML of Dex"), (["authentication_backend"], "YAML of Authelia"),
    (["scrape_configs"], "YAML of Prometheus"),
    (["receivers", "exporters"], "YAML of OpenTelemetry"),
  ]

  /// A name, a colon, and nothing or a value behind it that is no sentence.
  static func isPair(_ line: Substring) -> Bool {
    guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return false }
    let name = line[..<colon]
    let value = line[line.index(after: colon)...]
    return name.allSatisfy { $0.isLetter || $0.isNumber || "_-.\"'/".contains($0) }
      && (value.isEmpty || value.first == " ")
      && (value.split(separator: " ").count <= 6
        || "\"'[{".contains(value.dropFirst().first ?? " "))
  }
}
