/**
 * The script of the status page, as text because it runs in the browser. It reads the control interface every two
 * seconds while the page is visible, and rebuilds a table only when its content changed, so that focus stays put.
 */
export const pageScript = `
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
