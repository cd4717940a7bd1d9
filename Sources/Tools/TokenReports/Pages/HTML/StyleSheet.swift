import SecurityKeys
import TokenBasics

/// The one style sheet of a page. The page's policy names its digest, so that no other style has an effect.
enum StyleSheet {
  static let text = PagePalette.text + own

  private static let own = """
    *{box-sizing:border-box}
    body{margin:0;padding:1rem 0 3rem;background:var(--card);color:var(--fg);\
    font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
    main,header,footer{max-width:68rem;margin:0 auto;padding:0 1rem}
    main>section{background:var(--bg);border:1px solid var(--line);border-radius:.75rem;padding:.25rem 1.5rem 1.5rem;\
    margin:1rem 0}
    h1{font-size:1.75rem;line-height:1.25;letter-spacing:-.01em;margin:1.5rem 0 .5rem;text-wrap:balance}
    h2{font-size:1rem;color:var(--dim);margin:1.25rem 0 .75rem;overflow-wrap:anywhere}
    h3{font-size:1.125rem;margin:2rem 0 .5rem;padding-top:1.5rem;border-top:1px solid var(--line)}
    p,ul,ol,dl{margin:.5rem 0}a{color:var(--link)}
    .note{color:var(--dim)}
    .verdict{border-left:.375rem solid;border-radius:.5rem;padding:1rem 1.25rem;margin:0 0 1rem;color:var(--fg)}
    .verdict.ok{border-color:var(--ok);background:var(--okbg)}
    .verdict.no{border-color:var(--bad);background:var(--badbg)}
    .word{font-size:1.125rem;font-weight:700;margin:0 0 .5rem}.word code{font-size:1rem}
    .ok .word{color:var(--ok)}.no .word{color:var(--bad)}
    .sum{overflow-wrap:anywhere;border-left:.3rem solid var(--line);padding:.25rem .75rem;font-weight:600}
    .sum.odd{border-color:var(--warn);background:var(--warnbg)}
    dl.f{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem}
    dl.f dt{font-weight:600}dl.f dd{margin:0;min-width:0;overflow-wrap:anywhere}
    table{border-collapse:collapse;width:100%;margin:.5rem 0}
    caption{text-align:left;color:var(--dim);padding:.25rem 0}
    th,td{border-bottom:1px solid var(--line);padding:.45rem .75rem .45rem 0;text-align:left;vertical-align:top;\
    overflow-wrap:break-word}
    thead th{color:var(--dim);font-size:.8125rem}tbody th{font-weight:600}
    tr.failed>*{background:var(--badbg);border-color:var(--bad)}tr.failed>:first-child{padding-left:.75rem;\
    box-shadow:inset .25rem 0 var(--bad)}tr.skipped>*{color:var(--dim)}
    .diff{background:var(--bad);color:var(--bg);border-radius:.2rem;padding:0 .15rem;font-weight:600}
    .st{font-weight:700;white-space:nowrap}.st.passed{color:var(--ok)}.st.failed{color:var(--bad)}\
    .st.skipped{color:var(--dim)}
    code,pre,.doc,.v,.m{font-family:ui-monospace,"DejaVu Sans Mono",Consolas,monospace;font-size:.875rem}
    pre{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.5rem .75rem;white-space:pre-wrap;\
    overflow-wrap:anywhere;margin:.5rem 0}
    details{margin:.75rem 0}summary{cursor:pointer;font-weight:600;color:var(--link)}
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
    @media (min-width:50rem){td[data-of=Expected]{min-width:10rem}td[data-of=Where]{min-width:14rem}}
    @media (max-width:40rem){
    dl.f{grid-template-columns:1fr;gap:0}dl.f dd{margin-bottom:.5rem}.k{padding-left:.5rem}
    table,thead,tbody,tr,th,td,caption{display:block}thead{position:absolute;width:1px;height:1px;\
    overflow:hidden;clip-path:inset(50%)}
    tr{border:1px solid var(--line);border-radius:.5rem;margin-bottom:.5rem;padding:.4rem .75rem}
    main>section{padding:.25rem 1rem 1rem}tr.failed{background:var(--badbg);border-color:var(--bad)}\
    tr.failed>:first-child{padding-left:0;box-shadow:none}h1{font-size:1.375rem}
    td,th{border:0;padding:.1rem 0}td:empty{display:none}td[data-of]::before{content:attr(data-of) ": ";color:var(--dim)}
    }
    @media print{body{font-size:10pt}details::details-content{content-visibility:visible}main,header,footer{max-width:none}nav{display:none}
    .verdict,tr,.l{break-inside:avoid}h2,h3{break-after:avoid}*{print-color-adjust:exact}}
    """

  /// The source expression of the policy (Content Security Policy 3, 2.3.1).
  static var source: String {
    let digest = DigestAlgorithm.sha256.digest(of: Array(text.utf8)) ?? []
    return "'sha256-\(Base64.encode(digest))'"
  }
}
