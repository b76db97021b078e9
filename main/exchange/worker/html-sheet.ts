import { createHash } from 'node:crypto';
import { unguardCell } from '../../../shared/sheet/cell-guard.ts';
import { COLUMNS } from '../../../shared/sheet/columns.ts';

/** A page of more rows is read by nobody and stops browsers. */
export const HTML_ROWS = 20_000;

/** Look of the page, on screen and on paper: headings repeat on every page, and no row is torn in two. */
const STYLE = `body{font:13px/1.4 system-ui,sans-serif;margin:24px;color:#1b1f24}h1{font-size:20px;margin:0 0 4px}p{margin:0 0 16px;color:#59626d}
table{border-collapse:collapse;width:100%;margin:0 0 20px}caption{text-align:left;font-weight:600;padding:4px 0}
th,td{border:1px solid #d5dae0;padding:3px 6px;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{background:#f2f4f6}td.n{text-align:right;font-variant-numeric:tabular-nums}thead{display:table-header-group}tr{break-inside:avoid}
@page{size:landscape;margin:12mm}@media print{body{margin:0}}`;

/** The one style sheet that the page may have: this very text. */
const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

const NUMBERS: ReadonlySet<string> = new Set(['Total budget', 'Daily budget', 'Bid', 'Multiplier']);
/** Told by the heading of each table already. */
const TYPE = COLUMNS.indexOf('Type');

/**
 * Rows of a sheet as one page of HTML to look at, hand on or print: a table for each type of row, with the columns that any
 * row of it fills. It holds no script and loads nothing.
 *
 * @param rows cells in the order of `COLUMNS`
 * @param title what the page is about
 */
export function htmlSheet(rows: readonly (readonly string[])[], title: string): string {
  const byType = Map.groupBy(rows, (cells) => cells[TYPE] ?? '');
  const counts = [...byType].map(([type, { length }]) => `${type}: ${length}`).join(', ');
  const tables = [...byType].map(([type, of]) => table(type, of)).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${STYLE_HASH}'">
<title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><h1>${escaped(title)}</h1><p>${escaped(counts)}</p>
${tables}
</body></html>
`;
}

function table(type: string, rows: readonly (readonly string[])[]): string {
  const filled = COLUMNS.map((name, at) => ({ name, at })).filter(
    ({ at }) => at !== TYPE && rows.some((cells) => (cells[at] ?? '') !== ''),
  );
  const head = filled.map(({ name }) => `<th scope="col">${escaped(name)}</th>`).join('');
  const line = (cells: readonly string[]): string =>
    filled
      .map(
        ({ name, at }) => `<td${NUMBERS.has(name) ? ' class="n"' : ''}>${escaped(unguardCell(cells[at] ?? ''))}</td>`,
      )
      .join('');
  const body = rows.map((cells) => `<tr>${line(cells)}</tr>`).join('\n');
  return `<table><caption>${escaped(type)} (${rows.length})</caption><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);
