#if Server
  import Mustache
  public import SignIn

  /// The default pages: plain HTML that a keyboard and a screen reader use, light or dark as the person has it,
  /// with no script but the one that posts a form. Every value is escaped by the template engine.
  public struct MustachePages: PageRenderer {
    private let template: MustacheTemplate?
    private let title: String

    /// - Parameter title: The name of the service, on top of every page.
    public init(title: String) {
      self.title = title
      template = try? MustacheTemplate(string: PageTemplate.text)
    }

    /// The HTML, and the policy that allows its style and, for a form, its script alone.
    public func html(_ page: SitePage) -> (html: String, policy: String) {
      var values = Self.values(page)
      values["title"] = title
      values["style"] = PageTemplate.style
      let isForm = values["form"] != nil
      if isForm { values["script"] = PageTemplate.script }
      let policy =
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src "
        + PageTemplate.styleHash + (isForm ? "; script-src " + PageTemplate.scriptHash : "")
        + (values["signOutImages"] != nil ? "; img-src *" : "")
      return (template?.render(values) ?? title, policy)
    }

    /// What the template shows; a section without a value is left out.
    private static func values(_ page: SitePage) -> [String: Any] {
      optionalValues(page).compactMapValues { $0 }
    }

    private static func optionalValues(_ page: SitePage) -> [String: Any?] {
      switch page {
      case .providers(let choice):
        [
          "heading": "Sign in",
          "notes": [
            choice.search?.isInVain ?? false
              ? "No provider has that name. Try a part of it." : "Choose where you have an account."
          ],
          "providers": choice.providers.map { ["name": $0.name, "address": $0.address] },
          "search": choice.search.map { search -> [String: Any] in
            [
              "address": search.address, "field": ChoicePage.field, "names": search.names,
              "fields": search.fields.map { ["name": $0.name, "value": $0.value] },
            ]
          },
        ]
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
        ]
      case .content(let content): Self.values(content)
      case .signedOut(let note, let address):
        [
          "heading": "You are signed out",
          "notes": note.map { [$0] } ?? [],
          "link": ["address": address, "text": "To the front page"],
        ]
      case .refusal(let refusal):
        [
          "heading": "You are not signed in",
          "notes": [refusal.sentence, refusal.advice],
          "details": ["code": refusal.code, "reference": refusal.reference],
          "link": refusal.retry.map { ["address": $0, "text": "Try again"] },
        ]
      }
    }

    private static func values(_ content: PageContent) -> [String: Any?] {
      [
        "heading": content.heading, "notes": content.notes,
        "tables": content.tables.map { table -> [String: Any] in
          [
            "caption": table.caption, "heads": table.heads,
            "rows": table.rows.map { ["cells": $0] },
          ]
        },
        "providers": content.links.map { ["name": $0.text, "address": $0.address] },
        "forms": content.forms.map { form -> [String: Any] in
          [
            "address": form.address, "button": form.button,
            "fields": form.fields.map { ["name": $0.name, "value": $0.value] },
            "inputs": form.inputs.map {
              ["name": $0.name, "label": $0.label, "value": $0.value, "type": $0.type]
            },
          ]
        },
        "signOutImages": content.signOutImages.isEmpty ? nil : content.signOutImages,
        "details": content.details.map { details in
          ["code": details.code, "reference": details.reference].compactMapValues { $0 }
        },
        "link": content.nextLink.map { ["address": $0.address, "text": $0.text] },
      ]
    }
  }
#endif
