import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { respond } from '../wire/respond.ts';

/** `GET /sandbox`: the sandbox's status page. It is complete in this response and loads nothing else. */
const steps: readonly (readonly [label: string, duration: string])[] = [
  ['30 minutes', 'PT30M'],
  ['6 hours', 'PT6H'],
  ['1 day', 'P1D'],
  ['3 days', 'P3D'],
  ['1 week', 'P7D'],
];

const tables: readonly (readonly [id: string, title: string, columns: readonly string[]])[] = [
  ['reviews', 'Open reviews', ['Review', 'Campaign', 'Status', 'Decide']],
  ['campaigns', 'Campaigns', ['Id', 'Name', 'Type', 'Targeting', 'Status', 'Start', 'End', 'Advertiser']],
  ['accounts', 'Accounts', ['Advertiser', 'Name', 'Role', 'Item ids', 'Consumer id']],
  ['requests', 'Last requests', ['No.', 'Method', 'Path', 'Status', 'Caller', 'Elements', 'Fault']],
];

export function answerStatusPage(response: ServerResponse): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  respond(response, {
    status: 200,
    body: pageOf(nonce),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  });
}

function pageOf(nonce: string): string {
  const buttons = steps
    .map(
      ([label, duration]) =>
        `<button type="button" data-advance="${duration}" aria-label="Move the clock ahead by ${label}">+ ${label}</button>`,
    )
    .join('\n    ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox of the partner service</title>
<style nonce="${nonce}">${pageStyle}</style>
</head>
<body>
<main>
  <header><h1>Sandbox of the partner service</h1><p class="dim" id="facts"></p></header>
  <section class="clock" aria-label="Clock">
    <time id="now">&nbsp;</time>
    ${buttons}
  </section>
  <p id="notice" class="dim" role="status">A simulated service for practice and tests. Nothing here reaches a real shop.</p>
  ${tables.map(tableOf).join('\n  ')}
</main>
<script nonce="${nonce}">${pageScript}</script>
</body>
</html>
`;
}

function tableOf([id, title, columns]: (typeof tables)[number]): string {
  const heads = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  return `<section><h2 id="${id}-title">${title} <span id="${id}-count"></span></h2>
  <div class="scroll tall" tabindex="0" role="region" aria-labelledby="${id}-title"><table><thead><tr>${heads}</tr></thead><tbody id="${id}"></tbody></table></div></section>`;
}

/**
 * The script of the status page, as text because it runs in the browser. It reads the control interface every two
 * seconds while the page is visible, and rebuilds a table only if its content changed, so that the focus stays.
 */
const pageScript = `
const shown = new Map();
const byId = (id) => document.getElementById(id);
const make = (tag, text, className) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
};
const call = async (method, path, body) => {
  const options = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await fetch('/sandbox' + path, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error || 'HTTP ' + response.status);
  return answer;
};
const say = (text, isBad) => {
  const notice = byId('notice');
  notice.textContent = text;
  notice.className = isBad ? 'bad' : 'dim';
};
// A button that is at work is not disabled, which would take the focus from it; it only takes no second press.
const act = async (button, text, work) => {
  if (button.getAttribute('aria-busy') === 'true') return;
  button.setAttribute('aria-busy', 'true');
  try {
    await work();
    await refresh();
    say(text, false);
  } catch (problem) {
    say(problem.message, true);
  } finally {
    button.removeAttribute('aria-busy');
  }
};
const tone = (status) =>
  /live|approved|complete|available|^2/.test(status) ? 'good' : /reject|fail|paused|^[45]|^0$/.test(status) ? 'bad' : 'dim';
const badge = (status) => make('span', status, 'status ' + tone(status));
const fill = (id, rows, empty, cellsOf) => {
  const content = JSON.stringify(rows);
  if (shown.get(id) === content) return;
  shown.set(id, content);
  const body = byId(id);
  const before = body.contains(document.activeElement) ? document.activeElement : null;
  body.replaceChildren(...(rows.length === 0 ? [emptyRow(empty)] : rows.map((entry) => rowOf(cellsOf(entry)))));
  byId(id + '-count').textContent = rows.length === 0 ? '' : String(rows.length);
  if (before !== null) keepFocus(body, before);
};
const rowOf = (contents) => {
  const row = make('tr');
  for (const content of contents) {
    const cell = make('td');
    cell.append(content);
    row.append(cell);
  }
  return row;
};
const emptyRow = (text) => {
  const row = rowOf([text]);
  row.firstChild.className = 'dim';
  row.firstChild.colSpan = 9;
  return row;
};
// Who works with the keyboard stays where they were: on the same button, else the next one, else on the table.
const keepFocus = (body, before) => {
  const buttons = [...body.querySelectorAll('button')];
  const same = buttons.find((button) => button.getAttribute('aria-label') === before.getAttribute('aria-label'));
  (same || buttons[0] || body.closest('[tabindex]')).focus();
};
const decideButtons = (review, name) => {
  const box = make('div', undefined, 'actions');
  for (const [label, all] of [['Approve', 'approved'], ['Reject', 'rejected']]) {
    const button = make('button', label);
    button.type = 'button';
    button.setAttribute('aria-label', label + ' review ' + review.reviewId + ' of ' + name);
    button.addEventListener('click', () =>
      act(button, 'Review ' + review.reviewId + ' is ' + all + '.', () => call('POST', '/reviews/' + review.reviewId + '/decide', { all })));
    box.append(button);
  }
  return box;
};
const refresh = async () => {
  const state = await call('GET', '/state');
  const log = await call('GET', '/requests?since=' + Math.max(0, state.lastRequest - 50));
  const now = new Date(state.now);
  const clock = byId('now');
  clock.dateTime = state.now;
  clock.textContent = now.toLocaleString('en-US', { timeZone: 'America/Los_Angeles', weekday: 'long', year: 'numeric', month: 'long',
    day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' });
  byId('facts').textContent = [state.scenario + ' scenario', state.clock + ' clock', 'extensions ' + (state.extensions ? 'on' : 'off'),
    state.operationsPerHour === null ? 'no rate limit' : state.operationsPerHour + ' changes per hour'].join(' \\u00b7 ');
  const names = new Map(state.campaigns.map((campaign) => [campaign.campaignId, campaign.name]));
  fill('reviews', state.reviews, 'No review is open.', (review) => [String(review.reviewId), names.get(review.campaignId) || '',
    badge(review.status), decideButtons(review, names.get(review.campaignId) || '')]);
  fill('campaigns', state.campaigns, 'No campaigns yet.', (campaign) => [String(campaign.campaignId), campaign.name, campaign.campaignType,
    campaign.targetingType, badge(campaign.status), campaign.startDate, campaign.endDate.startsWith('9999') ? 'open' : campaign.endDate, String(campaign.advertiserId)]);
  fill('accounts', state.accounts.map(({ privateKeyPem, token, ...account }) => account), 'No accounts.', (account) =>
    [String(account.advertiserId), account.name, account.role, account.migrated ? 'US item ids' : 'legacy item ids', account.consumerId]);
  fill('requests', log.requests.slice().reverse(), 'No calls yet.', (entry) => [String(entry.n), entry.method, entry.path,
    badge(String(entry.status)), entry.principal === null ? '' : entry.principal.role + ' ' + entry.principal.advertiserId,
    entry.elementCount === 0 ? '' : String(entry.elementCount), entry.fault || '']);
};
for (const button of document.querySelectorAll('button[data-advance]')) {
  const advance = button.dataset.advance;
  button.addEventListener('click', () => act(button, 'The clock moved ahead.', () => call('POST', '/clock', { advance })));
}
const quietly = () => refresh().catch((problem) => say('The sandbox does not answer: ' + problem.message, true));
setInterval(() => { if (document.visibilityState === 'visible') quietly(); }, 2000);
quietly();
`;

/** The style of the status page: system fonts, the reader's color scheme, no layout shift on refresh. */
const pageStyle = `
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
