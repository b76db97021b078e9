import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { GROUPINGS_OF_METRICS } from '../../shared/api/metrics.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate, RowId } from '../../shared/model/scalars.ts';
import { changeOf, SUMMED } from '../../shared/reports/account-metrics.ts';
import { quotient } from '../../shared/reports/metric.ts';
import { done } from '../store/a-workspace.ts';
import { aSharedSample, rowsOf } from './a-core.ts';

const { core, client, workspaceId } = await aSharedSample('metrics');
const look = { period: 'last-28' as const };

const sumOf = (rows: readonly { readonly metrics: Record<string, number> }[], name: string): number =>
  rows.reduce((sum, { metrics }) => sum + (metrics[name] ?? 0), 0);

test.each(GROUPINGS_OF_METRICS)('groups by %s add up to the total of the campaigns, on both spans', async (group) => {
  const { groups, total, previousTotal } = await client.metrics.grouped({ workspaceId, group, look });
  expect(total['clicks']).toBeGreaterThan(1000);
  for (const name of SUMMED) {
    expect(sumOf(groups, name)).toBe(total[name]);
    const before = groups.map(({ previous }) => ({ metrics: previous ?? {} }));
    expect(sumOf(before, name)).toBe(previousTotal?.[name]);
  }
});

test('rows, the totals of their view and their groups say the same', async () => {
  const view = { kind: 'keyword', filter: '' } as const;
  const { viewId, rows } = await client.workspace.openView({ workspaceId, view, window: { from: 0, count: 100 } });
  const own = await client.metrics.ofRows({ workspaceId, kind: 'keyword', ids: rows.map(({ id }) => id), look });
  const totals = await client.metrics.ofView({ workspaceId, viewId, kind: 'keyword', look });
  const { groups, coverage } = await client.metrics.grouped({ workspaceId, group: 'keyword', look });
  const listed = groups.filter(({ key }) => key !== 'notInReport');
  expect(totals.rows).toBe(own.rows.length);
  expect(totals.metrics['coverage']).toBe(coverage);
  for (const name of SUMMED) {
    expect(totals.metrics[name]).toBe(sumOf(own.rows, name));
    expect(totals.metrics[name]).toBe(sumOf(listed, name));
  }
  for (const { id, metrics } of own.rows) expect(listed.find(({ rowId }) => rowId === id)?.metrics).toEqual(metrics);
});

test('the change of a share of spend compares it with the share on the days before, shown and sorted', async () => {
  const sort = [{ column: 'metric.spendShare.change', descending: true }];
  const view = { kind: 'keyword', filter: 'spend>0', sort, look } as const;
  const { rows } = await client.workspace.openView({ workspaceId, view, window: { from: 0, count: 200 } });
  const ids = rows.map(({ id }) => id);
  const { rows: shown } = await client.metrics.ofRows({ workspaceId, kind: 'keyword', ids, look });
  const { total, previousTotal } = await client.metrics.grouped({ workspaceId, group: 'campaign', look });
  const changes = ids.flatMap((id) => {
    const { metrics = {}, previous = null } = shown.find((row) => row.id === id) ?? {};
    if (!previous?.['spend']) return [];
    expect(previous['spendShare']).toBe(quotient('percent', previous['spend'], previousTotal?.['spend'] ?? 0));
    expect(metrics['spendShare']).toBe(quotient('percent', metrics['spend'] ?? 0, total['spend'] ?? 0));
    return changeOf(metrics['spendShare'] ?? null, previous['spendShare'] ?? null) ?? [];
  });
  expect(changes.length).toBeGreaterThan(10);
  expect(changes).toEqual(changes.toSorted((a, b) => b - a));
});

test('what is suggested is searched, and an export has the rows of such a view in its order', async () => {
  const sort = [{ column: 'metric.clicks', descending: true }];
  const searched = async (filter: string) => {
    const view = { kind: 'keyword', filter, sort, look } as const;
    const { rows } = await client.workspace.openView({ workspaceId, view, window: { from: 0, count: 200 } });
    const exported = await client.exchange.export({ workspaceId, format: 'csv', view });
    const { path = '' } = core.offered(exported.url.slice('/preview/'.length)) ?? {};
    const lines = readFileSync(path, 'utf8').trimEnd().split('\r\n').slice(1);
    expect(lines.length).toBe(rows.length);
    for (const [at, { remoteId }] of rows.entries()) expect(lines[at]).toContain(String(remoteId));
    return rows.map(({ id }) => id);
  };
  const inOrder = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);
  const ids = await searched('clicks>=10');
  const { rows } = await client.suggestions.ofRows({ workspaceId, kind: 'keyword', ids });
  const higher = rows.flatMap(({ id, suggestion }) =>
    Number(suggestion?.suggested) > Number(suggestion?.current) ? [id] : [],
  );
  expect(higher.length).toBeGreaterThan(0);
  expect(inOrder(await searched('clicks>=10 suggestion:higher'))).toEqual(inOrder(higher));
  const dismissed = rows.find(({ id }) => id === higher[0])?.suggestion?.key ?? '';
  await client.suggestions.dismiss({ workspaceId, keys: [dismissed] });
  expect(inOrder(await searched('clicks>=10 suggestion:higher'))).toEqual(inOrder(higher.slice(1)));
  expect(await searched('clicks>=10 suggestion:none evidence:firm')).toEqual([]);
});

test('a bulk edit of a view changes the rows whose metrics match, and no other row', async () => {
  const bidsWhere = async (filter: string) => {
    const view = { kind: 'keyword', filter, look } as const;
    const { viewId, rows } = await client.workspace.openView({ workspaceId, view, window: { from: 0, count: 200 } });
    return { viewId, ids: rows.map(({ id }) => id).toSorted((a, b) => a - b) };
  };
  const all = await bidsWhere('');
  const { viewId, ids } = await bidsWhere('roas>4 period:28d');
  expect(ids.length).toBeGreaterThan(3);
  expect(ids.length).toBeLessThan(all.ids.length);
  const edit = { workspaceId, scope: { viewId }, tool: { tool: 'amount', field: 'bid', expression: '+10%' } } as const;
  const { pairs, cells } = await client.bulk.preview({ ...edit, count: 200 });
  expect(pairs.map(({ id }) => id as number).toSorted((a, b) => a - b)).toEqual(ids);
  expect(await client.bulk.apply({ ...edit, label: 'Raise', taskId: 'raise' })).toMatchObject({ cells });
  await client.workspace.undo({ workspaceId });
});

test('a rule with metrics lists its rows behind all other issues, and keeps none of them from being sent', async () => {
  const rule = { id: 'weak', name: 'Weak', kind: 'keyword', severity: 'advice', enabled: true } as const;
  const save = (query: string) => client.rules.save({ workspaceId, rule: { ...rule, query } });
  const page = async (from = 0, count = 500, more: { rule?: string; campaignId?: RowId } = {}) =>
    client.workspace.issues({ workspaceId, from, count, ...more });
  const refused = client.rules.save({ workspaceId, rule: { ...rule, query: 'roas<4', severity: 'warning' } });
  await expect(refused).rejects.toMatchObject({ code: 'BAD_RULE', data: { field: 'query' } });
  const before = await page();
  const sent = async () => [
    (await client.workspace.summary({ workspaceId })).issues,
    (await client.sync.plan({ workspaceId })).leftOut,
  ];
  const sentBefore = await sent();

  const view = { kind: 'keyword', filter: '' } as const;
  const { rows } = await client.workspace.openView({ workspaceId, view, window: { from: 0, count: 500 } });
  const ids = rows.map(({ id }) => id);
  const weakIn = async (period: 'last-28' | 'last-7') => {
    const metrics = await client.metrics.ofRows({ workspaceId, kind: 'keyword', ids, look: { period } });
    return metrics.rows.flatMap(({ id, metrics: { clicks = 0, roas = 400 } }) =>
      clicks >= 5 && roas < 400 ? [id] : [],
    );
  };
  const inOrder = (some: readonly { id: RowId }[]) => some.map(({ id }) => id).toSorted((a, b) => a - b);
  const [month, week] = [await weakIn('last-28'), await weakIn('last-7')];
  expect(week.length).toBeGreaterThan(0);
  // The newest week may have fewer sales than the weeks before, so that more of its rows match.
  expect(week).not.toEqual(month);
  await save('clicks>=5 roas<4 period:7d');
  expect(inOrder((await page()).issues.slice(before.total))).toEqual(week.toSorted((a, b) => a - b));

  await save('clicks>=5 roas<4');
  const found = await page();
  const own = found.issues.slice(before.total);
  expect(inOrder(own)).toEqual(month.toSorted((a, b) => a - b));
  expect(found).toEqual({
    total: before.total + month.length,
    counts: { ...before.counts, advice: before.counts.advice + month.length },
    rules: [...before.rules, { rule: 'user.weak', severity: 'advice', found: month.length, fixable: 0 }],
    issues: [...before.issues, ...own],
  });
  for (let from = 0; from <= found.total; from += 3) {
    expect((await page(from, 3)).issues).toEqual(found.issues.slice(from, from + 3));
  }
  const narrowed = await page(1, 2, { rule: 'user.weak' });
  expect(narrowed).toEqual({ ...found, total: month.length, issues: own.slice(1, 3) });
  const campaignId = own[0]?.campaignId ?? (0 as RowId);
  const inCampaign = await page(0, 500, { rule: 'user.weak', campaignId });
  expect(inCampaign.issues).toEqual(own.filter((issue) => issue.campaignId === campaignId));
  expect(await sent()).toEqual(sentBefore);

  await save('clicks>=5 roas<4 bid=1.23');
  const [id = 0 as RowId] = month;
  expect((await page(0, 500, { rule: 'user.weak' })).issues).toEqual([]);
  const changes = [{ kind: 'keyword', id, field: 'bid', value: 123 }] as const;
  await client.workspace.edit({ workspaceId, label: 'Bid', changes: [...changes] });
  expect(inOrder((await page(0, 500, { rule: 'user.weak' })).issues)).toEqual([id]);
  await client.workspace.undo({ workspaceId });
  await client.rules.remove({ workspaceId, id: 'weak' });
  expect(await page()).toEqual(before);
});

test('rows of a rule with metrics are marked in windows and details until they or the rule change', async () => {
  const rule = { id: 'marked', name: 'Marked', kind: 'keyword', severity: 'advice', enabled: true } as const;
  const view = { kind: 'keyword', filter: '' } as const;
  const { viewId } = await client.workspace.openView({ workspaceId, view });
  const all = async () => (await client.workspace.readWindow({ workspaceId, viewId, from: 0, count: 500 })).rows;
  const found = async (filter: string) =>
    (await rowsOf(client, workspaceId, { kind: 'keyword', filter })).map(({ id }) => id);
  // The rule of the test before is gone, and a moment later its marks.
  const marksBefore = async () => {
    const asked = { workspaceId, kind: 'keyword', ids: (await all()).map(({ id }) => id) } as const;
    return (await client.workspace.rowIssues(asked)).issues.filter(({ rule: id }) => id.startsWith('user.'));
  };
  await expect.poll(marksBefore).toEqual([]);
  const before = await all();
  /** Of every row, whether its issues in the grid and in its details name the rule, and what is worst of it. */
  const expectMarked = async (ids: readonly RowId[]) => {
    const named = ({ rule: id }: { readonly rule: string }) => id === 'user.marked';
    await expect
      .poll(async () => {
        const asked = { workspaceId, kind: 'keyword', ids: before.map(({ id }) => id) } as const;
        return (await client.workspace.rowIssues(asked)).issues
          .flatMap((one) => (named(one) ? [one.id] : []))
          .toSorted((a, b) => a - b);
      })
      .toEqual(ids.toSorted((a, b) => a - b));
    for (const [at, row] of (await all()).entries()) {
      const own = before[at]?.severity ?? null;
      expect(row.severity).toBe(ids.includes(row.id) ? (own ?? 'advice') : own);
    }
    for (const { id } of [...before.filter(({ id: one }) => ids.includes(one)).slice(0, 2), ...before.slice(0, 2)]) {
      const { issues, row } = await client.workspace.row({ workspaceId, ref: { kind: 'keyword', id } });
      expect(issues.some(named)).toBe(ids.includes(id));
      if (ids.includes(id)) expect(row.severity).not.toBeNull();
    }
  };
  const month = await found('clicks>=10 period:28d');
  const week = await found('clicks>=10 period:7d');
  expect(month.length).toBeGreaterThan(week.length);
  expect(week.length).toBeGreaterThan(0);
  expect(before.some(({ id, severity }) => month.includes(id) && severity === null)).toBe(true);
  await client.rules.save({ workspaceId, rule: { ...rule, query: 'clicks>=10' } });
  await expectMarked(month);
  await client.rules.save({ workspaceId, rule: { ...rule, query: 'clicks>=10 period:7d' } });
  await expectMarked(week);
  // A search for issues finds them, and sorting by severity puts them before rows without any.
  expect((await found('issue:user.advice')).toSorted((a, b) => a - b)).toEqual(week.toSorted((a, b) => a - b));
  const sorted = await rowsOf(client, workspaceId, {
    kind: 'keyword',
    filter: '',
    sort: [{ column: 'severity', descending: true }],
  });
  const bare = sorted.findIndex(({ severity }) => severity === null);
  expect(bare).toBeGreaterThanOrEqual(week.length);
  expect(sorted.slice(bare).every(({ severity }) => severity === null)).toBe(true);
  // The rows that come with an edit keep their marks: the rule is searched again only a moment later.
  const kept = before.find(({ id, severity }) => week.includes(id) && severity === null)?.id ?? (0 as RowId);
  let edits = 0;
  const patched = async () => {
    const bid = { kind: 'keyword', id: kept, field: 'bid', value: 321 + edits++ } as const;
    const { rows } = await client.workspace.edit({ workspaceId, label: 'Bid', changes: [bid] });
    const found = rows?.find(({ kind, row }) => kind === 'keyword' && row.id === kept);
    return { severity: found?.row.severity, rules: found?.issues?.map((issue) => issue.rule) };
  };
  // The thread of edits hears of marks behind the one that the checks above have asked.
  await expect.poll(patched).toEqual({ severity: 'advice', rules: ['user.marked'] });
  while (edits-- > 0) await client.workspace.undo({ workspaceId });
  // Waits for the checks that an edit leaves for later.
  await client.workspace.issues({ workspaceId, from: 0, count: 1 });
  // An edit of a row changes what is found of it.
  await client.rules.save({ workspaceId, rule: { ...rule, query: 'clicks>=10 bid=1.23' } });
  await expectMarked([]);
  const [id = 0 as RowId] = month;
  await client.workspace.edit({
    workspaceId,
    label: 'Bid',
    changes: [{ kind: 'keyword', id, field: 'bid', value: 123 }],
  });
  await expect
    .poll(async () =>
      (await client.workspace.row({ workspaceId, ref: { kind: 'keyword', id } })).issues.map((one) => one.rule),
    )
    .toContain('user.marked');
  await client.workspace.undo({ workspaceId });
  await expectMarked([]);
  await client.rules.remove({ workspaceId, id: 'marked' });
});

test('a report of the user is shown before it is added, and adding it twice changes nothing', async () => {
  const { groups, span } = await client.metrics.grouped({ workspaceId, group: 'campaign', look });
  const lines = groups.map(({ key }) => `${addDays(span.from as PlainDate, -400)},${key},7,1.50`);
  const text = ['date,campaignId,clicks,adSpend', ...lines, 'someday,1,2,3', ''].join('\n');
  const grantOf = async (content: string) => {
    const { grant } = done(await core.grants.spool('may.csv', Readable.from([Buffer.from(content)]), 10_000));
    return { workspaceId, grant };
  };
  const file = await grantOf(text);
  const expected = { is: 'read', reportType: 'campaign', taken: 1, skipped: 1, older: 0, held: 0 };
  const known = async () => (await client.metrics.settings({ workspaceId })).sources;
  const before = await known();
  expect(await client.metrics.previewFile(file)).toMatchObject(expected);
  expect(await known()).toEqual(before);
  expect(await client.metrics.addFile(file)).toMatchObject(expected);
  const after = await known();
  expect(after).not.toEqual(before);
  await client.metrics.addFile({ ...file, modifiedAt: Date.parse(span.from) });
  expect(await client.metrics.previewFile({ ...file, modifiedAt: Date.parse(span.from) })).toMatchObject({
    taken: 0,
    older: 1,
  });
  expect(await known()).toEqual(after);
  expect(await client.metrics.previewFile(await grantOf('name,color\na,b'))).toMatchObject({ is: 'refused' });
});

test('a second account has no metric, goal or suggestion of the first', async () => {
  expect((await client.suggestions.list({ workspaceId, from: 0, count: 1 })).total).toBeGreaterThan(0);
  const { workspaceId: other } = await client.accounts.addPractice({ name: 'Other' });
  expect((await client.metrics.settings({ workspaceId: other })).sources).toEqual([]);
  const { groups, total } = await client.metrics.grouped({ workspaceId: other, group: 'campaign', look });
  expect([groups, total]).toEqual([[], {}]);
  expect(await client.suggestions.list({ workspaceId: other, from: 0, count: 1 })).toMatchObject({ total: 0 });
});
