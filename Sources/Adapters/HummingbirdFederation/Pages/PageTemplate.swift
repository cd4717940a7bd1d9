#if Server
  import SecurityKeys
  import TokenBasics

  /// The one template of all pages, with that of a field and its script. ``PageStyle`` has the style.
  enum PageTemplate {
    static let text = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>{{heading}} – {{title}}</title><style>{{{style}}}</style></head>
      <body{{#width}} class="{{.}}"{{/width}}><header>{{#logo}}<img class="mark" src="{{.}}" alt="">{{/logo}}{{^logo}}<span class="mark" aria-hidden="true">{{serviceInitial}}</span>{{/logo}}{{title}}{{#hasMenu}}<div class="corner">{{#menu}}<a href="{{address}}">{{text}}</a>{{/menu}}
      {{#setting}}<details><summary>{{formHeading}}</summary><form method="post" action="{{address}}">
      {{#inputs}}\(field){{/inputs}}<button>{{button}}</button></form></details>{{/setting}}</div>{{/hasMenu}}</header>
      <main><h1>{{heading}}</h1>
      {{#outcome}}<p class="outcome" role="status">{{.}}</p>
      {{/outcome}}{{#notes}}<p>{{.}}</p>
      {{/notes}}{{#search}}<form method="get" action="{{address}}">
      {{#fields}}<input type="hidden" name="{{name}}" value="{{value}}">
      {{/fields}}<label for="{{field}}">Name of your organisation</label>
      <div class="search"><input id="{{field}}" name="{{field}}" list="names" autocomplete="organization" required>
      <datalist id="names">{{#names}}<option value="{{.}}"></option>{{/names}}</datalist>
      <button class="primary">Find</button></div></form>
      {{/search}}{{#hasEntries}}<ul class="entries">
      {{#entries}}<li{{#isMarked}} class="marked"{{/isMarked}}><div><h2>{{#entryAddress}}<a href="{{.}}">{{/entryAddress}}{{entryHeading}}{{#entryAddress}}</a>{{/entryAddress}}</h2>
      {{#remarks}}<p class="remarks">{{.}}</p>{{/remarks}}{{#entryText}}<p class="said">{{.}}</p>{{/entryText}}</div>
      {{#entryLink}}<a class="button" href="{{address}}" aria-label="{{name}}">{{text}}</a>{{/entryLink}}</li>
      {{/entries}}</ul>
      {{/hasEntries}}{{#hasProviders}}<ul class="choices">
      {{#providers}}<li><a class="choice" href="{{address}}"{{#initial}} data-mark="{{.}}"{{/initial}}{{#remark}} data-remark="{{.}}"{{/remark}}>{{name}}</a></li>
      {{/providers}}</ul>
      {{/hasProviders}}{{#tables}}<section>{{#isFolded}}<details><summary>{{caption}}</summary>{{/isFolded}}<table role="table">
      <caption{{#isFolded}} class="hidden"{{/isFolded}}>{{caption}}</caption>
      <thead role="rowgroup"><tr role="row">{{#heads}}<th scope="col" role="columnheader">{{.}}</th>{{/heads}}</tr></thead>
      <tbody role="rowgroup">{{#rows}}<tr role="row">{{#cells}}<td role="cell" data-of="{{head}}">{{text}}{{#rowLink}}<a href="{{address}}">{{linkText}}</a>{{/rowLink}}</td>{{/cells}}</tr>
      {{/rows}}</tbody></table>{{#isEmpty}}<p>None yet.</p>{{/isEmpty}}{{#isFolded}}</details>{{/isFolded}}</section>
      {{/tables}}{{#form}}<form method="post" action="{{address}}">
      {{#fields}}<input type="hidden" name="{{name}}" value="{{value}}">
      {{/fields}}<button class="primary">{{button}}</button></form>
      {{/form}}{{#forms}}<form method="post" action="{{address}}"{{#isGroup}} class="group"{{/isGroup}}>
      {{#formHeading}}<h2>{{.}}</h2>
      {{/formHeading}}{{#fields}}<input type="hidden" name="{{name}}" value="{{value}}">
      {{/fields}}{{#inputs}}\(field){{/inputs}}<button class="{{kind}}"{{#mark}} data-mark="{{.}}"{{/mark}}>{{button}}</button></form>
      {{/forms}}{{#question}}<form method="post" action="{{address}}">
      <input type="hidden" name="token" value="{{token}}"><button class="primary">{{button}}</button></form>
      {{/question}}{{#links}}<p><a class="button {{kind}}" href="{{address}}">{{text}}</a></p>
      {{/links}}{{#link}}<p class="onward"><a href="{{address}}">{{text}}</a></p>
      {{/link}}{{#signOutImages}}<img src="{{.}}" alt="" width="1" height="1">{{/signOutImages}}</main>
      {{#details}}<footer><p>Code <code>{{code}}</code></p>{{#reference}}<p>Number <code>{{reference}}</code></p>{{/reference}}</footer>
      {{/details}}{{#script}}<script>{{{script}}}</script>{{/script}}</body></html>

      """

    /// A field that a person fills in, with its label.
    static let field = """
      <div class="field"><label for="{{id}}">{{label}}</label>
      {{#isChoice}}<select id="{{id}}" name="{{name}}">{{#choices}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{text}}</option>{{/choices}}</select>
      {{/isChoice}}{{#isLong}}<textarea id="{{id}}" name="{{name}}" rows="4" autocomplete="off">{{value}}</textarea>{{/isLong}}\
      {{^isLong}}{{^isChoice}}<input id="{{id}}" name="{{name}}" type="{{type}}" value="{{value}}" autocomplete="{{completion}}"{{#list}} list="{{.}}"{{/list}}>
      {{#list}}<datalist id="{{.}}">{{/list}}{{#suggestions}}<option value="{{.}}"></option>{{/suggestions}}{{#list}}</datalist>
      {{/list}}{{/isChoice}}{{/isLong}}</div>

      """

    static let script = "document.forms[0].submit()"

    static let styleHash = hash(PageStyle.text)
    static let scriptHash = hash(script)

    /// A source of Content Security Policy Level 3, 2.3.1: this text and no other.
    private static func hash(_ text: String) -> String {
      let digest = DigestAlgorithm.sha256.digest(of: Array(text.utf8)) ?? []
      return "'sha256-" + Base64.encode(digest) + "'"
    }
  }
#endif
