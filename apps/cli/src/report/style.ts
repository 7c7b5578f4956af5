/** The page's looks: one file, no network, light and dark as the reader's system says. */
export const style: string = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1f24; --soft: #5b6570; --line: #d9dee3; --card: #f6f8fa;
  --best: #e3f4ec; --good: #00704f; --bad: #b04a00; --warn: #fff4e0; --warn-line: #e69f00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181d; --ink: #e4e8ec; --soft: #9aa5b1; --line: #343c46; --card: #1c2229;
    --best: #123f30; --good: #3fc79a; --bad: #f0914d; --warn: #3a2e12; --warn-line: #e69f00;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 1320px; padding: 1.5rem clamp(0.9rem, 3vw, 2.5rem) 3rem;
  background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif;
}
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 0.3rem; }
h2 { font-size: 1.15rem; line-height: 1.35; margin: 2.4rem 0 0.2rem; }
p { max-width: 75ch; margin: 0.3rem 0; }
.soft { color: var(--soft); font-size: 0.9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.35rem 0.7rem; text-align: right; white-space: nowrap; }
th { color: var(--soft); font-weight: 600; border-bottom: 2px solid var(--line); }
td { border-bottom: 1px solid var(--line); }
th:first-child, td:first-child {
  text-align: left; position: sticky; left: 0; background: var(--paper);
}
td.best { background: var(--best); font-weight: 600; }
table.checks th, table.checks td { text-align: left; white-space: normal; vertical-align: top; }
table.checks td.number { text-align: right; white-space: nowrap; }
table.checks td.verdict { white-space: nowrap; }
td.agrees { color: var(--good); font-weight: 600; }
td.differs { color: var(--bad); font-weight: 600; }
.plots { display: grid; gap: 1.2rem 1.5rem; margin-top: 0.9rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 460px), 1fr)); }
td.why { text-align: left; white-space: normal; color: var(--soft); }
code, pre { font: 0.82rem/1.5 ui-monospace, 'Cascadia Mono', Menlo, monospace; }
pre {
  background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  padding: 0.8rem 1rem; overflow-x: auto; margin: 0.5rem 0; white-space: pre-wrap;
}
.swatch { display: inline-block; width: 1.5em; height: 0.7em; margin-right: 0.45em; }
.swatch line { stroke-width: 4; }
.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; margin: 0.6rem 0; font-size: 0.9rem; }
.panels { display: grid; gap: 0.6rem 1rem; margin-top: 0.7rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); }
figure { margin: 0; min-width: 0; }
figure h3 { margin: 0; font-size: 0.95rem; }
figcaption { font-size: 0.8rem; color: var(--soft); overflow-wrap: anywhere; }
svg.plot { display: block; max-width: 100%; height: auto; overflow: visible; }
.narrow { display: none; }
@media (max-width: 640px) { .wide { display: none; } .narrow { display: block; } }
.warnings { border-left: 4px solid var(--warn-line); background: var(--warn); padding: 0.6rem 1rem;
  margin: 1rem 0; border-radius: 0 6px 6px 0; }
.warnings ul { margin: 0.2rem 0; padding-left: 1.2rem; }
details { margin: 0.6rem 0; }
summary { cursor: pointer; font-weight: 600; }
/* The blue of plots, which is dim on a dark page. */
@media (prefers-color-scheme: dark) {
  .plot [stroke="#0072b2"] { stroke: #4f9ee8; }
  .plot [fill="#0072b2"] { fill: #4f9ee8; }
}
@media print { body { max-width: none; } .panels { break-inside: avoid; } }
`
