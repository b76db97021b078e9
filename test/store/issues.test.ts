import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDb } from '../../main/store/db/open-db.ts';
import { CALENDAR_AHEAD_KEY, USER_RULES_KEY } from '../../main/store/rows/rule-settings.ts';
import { ISSUE_RULES_DDL } from '../../main/store/schema/ddl.ts';
import { openWorkspace, type Workspace } from '../../main/store/workspace.ts';
import type { UserRule } from '../../shared/api/rules.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { ok } from '../../shared/result.ts';
import { USER_RULE_BIT } from '../../shared/rules/custom-rules.ts';
import { aView } from './a-view.ts';
import {
  acceptAll,
  aFolder,
  aSmallCampaign,
  aStore,
  aWorkspace,
  create,
  createAll,
  detailOf,
  done,
} from './a-workspace.ts';
import { call } from './call.ts';

/** Two campaigns of which each has errors, warnings and keywords with blanks to mend, and two files of one name. */
async function aFaultyAccount(file?: string): Promise<{ workspace: Workspace; campaigns: readonly RowId[] }> {
  const workspace = await aWorkspace(file);
  const creates = [0, 5].flatMap((at) => [
    create('campaign', null, { name: `C  ${at}`, campaignType: 'sponsoredProducts', targetingType: 'manual' }),
    create('adGroup', { at }, { name: 'G' }),
    create('keyword', { at: at + 1 }, { text: 'no bid', matchType: 'exact' }),
    create('keyword', { at: at + 1 }, { text: 'red  pot', matchType: 'exact', bid: 150 }),
    create('keyword', { at: at + 1 }, { text: `blue  pot ${at}`, matchType: 'exact', bid: 150 }),
  ]);
  const { touched } = done(await workspace.apply({ label: 'All', source: 'user', creates }));
  return { workspace, campaigns: touched.flatMap(({ kind, id }) => (kind === 'campaign' ? [id] : [])) };
}

const RANKS = ['error', 'warning', 'advice'] as const;

test('issues stand by severity over all campaigns, and a page anywhere is that part of the whole', async () => {
  const { workspace } = await aFaultyAccount();
  const whole = await workspace.issues(0, 500, null);
  const ranks = whole.issues.map(({ severity }) => RANKS.indexOf(severity));
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect(new Set(ranks).size).toBeGreaterThan(1);
  expect(new Set(whole.issues.map(({ campaignId }) => campaignId)).size).toBeGreaterThan(1);
  for (let from = 0; from <= whole.total; from += 1) {
    const page = await workspace.issues(from, 3, null);
    expect(page.issues).toEqual(whole.issues.slice(from, from + 3));
  }
});

test('the issues of one row stand by severity', async () => {
  const { workspace, campaigns } = await aFaultyAccount();
  const [tree] = await workspace.readTrees(campaigns.slice(0, 1));
  const [parent] = tree?.adGroups ?? [];
  if (parent === undefined) throw new Error('no ad group');
  const text = Array.from({ length: 60 }, (_, at) => `pot${at}`).join('  ');
  const long = create('keyword', { id: parent.id }, { text, matchType: 'exact' });
  const { touched } = done(await workspace.apply({ label: 'Long', source: 'user', creates: [long] }));
  const id = touched.find(({ kind }) => kind === 'keyword')?.id ?? parent.id;
  const found = (await detailOf(workspace, { kind: 'keyword', id })).issues.map(({ severity }) => severity);
  expect(found).toEqual(RANKS.flatMap((rank) => found.filter((severity) => severity === rank)));
  expect(new Set(found)).toEqual(new Set(RANKS));
});

test('every rule is counted with what can be mended, and narrows the list to what it finds', async () => {
  const { workspace, campaigns } = await aFaultyAccount();
  for (const campaignId of [null, ...campaigns]) {
    const whole = await workspace.issues(0, 500, campaignId);
    expect(whole.rules.length).toBeGreaterThan(2);
    expect(whole.rules.some(({ fixable }) => fixable > 1)).toBe(true);
    expect(whole.rules.reduce((sum, { found }) => sum + found, 0)).toBe(whole.total);
    for (const { rule, severity, found, fixable } of whole.rules) {
      const own = whole.issues.filter((issue) => issue.rule === rule);
      expect(own).toMatchObject(own.map(() => ({ severity })));
      expect([own.length, own.filter(({ fix }) => fix !== null).length]).toEqual([found, fixable]);
      const narrowed = await workspace.issues(0, 500, campaignId, rule);
      expect(narrowed).toEqual({ ...whole, total: found, issues: own });
      expect((await workspace.issues(1, 1, campaignId, rule)).issues).toEqual(own.slice(1, 2));
    }
    expect((await workspace.issues(0, 500, campaignId, 'no.such-rule')).issues).toEqual([]);
  }
});

test('a file of before rules were counted is counted when it is opened after its migration', async () => {
  const file = join(aFolder(), 'workspace.db');
  const { workspace } = await aFaultyAccount(file);
  const { rules } = await workspace.issues(0, 0, null);
  await workspace.close();
  const db = openDb(file);
  db.exec(`ALTER TABLE finding_count DROP COLUMN rules; ${ISSUE_RULES_DDL}`);
  db.close();
  const opened = await aWorkspace(file);
  expect((await opened.issues(0, 0, null)).rules).toEqual(rules);
});

/** What rows are judged by beside themselves: the service's calendar, the user's rules, what searches have said. */
const rule = (changes: Partial<UserRule>): UserRule => ({
  id: 'own',
  name: 'Own',
  kind: 'media',
  severity: 'warning',
  query: 'mediaType:logo',
  enabled: true,
  ...changes,
});

const saveRules = (workspace: Workspace, ...rules: readonly UserRule[]) =>
  workspace.setMeta(USER_RULES_KEY, JSON.stringify(rules));

async function found(workspace: Workspace, campaignId: Parameters<Workspace['issues']>[2] = null) {
  const { issues } = await workspace.issues(0, 500, campaignId);
  return issues.map((issue) => issue.rule);
}

const DAY_MS = 86_400_000;

test('what needs attention is told in the words of its own rule, not of another one about the same row', async () => {
  const workspace = await aWorkspace();
  done(await workspace.apply({ label: 'All', source: 'user', creates: aSmallCampaign() }));
  const query = 'text:towel';
  await saveRules(
    workspace,
    rule({ id: 'mild', name: 'Mild', kind: 'keyword', query }),
    rule({ id: 'strict', name: 'Strict', kind: 'keyword', severity: 'error', query }),
  );
  await workspace.rowsWithErrors();
  const { issues } = await workspace.attention();
  expect(issues.find(({ rule: id }) => id === 'user.error')?.text).toContain('Strict');
});

test('of two edits of one row, the one that would cause an error is named', async () => {
  const workspace = await aWorkspace();
  const { touched } = done(await workspace.apply({ label: 'All', source: 'user', creates: aSmallCampaign() }));
  const keyword = touched.find(({ kind }) => kind === 'keyword');
  if (keyword === undefined) throw new Error('no keyword');
  const updates = [
    { ...keyword, field: 'bid', value: 0 },
    { ...keyword, field: 'state', value: 'paused' },
  ];
  expect(await workspace.errorsAfter(updates.slice(0, 1))).toEqual([0]);
  expect(await workspace.errorsAfter(updates)).toContain(0);
});

test('a rule about files finds a file once, however many campaigns use it', async () => {
  const workspace = await aWorkspace();
  const campaigns = [0, 3].flatMap((at) => [
    create('campaign', null, { name: `C${at}`, campaignType: 'sba', targetingType: 'manual' }),
    create('adGroup', { at: at + 1 }, { name: 'G' }),
    create('sbaProfile', { at: at + 2 }, { brand: 'B', headline: `H${at}`, clickUrl: 'https://shop.example/b' }),
  ]);
  const logo = create('media', null, { mediaType: 'logo', fileName: 'logo.png', sha256: 'a'.repeat(64), bytes: 10 });
  const { touched } = done(await workspace.apply({ label: 'All', source: 'media', creates: [logo, ...campaigns] }));
  const [file] = touched;
  const profiles = touched.filter(({ kind }) => kind === 'sbaProfile');
  const updates = profiles.map((ref) => ({ ...ref, field: 'logo', value: file?.id ?? 0 }));
  done(await workspace.apply({ label: 'Logo', source: 'user', updates }));
  await saveRules(workspace, rule({}));
  expect((await found(workspace)).filter((id) => id === 'user.own')).toHaveLength(1);
  await saveRules(workspace);
  expect((await found(workspace)).filter((id) => id === 'user.own')).toEqual([]);
});

test('the stored marks are those of a check made anew, after rules and calendar have changed', async () => {
  const workspace = await aWorkspace();
  const creates = [
    create('campaign', null, { name: 'C', campaignType: 'sponsoredProducts', startDate: '2026-05-06' }),
    create('adGroup', { at: 0 }, { name: 'G' }),
    ...['1', '2'].map((itemId) => create('adItem', { at: 1 }, { itemId, bid: 100 })),
  ];
  const { touched } = done(await workspace.apply({ label: 'All', source: 'user', creates }));
  const campaign = touched[0]?.id ?? null;
  const agree = async () => {
    const counted = (await workspace.issues(0, 0, null)).counts;
    expect((await workspace.issues(0, 0, campaign)).counts).toEqual(counted);
    return counted;
  };
  const before = await agree();
  await saveRules(workspace, rule({ kind: 'adItem', severity: 'error', query: 'bid:1' }));
  expect(await agree()).toEqual({ ...before, error: before.error + 2 });
  await workspace.setMeta(CALENDAR_AHEAD_KEY, String(3 * DAY_MS));
  expect(await found(workspace)).toContain('campaign.start-before-today');
  await agree();
  await workspace.setMeta(CALENDAR_AHEAD_KEY, '0');
  expect(await found(workspace)).not.toContain('campaign.start-before-today');
  await saveRules(workspace);
  expect(await agree()).toEqual(before);
});

test('a second rule that finds the rows of the first is told, although no row is marked anew', async () => {
  const workspace = await aWorkspace();
  const creates = [
    create('campaign', null, { name: 'C', campaignType: 'sponsoredProducts', startDate: '2026-05-06' }),
    create('adGroup', { at: 0 }, { name: 'G' }),
    create('adItem', { at: 1 }, { itemId: '1', bid: 100 }),
  ];
  done(await workspace.apply({ label: 'All', source: 'user', creates }));
  const first = rule({ kind: 'adItem', query: 'bid:1' });
  await saveRules(workspace, first);
  const before = (await workspace.issues(0, 0, null)).counts.warning;
  const told = Promise.withResolvers<void>();
  workspace.onChanged(() => void workspace.summary().then(({ issues }) => issues.warning > before && told.resolve()));
  await saveRules(workspace, first, { ...first, id: 'again', name: 'Again' });
  await told.promise;
  expect((await workspace.summary()).issues.warning).toBe(before + 1);
});

test('a rule for the id that the service gave a keyword finds that keyword', () => {
  const store = aStore();
  const refs = createAll(store, aSmallCampaign());
  acceptAll(store, refs);
  const keyword = refs.find(({ kind }) => kind === 'keyword');
  const remoteId = keyword === undefined ? null : store.readRow(keyword)?.remoteId;
  const bit = 2 ** USER_RULE_BIT.warning;
  for (const query of [`id:${remoteId}`, `${remoteId}`]) {
    store.setMeta(USER_RULES_KEY, JSON.stringify([rule({ kind: 'keyword', query })]));
    while (store.checkSlice());
    expect(store.db.all('SELECT id FROM keyword WHERE issues & ? <> 0', bit)).toEqual([[keyword?.id]]);
    store.setMeta(USER_RULES_KEY, '[]');
    while (store.checkSlice());
    expect(store.db.all('SELECT id FROM keyword WHERE issues & ? <> 0', bit)).toEqual([]);
  }
});

test('a setting that is no standard has nothing checked again', async () => {
  const workspace = await aWorkspace();
  done(await workspace.apply({ label: 'One', source: 'user', creates: [create('campaign', null, { name: 'C' })] }));
  const { revision } = await workspace.summary();
  await workspace.setMeta('capabilities', '{}');
  await workspace.issues(0, 1, null);
  expect((await workspace.summary()).revision).toBe(revision);
});

/** More rows than are checked together with the edit that makes them, and one of them without the bid it needs. */
const KEYWORDS = 4500;

/** Its checks go on in the thread of the writer, which what is asked meanwhile does not wait for. */
async function aLargeEdit() {
  const workspace = await aWorkspace(undefined, undefined, openWorkspace);
  const heard: { readonly revision: number; readonly only: 'issues' | null }[] = [];
  workspace.onChanged((revision, _, only) => heard.push({ revision, only }));
  const creates = [
    create('campaign', null, { name: 'C', campaignType: 'sponsoredProducts', targetingType: 'manual' }),
    create('adGroup', { at: 0 }, { name: 'G' }),
    ...Array.from({ length: KEYWORDS }, (_, i) =>
      create('keyword', { at: 1 }, { text: `word ${i}`, matchType: 'exact', ...(i === 0 ? {} : { bid: 100 }) }),
    ),
  ];
  const { revision } = done(await workspace.apply({ label: 'All', source: 'user', creates }));
  return { workspace, heard, revision };
}

/**
 * A large edit with what was read after it and before its checks, which go on beside. On a busy computer they may be over
 * first, and then this begins again.
 */
async function beforeChecks<T>(
  read: (workspace: Workspace) => Promise<T>,
  isBefore: (read: T, last: number) => boolean,
): Promise<{ readonly workspace: Workspace; readonly before: T }> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { workspace, heard } = await aLargeEdit();
    const before = await read(workspace);
    await workspace.rowsWithErrors();
    if (isBefore(before, heard.at(-1)?.revision ?? 0)) return { workspace, before };
  }
  throw new Error('the checks were always over first');
}

test('what is found after a large edit is told apart from the edit, and after it', async () => {
  const { workspace, heard, revision } = await aLargeEdit();
  await workspace.rowsWithErrors();
  expect(heard[0]).toEqual({ revision, only: null });
  expect(heard.length).toBeGreaterThan(1);
  for (const later of heard.slice(1)) {
    expect(later.only).toBe('issues');
    expect(later.revision).toBeGreaterThan(revision);
  }
});

test('what is found of rows is told of all of them at once, as it is told of each', async () => {
  const { workspace } = await aLargeEdit();
  const wrong = await workspace.rowsWithErrors();
  const kinds = [...new Set(wrong.map(({ kind }) => kind))];
  expect(kinds).toContain('keyword');
  for (const kind of kinds) {
    const ids = wrong.flatMap((ref) => (ref.kind === kind ? [ref.id] : [])).slice(0, 12);
    const each = await Promise.all(ids.map((id) => detailOf(workspace, { kind, id })));
    const { issues: together } = done(await call(workspace, 'workspace', 'rowIssues', { kind, ids }));
    expect(together.length).toBeGreaterThan(0);
    expect(together).toEqual(expect.arrayContaining(each.flatMap((detail) => detail.issues)));
    expect(together).toHaveLength(each.reduce((sum, detail) => sum + detail.issues.length, 0));
  }
});

test('counts of issues follow the checks, and are those of views that are opened then', async () => {
  const { workspace, before } = await beforeChecks(
    async (edited) => {
      const view = done(await edited.openView(aView()));
      return {
        revision: view.revision,
        counts: done(await call(edited, 'views', 'counts', { kind: 'keyword', campaignId: null })),
      };
    },
    ({ revision, counts }, last) => revision < last && counts.errors === 0,
  );
  const after = done(await call(workspace, 'views', 'counts', { kind: 'keyword', campaignId: null }));
  for (const only of ['errors', 'warnings', 'attention'] as const) {
    expect(after[only]).toBe(done(await workspace.openView(aView({ only }))).length);
  }
  expect(after.errors).toBeGreaterThan(0);
  const none = { errors: 0, warnings: 0, attention: 0 };
  expect({ ...after, ...none }).toEqual({ ...before.counts, ...none });
  const wrong = done(await workspace.openView(aView({ only: 'errors' }), { window: { from: 0, count: 1 } })).rows;
  const reviewStatus = { field: 'reviewStatus', value: 'rejected' } as const;
  await workspace.setServiceFields(wrong.map(({ id }) => ({ kind: 'keyword' as const, id, ...reviewStatus })));
  const twice = done(await call(workspace, 'views', 'counts', { kind: 'keyword', campaignId: null }));
  expect(twice).toMatchObject({ errors: after.errors, rejected: 1, attention: after.attention });
});

test('rows that come along with a view are those of its window, and a row is found in it by its id', async () => {
  const { workspace } = await aLargeEdit();
  // Checks that go on beside would find something between two reads of the same rows.
  await workspace.rowsWithErrors();
  const { viewId, rows, length } = done(
    await workspace.openView(aView(), { window: { from: KEYWORDS - 3, count: 5 } }),
  );
  expect(length).toBe(KEYWORDS);
  expect(rows).toHaveLength(3);
  expect(rows).toEqual((await workspace.readWindow(viewId, KEYWORDS - 3, 5))?.rows);
  const last = rows.at(-1);
  if (last === undefined || last.campaignId === null) throw new Error('a keyword stands in a campaign');
  expect(await call(workspace, 'views', 'place', { viewId, id: last.id })).toEqual(ok({ place: KEYWORDS - 1 }));
  expect(await call(workspace, 'views', 'place', { viewId, id: last.campaignId })).toEqual(ok({ place: null }));
  expect(await call(workspace, 'views', 'place', { viewId: viewId + 1, id: last.id })).toMatchObject({ ok: false });
});

test('checks leave a view in order, unless it asks for what they find', async () => {
  const views = {
    all: aView(),
    errors: aView({ only: 'errors' }),
    worst: aView({ sort: [{ column: 'severity', descending: true }] }),
  };
  const { workspace, before: opened } = await beforeChecks(
    (edited) => Promise.all(Object.values(views).map(async (spec) => done(await edited.openView(spec)))),
    (each, last) => each.every(({ revision }) => revision < last),
  );
  const stale = await Promise.all(opened.map(async ({ viewId }) => (await workspace.readWindow(viewId, 0, 1))?.stale));
  expect(stale).toEqual([false, true, true]);
  const again = done(await workspace.openView(views.errors));
  expect(again.length).toBeGreaterThan(0);
  expect(done(await call(workspace, 'views', 'counts', { kind: 'keyword', campaignId: null })).errors).toBe(
    again.length,
  );
});
