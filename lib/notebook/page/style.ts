/** The page's own style: one column, both colour schemes, and paper. Nothing is loaded. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --quiet: #5b6570; --paper: #fff; --box: #f5f6f8; --line: #d9dde2; --link: #0b5cad; --bad: #b3261e; --keyword: #8a2f8f; --string: #1b6b3a; --number: #9a4a00; --comment: #5b6570; --name: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7ea; --quiet: #9aa4ae; --paper: #14171a; --box: #1d2125; --line: #343a40; --link: #7db7f0; --bad: #ff8a80; --keyword: #d9a0dc; --string: #8fd0a5; --number: #f0b072; --comment: #9aa4ae; --name: #7db7f0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 60rem; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
h1, h2, h3, h4 { line-height: 1.25; margin: 2rem 0 0.75rem; }
h1 { font-size: 1.9rem; } h2 { font-size: 1.4rem; } h3 { font-size: 1.15rem; }
a { color: var(--link); }
img { max-width: 100%; height: auto; }
code, pre { font: 0.875rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
:not(pre) > code { background: var(--box); padding: 0.1em 0.3em; border-radius: 3px; }
pre { margin: 0; padding: 0.6rem 0.8rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
header { border-bottom: 1px solid var(--line); padding-bottom: 0.75rem; color: var(--quiet); font-size: 0.875rem; }
header dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0.5rem 0 0; }
header dd { margin: 0; overflow-wrap: anywhere; }
section.code { margin: 1rem 0; border-left: 3px solid var(--line); }
section.code.failed { border-left-color: var(--bad); }
.source { background: var(--box); position: relative; }
.source pre { padding-right: 6.5rem; }
.source .count { position: absolute; top: 0.35rem; right: 0.6rem; color: var(--quiet); font-size: 0.75rem; }
.outputs { padding: 0.5rem 0 0.25rem 0.8rem; overflow-x: auto; }
.outputs > pre { max-height: 30rem; overflow-y: auto; padding-left: 0; }
.stderr { color: var(--bad); }
.unknown { color: var(--quiet); }
.picture { display: block; background: #fff; border-radius: 4px; margin: 0.5rem 0; }
table { border-collapse: collapse; font-size: 0.9375rem; font-variant-numeric: tabular-nums; margin: 0.75rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.75rem 0.3rem 0; text-align: left; vertical-align: top; }
td[style*="right"] { white-space: nowrap; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--quiet); }
.hljs-keyword, .hljs-literal, .hljs-built_in { color: var(--keyword); } .hljs-string, .hljs-regexp, .hljs-subst { color: var(--string); }
.hljs-number { color: var(--number); } .hljs-comment { color: var(--comment); font-style: italic; } .hljs-title, .hljs-property, .hljs-attr { color: var(--name); }
.ansi-red-fg, .ansi-bright-red-fg { color: var(--bad); } .ansi-green-fg, .ansi-bright-green-fg { color: var(--string); } .ansi-yellow-fg, .ansi-bright-yellow-fg { color: var(--number); }
.ansi-blue-fg, .ansi-bright-blue-fg, .ansi-cyan-fg, .ansi-bright-cyan-fg { color: var(--name); } .ansi-magenta-fg, .ansi-bright-magenta-fg { color: var(--keyword); } .ansi-bright-black-fg { color: var(--quiet); }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } .outputs > pre { max-height: none; } section.code, .picture { break-inside: avoid; } }
`;
