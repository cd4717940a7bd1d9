#if Server
  import Mustache
  import SecurityKeys
  public import SignIn

  /// The default pages: plain HTML that a keyboard and a screen reader use, light or dark as the person has it,
  /// with no script but the one that posts a form. Every value is escaped by the template engine.
  public struct MustachePages: PageRenderer {
    private let template: MustacheTemplate?
    private let title: String
    private let logo: PageLogo?

    /// - Parameters:
    ///   - title: The name of the service, on top of every page.
    ///   - logo: Its logo, before the name; nil for the first letter of it.
    public init(title: String, logo: PageLogo? = nil) {
      self.title = title
      self.logo = logo
      template = try? MustacheTemplate(string: PageTemplate.text)
    }

    /// The HTML, and the policy that allows its style and, for a form, its script alone.
    public func html(_ page: SitePage) -> (html: String, policy: String) {
      var values = Self.values(page)
      values["title"] = title
      values["serviceInitial"] = Self.initial(title)
      if let logo { values["logo"] = logo.address }
      values["style"] = PageStyle.text
      let isForm = values["form"] != nil
      if isForm { values["script"] = PageTemplate.script }
      let policy =
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src "
        + PageTemplate.styleHash + (isForm ? "; script-src " + PageTemplate.scriptHash : "")
        + imagePolicy(hasSignOut: values["signOutImages"] != nil)
      return (template?.render(values) ?? title, policy)
    }

    private func imagePolicy(hasSignOut: Bool) -> String {
      let sources = (hasSignOut ? ["*"] : []) + (logo == nil ? [] : ["data:"])
      return sources.isEmpty ? "" : "; img-src " + sources.joined(separator: " ")
    }

    /// What the template shows; a section without a value is left out.
    private static func values(_ page: SitePage) -> [String: Any] {
      optionalValues(page).compactMapValues { $0 }
    }

    private static func optionalValues(_ page: SitePage) -> [String: Any?] {
      switch page {
      case .providers(let choice): Self.values(choice)
      case .form(let address, let fields):
        [
          "heading": "Signing in",
          "form": [
            "address": address.text, "button": "Continue",
            "fields": fields.map { ["name": $0.name, "value": $0.value] },
          ] as [String: Any],
        ]
      case .confirmSignOut(let provider, let address, let token):
        [
          "heading": "Sign out",
          "notes": ["You signed in by \(provider). You may be signed out there too."],
          "question": [
            "address": address, "button": "Sign out", "token": token,
          ],
          "link": ["address": "/", "text": "Stay signed in"],
        ]
      case .content(let content): Self.values(content)
      case .forbidden(let page): Self.values(page)
      case .signedOut(let note, let address):
        [
          "heading": "You are signed out",
          "notes": [note ?? "You can close this window."],
          "links": [["address": address, "text": "To the front page", "kind": "usual"]],
        ]
      case .refusal(let refusal):
        [
          "heading": "You are not signed in",
          "notes": [refusal.sentence, refusal.advice],
          "details": ["code": refusal.code, "reference": refusal.reference],
          "links": refusal.retry.map {
            [["address": $0, "text": "Try again", "kind": "primary"]]
          },
          "link": ["address": "/", "text": "To the front page"],
        ]
      }
    }

    private static func values(_ choice: ChoicePage) -> [String: Any?] {
      [
        "heading": choice.application.map { "Sign in to \($0)" } ?? "Sign in",
        "notes": [instruction(choice)],
        "hasProviders": choice.providers.isEmpty ? nil : true,
        "providers": choice.providers.enumerated().map { number, provider in
          [
            "name": provider.name, "address": provider.address,
            "initial": Self.initial(provider.name),
            "remark": choice.isLastFirst && number == 0 ? "Last used" : nil,
          ].compactMapValues { $0 }
        },
        "link": choice.cancel.map { ["address": $0, "text": "Cancel"] },
        "search": choice.search.map { search -> [String: Any] in
          [
            "address": search.address, "field": ChoicePage.field, "names": search.names,
            "fields": search.fields.map { ["name": $0.name, "value": $0.value] },
          ]
        },
      ]
    }

    private static func instruction(_ choice: ChoicePage) -> String {
      guard let search = choice.search else { return "Choose where you have an account." }
      if search.isInVain { return "No provider has that name. Try a part of it." }
      if search.matches < search.names.count, search.matches > choice.providers.count {
        return
          "\(search.matches) of \(search.names.count) names fit; these are the first. Type more of the name."
      }
      return choice.providers.count < search.names.count
        ? "Choose where you have an account, or find it among \(search.names.count) by a part of its name."
        : "Choose where you have an account."
    }

    private static func values(_ page: ForbiddenPage) -> [String: Any?] {
      [
        "heading": page.needsStrongerSignIn
          ? "Your sign-in is not strong enough" : "This page is not for you",
        "notes": [
          "You are signed in as \(page.subject) by \(page.provider).", reason(page),
        ],
        "links": [
          page.signIn.map { ["address": $0, "text": "Use another account", "kind": "primary"] },
          ["address": page.signOut, "text": "Sign out", "kind": "usual"],
        ].compactMap { $0 },
        "link": ["address": "/", "text": "To the front page"],
        "details": ["code": page.code, "reference": page.reference],
      ]
    }

    private static func reason(_ page: ForbiddenPage) -> String {
      page.needsStrongerSignIn
        ? "This page needs a stronger sign-in than the one that your provider reports, such as one with a second "
          + "factor. Sign in again in that way; if you did, tell the people who run this site the number below."
        : "The rules of this site do not let you in here. If they should, tell the people who run it the number below."
    }

    private static func values(_ content: PageContent) -> [String: Any?] {
      [
        "heading": content.heading, "notes": content.notes, "outcome": content.outcome,
        "width": width(of: content),
        "hasMenu": content.menu.isEmpty && content.setting == nil ? nil : true,
        "menu": content.menu.map { ["address": $0.address, "text": $0.text] },
        "setting": content.setting.map { Self.values($0, "setting") },
        "hasEntries": content.entries.isEmpty ? nil : true,
        "entries": content.entries.map(Self.values),
        "tables": content.tables.map(Self.values),
        "hasProviders": content.links.isEmpty ? nil : true,
        "providers": content.links.map { ["name": $0.text, "address": $0.address] },
        "forms": content.forms.enumerated().map { number, form in
          Self.values(form, "form\(number)")
        },
        "links": content.primaryLink.map {
          [["address": $0.address, "text": $0.text, "kind": "primary"]]
        },
        "signOutImages": content.signOutImages.isEmpty ? nil : content.signOutImages,
        "details": content.details.map { details in
          ["code": details.code, "reference": details.reference].compactMapValues { $0 }
        },
        "link": content.nextLink.map { ["address": $0.address, "text": $0.text] },
      ]
    }

    /// How wide the page is: a list and a table need more room than a question, and many columns all of it.
    private static func width(of content: PageContent) -> String? {
      let columns = content.tables.map { $0.heads.count + ($0.links.isEmpty ? 0 : 1) }.max() ?? 0
      return columns > 3 ? "wide" : columns > 0 || !content.entries.isEmpty ? "roomy" : nil
    }

    private static func values(_ entry: PageContent.Entry) -> [String: Any] {
      let values: [String: Any?] = [
        "entryHeading": entry.heading, "entryAddress": entry.address, "entryText": entry.text,
        "remarks": entry.remarks.isEmpty ? nil : entry.remarks.joined(separator: " · "),
        "isMarked": entry.isMarked ? true : nil,
        "entryLink": entry.link.map { link -> [String: Any] in
          ["address": link.address, "text": link.text, "name": "\(link.text): \(entry.heading)"]
        },
      ]
      return values.compactMapValues { $0 }
    }

    /// A table; each cell knows the head of its column, which a telephone shows beside it.
    private static func values(_ table: PageContent.Table) -> [String: Any] {
      let rows = table.rows.enumerated().map { number, row -> [String: Any] in
        var cells = zip(table.heads, row).map { head, text -> [String: Any] in
          ["head": head, "text": text]
        }
        if table.links.indices.contains(number), let link = table.links[number] {
          cells.append([
            "head": "", "text": "", "rowLink": ["address": link.address, "linkText": link.text],
          ])
        }
        return ["cells": cells]
      }
      var values: [String: Any] = [
        "caption": table.caption,
        "heads": table.heads + (table.links.contains { $0 != nil } ? ["Change"] : []), "rows": rows,
      ]
      if table.isFolded { values["isFolded"] = true }
      if table.rows.isEmpty { values["isEmpty"] = true }
      return values
    }

    private static func values(_ form: PageContent.Form, _ name: String) -> [String: Any] {
      let asksPassword = form.inputs.contains { $0.type == "password" }
      var values: [String: Any] = [
        "address": form.address, "button": form.button,
        "inputs": form.inputs.map {
          Self.values($0, "\(name)-\($0.name)", besidePassword: asksPassword)
        },
        "fields": form.fields.map { ["name": $0.name, "value": $0.value] },
        "kind": kind(form.action),
      ]
      if case .choice = form.action { values["mark"] = initial(form.button) }
      if let heading = form.heading { values["formHeading"] = heading }
      if form.heading != nil || form.inputs.count > 1 { values["isGroup"] = true }
      return values
    }

    /// The class of a button.
    private static func kind(_ action: PageContent.Action) -> String {
      switch action {
      case .primary: "primary"
      case .usual: "usual"
      case .removal: "removal"
      case .choice: "choice"
      case .aside: "aside"
      }
    }

    private static func values(
      _ input: PageContent.Form.Input, _ id: String, besidePassword: Bool
    ) -> [String: Any] {
      var values: [String: Any] = [
        "id": id, "name": input.name, "label": input.label, "value": input.value,
        "type": input.type,
        "completion": input.type == "password"
          ? "current-password" : besidePassword ? "username" : "off",
        "suggestions": input.suggestions,
        "choices": input.choices.map { choice -> [String: Any] in
          var option: [String: Any] = ["value": choice.value, "text": choice.text]
          if choice.value == input.value { option["isChosen"] = true }
          return option
        },
      ]
      if !input.choices.isEmpty { values["isChoice"] = true }
      if input.type == "textarea" { values["isLong"] = true }
      if !input.suggestions.isEmpty { values["list"] = id + "-list" }
      return values
    }

    /// The first letter of a name, for its mark.
    private static func initial(_ name: String) -> String {
      name.first { $0.isLetter || $0.isNumber }.map { $0.uppercased() } ?? "·"
    }
  }
#endif
