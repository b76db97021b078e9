import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDb } from '../../main/store/db/open-db.ts';
import { FINDING_RULES_DDL } from '../../main/store/schema/ddl.ts';
import type { Workspace } from '../../main/store/store.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { aFolder, aWorkspace, create, done } from './a-workspace.ts';

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

test('findings stand by severity over all campaigns, and a page anywhere is that part of the whole', async () => {
  const { workspace } = await aFaultyAccount();
  const whole = await workspace.findings(0, 500, null);
  const ranks = whole.findings.map(({ severity }) => RANKS.indexOf(severity));
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect(new Set(ranks).size).toBeGreaterThan(1);
  expect(new Set(whole.findings.map(({ campaignId }) => campaignId)).size).toBeGreaterThan(1);
  for (let from = 0; from <= whole.total; from += 1) {
    const page = await workspace.findings(from, 3, null);
    expect(page.findings).toEqual(whole.findings.slice(from, from + 3));
  }
});

test('every rule is counted with what can be mended, and narrows the list to what it finds', async () => {
  const { workspace, campaigns } = await aFaultyAccount();
  for (const campaignId of [null, ...campaigns]) {
    const whole = await workspace.findings(0, 500, campaignId);
    expect(whole.rules.length).toBeGreaterThan(2);
    expect(whole.rules.some(({ fixable }) => fixable > 1)).toBe(true);
    expect(whole.rules.reduce((sum, { found }) => sum + found, 0)).toBe(whole.total);
    for (const { rule, severity, found, fixable } of whole.rules) {
      const own = whole.findings.filter((finding) => finding.rule === rule);
      expect(own).toMatchObject(own.map(() => ({ severity })));
      expect([own.length, own.filter(({ fix }) => fix !== null).length]).toEqual([found, fixable]);
      const narrowed = await workspace.findings(0, 500, campaignId, rule);
      expect(narrowed).toEqual({ ...whole, total: found, findings: own });
      expect((await workspace.findings(1, 1, campaignId, rule)).findings).toEqual(own.slice(1, 2));
    }
    expect((await workspace.findings(0, 500, campaignId, 'no.such-rule')).findings).toEqual([]);
  }
});

test('a file of before rules were counted is counted when it is opened after its migration', async () => {
  const file = join(aFolder(), 'workspace.db');
  const { workspace } = await aFaultyAccount(file);
  const { rules } = await workspace.findings(0, 0, null);
  await workspace.close();
  const db = openDb(file);
  db.exec(`ALTER TABLE finding_count DROP COLUMN rules; ${FINDING_RULES_DDL}`);
  db.close();
  const opened = await aWorkspace(file);
  expect((await opened.findings(0, 0, null)).rules).toEqual(rules);
});
