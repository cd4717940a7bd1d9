#if Server
  import TokenBasics

  /// The style of all pages: one narrow card with one thing to do, wider where there is a table, whose rows are blocks
  /// on a telephone.
  enum PageStyle {
    static let text =
      PagePalette.text + """
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;padding:8vh 1rem 3rem;background:var(--card);color:var(--fg);\
        font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
        header,main,footer{max-width:26rem;margin:0 auto}.roomy>*{max-width:42rem}.wide>*{max-width:64rem}.wide{padding-top:2rem}
        header{display:flex;flex-wrap:wrap;align-items:center;gap:.6rem;margin-bottom:1rem;font-weight:600;overflow-wrap:anywhere}
        .mark{flex:none;display:inline-grid;place-items:center;width:2rem;height:2rem;border-radius:.5rem;object-fit:contain;\
        background:var(--accent);color:var(--on);font-weight:700}img.mark{background:none}
        .corner{margin-left:auto;white-space:nowrap;display:flex;align-items:center;gap:1rem;font-weight:400;font-size:.9375rem}
        .corner details{position:relative}.corner label{white-space:normal}.corner summary{font-size:.9375rem;font-weight:400;color:var(--fg);padding:.3rem .6rem;\
        border:1px solid var(--edge);border-radius:.5rem;background:var(--bg)}
        .corner details>form{position:absolute;right:0;z-index:1;width:16rem;margin:.5rem 0 0;padding:0 1rem 1rem;background:var(--bg);\
        border:1px solid var(--line);border-radius:.75rem;box-shadow:0 8px 24px #0003}
        main{background:var(--bg);border:1px solid var(--line);border-radius:.75rem;padding:1.75rem 1.5rem;\
        box-shadow:0 1px 2px #0000000a,0 8px 24px #0000000d;overflow-wrap:anywhere}
        h1{font-size:1.375rem;line-height:1.3;margin:0 0 .5rem;text-wrap:balance}
        h2{font-size:1.0625rem;margin:0 0 .75rem}p{margin:0 0 1rem;color:var(--dim)}main>:last-child{margin-bottom:0}
        .outcome{background:var(--okbg);color:var(--ok);border-radius:.5rem;padding:.6rem .9rem;font-weight:600}
        a{color:var(--link)}.onward{text-align:center;margin:1.25rem 0 0}.roomy .onward,.wide .onward{text-align:left}main>img{position:absolute}
        .choices{list-style:none;margin:1.25rem 0 0;padding:0;display:grid;gap:.5rem}
        .choice{display:flex;align-items:center;gap:.75rem;min-height:3.25rem;padding:.5rem .75rem;\
        border:1px solid var(--line);border-radius:.5rem;color:var(--fg);text-decoration:none;font-weight:500}
        .choice[data-mark]::before{content:attr(data-mark);flex:none;display:inline-grid;place-items:center;width:2rem;\
        height:2rem;border-radius:50%;background:var(--card);border:1px solid var(--line);color:var(--dim);\
        font-weight:700}
        .choice[data-remark]::after{content:attr(data-remark);margin-left:auto;flex:none;font-size:.8125rem;\
        font-weight:400;color:var(--dim)}
        .choice:hover{border-color:var(--accent);background:var(--card)}
        .entries{list-style:none;margin:1.25rem 0 0;padding:0}
        .entries>li{display:flex;align-items:center;justify-content:space-between;gap:1rem;padding:1rem 0;\
        border-top:1px solid var(--line)}
        .entries>li:last-child{padding-bottom:0}.entries h2,.entries p{margin:0}.entries .remarks{font-size:.9375rem}
        .entries .said{color:var(--fg);margin-top:.35rem;white-space:pre-line}.entries .button{width:auto;flex:none}
        .entries h2 a{color:inherit;text-decoration:none}.entries h2 a:hover{text-decoration:underline}
        .entries>.marked,.entries>.marked:last-child{padding:1rem .75rem;border:0;border-radius:.5rem;background:var(--okbg)}\
        .marked+li{border-top:0}
        form{margin:1rem 0 0}form+form{margin-top:.5rem}
        .group{border-top:1px solid var(--line);padding-top:1.5rem;margin-top:1.5rem}
        button,.button{display:block;width:100%;min-height:2.75rem;padding:.55rem 1rem;border:1px solid var(--edge);\
        border-radius:.5rem;background:var(--bg);color:var(--fg);font:inherit;font-weight:600;text-align:center;\
        text-decoration:none;cursor:pointer}
        button:hover,.button:hover{border-color:var(--accent)}
        .primary{background:var(--accent);border-color:var(--accent);color:var(--on)}
        .primary:hover{filter:brightness(1.08)}.removal{color:var(--bad);border-color:var(--bad)}
        label{display:block;margin:1rem 0 .3rem;font-weight:600;font-size:.9375rem}
        .field>input,select,textarea,.search>input{width:100%;min-height:2.75rem;padding:.5rem .75rem;\
        border:1px solid var(--edge);border-radius:.5rem;background:var(--bg);color:inherit;font:inherit}
        textarea{display:block;resize:vertical}
        .field+button{margin-top:1.25rem}h1+.group{border:0;margin-top:0;padding-top:0}
        button.choice{text-align:left;font-weight:500}button.aside{border-color:transparent;background:none;min-height:2.25rem;\
        color:var(--link);font-weight:400;text-decoration:underline}button.aside:hover{border-color:var(--edge)}
        @media screen and (min-width:48rem){.wide .group{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:0 1.25rem;align-items:end}
        .wide .group>h2,.wide .group>button{grid-column:1/-1}}
        .search{display:flex;gap:.5rem}.search>input{flex:1;min-width:0}.search>button{width:auto;margin:0}
        .field,main button,main p>.button,.choices{max-width:26rem}
        @media (min-width:40.01rem){td{min-width:6rem}.roomy td:first-child{min-width:11.5rem}}
        section{margin:1.5rem 0}table{border-collapse:collapse;width:100%;font-size:.9375rem}
        caption,summary{text-align:left;font-weight:600;padding:0 0 .5rem;font-size:1.0625rem;color:var(--fg)}
        summary{cursor:pointer}
        th,td{text-align:left;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line)}
        td a{white-space:nowrap}th{color:var(--dim);font-weight:600;font-size:.8125rem;overflow-wrap:normal}
        footer{margin-top:1rem;color:var(--dim);font-size:.875rem;text-align:center}footer p{margin:0}
        code{font-family:ui-monospace,"DejaVu Sans Mono",Consolas,monospace;font-size:.875em}
        :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
        .hidden,thead.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
        @media (max-width:40rem){
        body{padding:1.25rem .75rem 2rem}.corner{gap:.5rem}.corner summary{padding:.3rem .45rem}main{padding:1.25rem 1rem}
        table,tbody,tr,td,caption{display:block}
        thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
        tr{border:1px solid var(--line);border-radius:.5rem;padding:.4rem .75rem;margin-bottom:.5rem}
        td{border:0;padding:.15rem 0;display:grid;grid-template-columns:6.5rem 1fr;gap:.5rem}
        td:empty{display:none}td::before{content:attr(data-of);color:var(--dim);font-size:.8125rem}
        }
        @media print{body{padding:0}main{border:0;box-shadow:none;padding:0}form,.choices,.onward,.button,.corner,td>a{display:none}}

        """
  }
#endif
