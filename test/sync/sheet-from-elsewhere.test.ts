import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ImportSession } from '../../main/files/spreadsheet/worker/import-session.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { campaignLines, campaignsOf } from '../../shared/item-ids/campaign-lines.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY } from '../../shared/plan/plan-types.ts';
import { autoDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';

/** A colleague's sheet names campaigns that our workspace has never seen: it says which, and they are taken in. */
let sandbox: RunningSandbox;
let there: TestAccount;
let here: TestAccount;
beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: false });
  there = await openAccount({ sandbox, capabilities: DOCUMENTED_ONLY });
  here = await openAccount({ sandbox, capabilities: DOCUMENTED_ONLY });
});
afterEach(async () => {
  await there.close();
  await here.close();
  await sandbox.close();
});

async function previewed(lines: readonly string[]) {
  const path = join(here.folder, 'theirs.csv');
  const head = 'Type,Campaign,Ad group,Campaign type,Item id,Bid,Campaign id,Ad group id';
  writeFileSync(path, [head, ...lines].join('\n'));
  const database = join(here.folder, 'workspace.db');
  const session = new ImportSession({
    path,
    database,
    profile: defaultDeploymentSettings(),
    decimals: null,
    sheet: null,
    linesAsRows: false,
    source: 'sheet',
  });
  const read = await session.read(() => undefined);
  if (!read.ok) throw new Error(read.error.reason);
  return read.value;
}

test('the campaigns a sheet names by id are listed once with their ad groups, and are no problem once they are taken in', async () => {
  const [campaignRow, groupRow] = (await there.create(autoDraft('Rolls'))) as [RowId, RowId];
  await there.run();
  const campaign = (await there.workspace.readRow({ kind: 'campaign', id: campaignRow }))?.remoteId ?? '';
  const group = (await there.workspace.readRow({ kind: 'adGroup', id: groupRow }))?.remoteId ?? '';
  const lines = [
    `campaign,Rolls,,sponsoredProducts,,,${campaign},`,
    `ad item,Rolls,,,5000000001,1.10,${campaign},${group}`,
    `ad item,Rolls,,,5000000002,1.20,${campaign},${group}`,
  ];
  const first = await previewed(lines);
  expect(first).toMatchObject({ added: 0, errorCount: 3, missingCount: 1 });
  expect(first.missing).toEqual([{ campaign, name: 'Rolls', type: 'sponsoredProducts', adGroup: group }]);

  // As the window hands them over: as lines of campaigns.
  const named = first.missing.map((one) => [one.campaign, one.name ?? '', String(one.type ?? ''), one.adGroup ?? '']);
  const taken = await here.sync.takeIn(campaignsOf(campaignLines(named)), 'sheet');
  expect(taken).toMatchObject({ ok: true, value: { stoppedBy: null } });
  expect(await previewed(lines)).toMatchObject({ errorCount: 0, missingCount: 0 });
  const { ids } = await here.workspace.known(0, 10, '');
  expect(ids.map(({ id, source }) => [id, source])).toEqual([
    [campaign, 'sheet'],
    [group, 'sheet'],
  ]);
});

test('an ad group is asked for through its campaign: one without is listed nowhere, and no row id is', async () => {
  const { missing, errorCount } = await previewed([
    'ad item,,,,5000000001,1.10,,777',
    'campaign,Towels,,,,,555,',
    'ad item,Towels,,,5000000001,1.10,555,',
    'ad item,Towels,,,5000000001,1.10,555,556',
    'ad item,Towels,,,5000000001,1.10,555,557',
  ]);
  expect(errorCount).toBe(5);
  expect(missing.map(({ campaign, adGroup }) => [campaign, adGroup])).toEqual([
    ['555', '556'],
    ['555', '557'],
  ]);
});
