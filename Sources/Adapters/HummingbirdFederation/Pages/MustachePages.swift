#if Server
  import Mustache
  import Octets
  import SecurityKeys
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

  /// The one template of all pages, with its style and its script.
  enum PageTemplate {
    static let text = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>{{heading}} – {{title}}</title><style>{{{style}}}</style></head>
      <body><main><p class="service">{{title}}</p><h1>{{heading}}</h1>
      {{#notes}}<p>{{.}}</p>
      {{/notes}}{{#tables}}<table><caption>{{caption}}</caption>
      <thead><tr>{{#heads}}<th scope="col">{{.}}</th>{{/heads}}</tr></thead>
      <tbody>{{#rows}}<tr>{{#cells}}<td>{{.}}</td>{{/cells}}</tr>
      {{/rows}}</tbody></table>
      {{/tables}}{{#providers}}<p><a class="button" href="{{address}}">{{name}}</a></p>
      {{/providers}}{{#search}}<form method="get" action="{{address}}">
      {{#fields}}<input type="hidden" name="{{name}}" value="{{value}}">
      {{/fields}}<label for="{{field}}">Or type the name of your organisation</label>
      <input id="{{field}}" name="{{field}}" list="names" autocomplete="off" required>
      <datalist id="names">{{#names}}<option value="{{.}}"></option>{{/names}}</datalist>
      <button>Continue</button></form>
      {{/search}}{{#form}}<form method="post" action="{{address}}">
      {{#fields}}<input type="hidden" name="{{name}}" value="{{value}}">
      {{/fields}}<button>{{button}}</button></form>
      {{/form}}{{#forms}}<form method="post" action="{{address}}">
      {{#fields}}<input type="hidden" name="{{name}}" value="{{value}}">
      {{/fields}}{{#inputs}}<label>{{label}}
      <input name="{{name}}" type="{{type}}" value="{{value}}" autocomplete="off"></label>
      {{/inputs}}<button>{{button}}</button></form>
      {{/forms}}{{#question}}<form method="post" action="{{address}}">
      <input type="hidden" name="token" value="{{token}}"><button>{{button}}</button></form>
      {{/question}}{{#link}}<p><a href="{{address}}">{{text}}</a></p>
      {{/link}}{{#details}}<p class="details">Code <code>{{code}}</code>{{#reference}}, number <code>{{reference}}</code>{{/reference}}</p>
      {{/details}}{{#signOutImages}}<img src="{{.}}" alt="" width="1" height="1">{{/signOutImages}}</main>{{#script}}<script>{{{script}}}</script>{{/script}}</body></html>

      """

    static let style =
      "body{font:1.1rem/1.5 system-ui,sans-serif;margin:0;color:#1b1b1b;background:#fff}"
      + "main{max-width:32rem;margin:0 auto;padding:3rem 1.5rem}.service{color:#595959;margin:0}"
      + "h1{font-size:1.6rem;margin:.2rem 0 1.5rem}"
      + "a.button,button{display:block;width:100%;box-sizing:border-box;padding:.8rem 1rem;"
      + "border:1px solid #6b6b6b;border-radius:.4rem;font:inherit;text-align:left;color:inherit;"
      + "background:transparent;text-decoration:none;cursor:pointer}"
      + "main:has(table){max-width:56rem}form{margin:.5rem 0}table{border-collapse:collapse;width:100%;margin:1rem 0;font-size:.95rem}"
      + "caption{text-align:left;font-weight:600;padding:.3rem 0}"
      + "th,td{text-align:left;vertical-align:top;padding:.35rem .6rem .35rem 0;"
      + "border-bottom:1px solid #c4c4c4;overflow-wrap:anywhere}th{overflow-wrap:normal}td{min-width:3rem}"
      + "label,form>input,label>input{display:block;width:100%;box-sizing:border-box;font:inherit;margin:.5rem 0}"
      + "form>input,label>input{padding:.7rem 1rem;border:1px solid #6b6b6b;border-radius:.4rem;color:inherit;"
      + "background:transparent}a{color:#0b57d0}:focus-visible{outline:3px solid #0b57d0;outline-offset:2px}"
      + ".details{color:#595959;font-size:.9rem}"
      + "@media(prefers-color-scheme:dark){body{color:#ececec;background:#161616}"
      + ".service,.details{color:#b0b0b0}a{color:#8ab4f8}:focus-visible{outline-color:#8ab4f8}}"

    static let script = "document.forms[0].submit()"

    static let styleHash = hash(style)
    static let scriptHash = hash(script)

    /// A source of Content Security Policy Level 3, 2.3.1: this text and no other.
    private static func hash(_ text: String) -> String {
      let digest = DigestAlgorithm.sha256.digest(of: Array(text.utf8)) ?? []
      return "'sha256-" + Base64.encode(digest) + "'"
    }
  }
#endif
