/** The look of the status page: system fonts, the reader's colour scheme, no layout shift while it refreshes. */
export const pageStyle = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3a404b); --soft: light-dark(#f4f6f9, #20242b); --edge: light-dark(#c6ccd6, #454c59);
  --ground: light-dark(#fff, #16191e); --text: light-dark(#1a1d23, #e8eaee); --dim: light-dark(#59616e, #a3abb8); --accent: light-dark(#1558c0, #7fb0ff);
  --good: light-dark(#176b3a, #6fd39a); --bad: light-dark(#a3242b, #ff9a9e); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif; color: var(--text);
  background: var(--ground); }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
h2 span { margin-left: .35rem; font-weight: 400; color: var(--dim); }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: baseline; }
p { margin: .25rem 0; }
.dim { color: var(--dim); }
.clock { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-top: 1rem; padding: .75rem 1rem;
  background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; }
.clock time { font-size: 1.15rem; font-variant-numeric: tabular-nums; margin-right: auto; }
button { font: inherit; min-height: 2rem; padding: .15rem .8rem; border: 1px solid var(--line); border-radius: .4rem;
  background: light-dark(#fff, #2a2f38); color: inherit; cursor: pointer; }
button:hover { border-color: var(--accent); }
button:focus-visible, a:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
button[aria-busy='true'] { opacity: .5; cursor: progress; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; }
.scroll.tall { max-height: 26rem; overflow-y: auto; background:
  linear-gradient(var(--ground), var(--ground)) bottom / 100% .9rem no-repeat local,
  linear-gradient(transparent, var(--edge)) bottom / 100% .9rem no-repeat scroll; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .75rem; border-bottom: 1px solid var(--line); white-space: nowrap;
  font-variant-numeric: tabular-nums; }
th { position: sticky; top: 0; background: var(--soft); font-weight: 600; }
tr:last-child td { border-bottom: 0; }
.status { padding: .05rem .5rem; border-radius: 1rem; border: 1px solid currentColor; font-size: .85em; }
.good { color: var(--good); } .bad { color: var(--bad); }
.actions { display: flex; gap: .4rem; }
#notice { margin-top: .5rem; }
`;
