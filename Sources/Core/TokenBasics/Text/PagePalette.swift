/// The colours of all pages, by what they mean, light and dark: declarations of a style sheet.
///
/// Text on `--bg` and `--card` has a contrast of at least 4.5 : 1, the edge of a control (`--edge`) of 3 : 1 (WCAG 2.2,
/// 1.4.3 and 1.4.11).
package enum PagePalette {
  package static let text = """
    :root{color-scheme:light dark;--bg:#fff;--card:#f4f6f8;--fg:#1b2026;--dim:#57606a;--line:#d4dae1;\
    --edge:#7d8793;--link:#1a55b0;--accent:#1a55b0;--on:#fff;--ok:#0a5c2b;--okbg:#e6f4ea;--bad:#9b1c1c;\
    --badbg:#fdecec;--warn:#734a00;--warnbg:#fff4d9;--name:#1d3f8f}
    @media (prefers-color-scheme:dark){:root{--bg:#161b21;--card:#0d1115;--fg:#e9edf1;--dim:#a4aeb9;\
    --line:#323b45;--edge:#75808c;--link:#8fb8ff;--accent:#8fb8ff;--on:#0b1a33;--ok:#7be0a0;--okbg:#12301f;\
    --bad:#ff9c9c;--badbg:#3a1717;--warn:#ffd37a;--warnbg:#35290d;--name:#9fc1ff}}
    @media print{:root{color-scheme:light;--bg:#fff;--card:#fff;--fg:#000;--dim:#444;--line:#999;--edge:#666;\
    --link:#000;--accent:#000;--on:#fff;--ok:#053;--okbg:#eee;--bad:#700;--badbg:#fff;--warn:#530;--warnbg:#fff;\
    --name:#000}}

    """
}
