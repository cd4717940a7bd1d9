import Octets
import SecurityKeys

/// The one style sheet of a page. The page's policy names its digest, so that no other style has an effect.
enum StyleSheet {
  static let text: StaticString = """
    :root{color-scheme:light dark;--bg:#fff;--fg:#1a1a1a;--dim:#595959;--line:#b5b5b5;--card:#f5f5f5;\
    --ok:#0a5c2b;--okbg:#e3f5e9;--bad:#8c1616;--badbg:#fdeaea;--warn:#734a00;--warnbg:#fff3d6;\
    --name:#1d3f8f;--link:#1d3f8f}
    @media (prefers-color-scheme:dark){:root{--bg:#15181c;--fg:#eceff2;--dim:#a9b1ba;--line:#555d66;\
    --card:#1e2329;--ok:#7be0a0;--okbg:#12301f;--bad:#ff9c9c;--badbg:#3a1717;--warn:#ffd37a;\
    --warnbg:#35290d;--name:#9fc1ff;--link:#9fc1ff}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--bg);color:var(--fg);font:1rem/1.5 system-ui,sans-serif}
    main,header,footer{max-width:70rem;margin:0 auto;padding:0 1rem}
    h1{font-size:1.5rem;margin:1rem 0 .5rem}h2{font-size:1.3rem;margin:2rem 0 .5rem}
    h3{font-size:1.1rem;margin:1.75rem 0 .5rem}
    p,ul,ol,dl{margin:.5rem 0}a{color:var(--link)}
    .note{color:var(--dim)}
    .verdict{border:2px solid;border-left-width:.6rem;border-radius:.4rem;padding:.75rem 1rem;\
    margin:1rem 0;color:var(--fg)}
    .verdict.ok{border-color:var(--ok);background:var(--okbg)}
    .verdict.no{border-color:var(--bad);background:var(--badbg)}
    .word{font-size:1.25rem;font-weight:700;margin:0}
    .ok .word{color:var(--ok)}.no .word{color:var(--bad)}
    .sum{overflow-wrap:anywhere;border-left:.3rem solid var(--line);padding:.25rem .75rem;font-weight:600}
    .sum.odd{border-color:var(--warn);background:var(--warnbg)}
    dl.f{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem}
    dl.f dt{font-weight:600}dl.f dd{margin:0;min-width:0;overflow-wrap:anywhere}
    table{border-collapse:collapse;width:100%;margin:.5rem 0}
    caption{text-align:left;color:var(--dim);padding:.25rem 0}
    th,td{border:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top;\
    overflow-wrap:break-word}
    thead th{background:var(--card)}tbody th{font-weight:600}
    .st{font-weight:700;white-space:nowrap}.st.passed{color:var(--ok)}.st.failed{color:var(--bad)}\
    .st.skipped{color:var(--dim)}
    code,pre,.doc,.v,.m{font-family:ui-monospace,"DejaVu Sans Mono",Consolas,monospace;font-size:.875rem}
    pre{background:var(--card);border:1px solid var(--line);padding:.5rem .75rem;white-space:pre-wrap;\
    overflow-wrap:anywhere;margin:.5rem 0}
    .v{white-space:pre-wrap;unicode-bidi:isolate;overflow-wrap:anywhere}
    .u{border:1px solid var(--warn);color:var(--warn);border-radius:.2rem;padding:0 .1rem}
    .m{color:var(--dim);letter-spacing:-.05em;overflow-wrap:anywhere}
    .vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    .doc{line-height:1.45;overflow-wrap:anywhere}
    .l{padding-left:1.5rem;text-indent:-1.5rem}.l>*{text-indent:0}
    .k{padding-left:1.1rem}
    .n{color:var(--nc,var(--name));font-weight:600}.a{color:var(--ac,inherit)}.n,.a{unicode-bidi:isolate}
    .r{position:relative;border-left:.35rem solid;padding:.1rem 0 .1rem .5rem;margin:.2rem 0;min-width:0}
    .r.signed{border-color:var(--ok);background:var(--okbg);color:var(--fg);--nc:var(--name);--ac:var(--fg)}
    .r.bare{border-left-style:dashed;border-color:var(--line);background:var(--bg);color:var(--dim);\
    --nc:var(--dim);--ac:var(--dim)}
    .r.broken{border-left-style:double;border-color:var(--bad);background:var(--badbg);color:var(--fg);\
    --nc:var(--name);--ac:var(--fg)}
    .rl{font:700 .8rem/1.4 system-ui,sans-serif;margin:0 0 .1rem;text-indent:0}
    .signed>.rl{color:var(--ok)}.broken>.rl{color:var(--bad)}.bare>.rl{color:var(--dim)}
    .bare.alien{border-color:var(--warn);outline:2px dashed var(--warn);outline-offset:-2px}
    .bare.alien>.rl{color:var(--warn)}
    .key{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;padding:0}.key .r{padding:.1rem .6rem}
    .track{width:100%;height:auto;display:block;margin:.5rem 0}
    .track .axis{stroke:var(--line);stroke-width:1}.track .valid{fill:var(--ok)}
    .track .skew{fill:none;stroke:var(--ok);stroke-width:2;stroke-dasharray:4 3}
    .track .now{stroke:var(--fg);stroke-width:3}.track .nowmark{fill:var(--fg)}
    .track .nowskew{fill:var(--dim);fill-opacity:.45}
    .track .issued{fill:var(--warn);stroke:var(--bg);stroke-width:2}
    .sw{display:inline-block;width:1.4em;text-align:center;font-weight:700}
    .sw.valid{background:var(--ok);color:var(--bg)}.sw.skew{border:2px dashed var(--ok)}
    .sw.now{color:var(--fg)}.sw.issued{color:var(--warn)}
    @media (max-width:40rem){
    dl.f{grid-template-columns:1fr;gap:0}dl.f dd{margin-bottom:.5rem}.k{padding-left:.5rem}
    table,thead,tbody,tr,th,td,caption{display:block}thead{position:absolute;width:1px;height:1px;\
    overflow:hidden;clip-path:inset(50%)}
    tr{border:1px solid var(--line);margin-bottom:.5rem;padding:.25rem .5rem}
    td,th{border:0;padding:.1rem 0}td:empty{display:none}td[data-of]::before{content:attr(data-of) ": ";color:var(--dim)}
    }
    @media print{:root{color-scheme:light;--bg:#fff;--fg:#000;--dim:#444;--line:#999;--card:#fff;--ok:#053;\
    --okbg:#eee;--bad:#700;--badbg:#fff;--warn:#530;--warnbg:#fff;--name:#000;--link:#000}
    body{font-size:10pt}main,header,footer{max-width:none}nav{display:none}
    .verdict,tr,.l{break-inside:avoid}h2,h3{break-after:avoid}*{print-color-adjust:exact}}
    """

  /// The source expression of the policy (Content Security Policy 3, 2.3.1).
  static var source: String {
    let digest = DigestAlgorithm.sha256.digest(of: Array(text.description.utf8)) ?? []
    return "'sha256-\(Base64.encode(digest))'"
  }
}
