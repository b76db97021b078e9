import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { exportSheet } from '../../main/files/spreadsheet/worker/export-sheet.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { type AnyValues, FIELDS, fieldNames, LISTED_FIELDS } from '../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../shared/model/kinds.ts';
import type { AnyRow } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { DOCUMENTED_ONLY, WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { importSession } from '../files/an-exchange.ts';
import { share } from '../share.ts';
import { aView } from '../store/a-view.ts';
import { at, done } from '../store/a-workspace.ts';
import { addVideo, autoDraft, sbaDraft, videoDraft } from './a-draft.ts';
import type { TestAccount } from './an-account.ts';
import type { Control } from './control.ts';
import { type PracticeService, practiceService } from './practice-service.ts';
import { OTHER, SENT_BY_DOCUMENT, TABLE } from './word-fields.ts';

/**
 * Every word of the service may be another one: it is read as it came, shown, exported and imported, kept while something
 * beside it is edited, sent back unchanged, and read again. `there` is the account that made the campaigns with the words
 * of the document; `here` is the one that reads them when the service has learned another.
 */
const LISTED: ReadonlySet<Kind> = new Set<Kind>(['placementMultiplier', 'platformMultiplier']);

let control: Control;
let there: TestAccount;
let here: TestAccount;

async function start(service: PracticeService, extensions: boolean): Promise<void> {
  ({ control } = service);
  const capabilities = extensions ? WITH_EXTENSIONS : DOCUMENTED_ONLY;
  there = await service.open({ capabilities });
  here = await service.open({ capabilities });
}

const rowsOf = async (account: TestAccount, kind: Kind): Promise<readonly AnyRow[]> => {
  const [trees, media] = [await account.workspace.readTrees('all'), await account.workspace.readMedia()];
  const rows = trees.flatMap((tree): readonly AnyRow[] => [
    tree.campaign,
    ...tree.adGroups,
    ...tree.adItems,
    ...tree.keywords,
    ...tree.sbaProfiles,
    ...tree.videoProfiles,
    ...tree.placementMultipliers,
    ...tree.platformMultipliers,
  ]);
  return [...rows, ...media].filter((row) => row.kind === kind);
};
const cellIn = (row: AnyRow | undefined, field: string): Cell => {
  const values: AnyValues | undefined = row?.values;
  return values?.[field] ?? null;
};

/** A campaign that has rows of the kind, on the service, as `there` has it. */
async function made(kind: Kind): Promise<void> {
  if (kind === 'videoProfile' || kind === 'media') await there.create(videoDraft(await addVideo(there)));
  else if (LISTED.has(kind)) await there.create(autoDraft());
  else await there.create(sbaDraft(null));
  await there.run();
  await control.advance('PT45M');
  await there.run();
}

/** What was made there, known and read here. */
async function readHere(): Promise<void> {
  const trees = await there.workspace.readTrees('all');
  const wanted = trees.flatMap(({ campaign, adGroups }) => {
    const { name, campaignType, targetingType } = campaign.values;
    if (campaign.remoteId === null) return [];
    const groups = adGroups.flatMap(({ remoteId }) => (remoteId === null ? [] : [remoteId]));
    return [{ id: campaign.remoteId, name, campaignType, targetingType, adGroups: groups }];
  });
  const taken = await here.sync.addCampaigns(wanted as Parameters<TestAccount['sync']['addCampaigns']>[0], 'pasted');
  expect(taken.ok && taken.value.stoppedBy).toBeNull();
  await refreshHere();
}

async function refreshHere(): Promise<void> {
  done(await here.sync.refresh());
}

/** The rows that have the word, from a window as the grid shows it. */
async function inWindow(kind: Kind, field: string): Promise<readonly { id: RowId; cell: Cell }[]> {
  const spec = aView({ kind, sort: [{ column: field, descending: true }] });
  const view = done(await here.workspace.openView(spec));
  const window = await here.workspace.readWindow(view.viewId, 0, 50);
  if (window === null) throw new Error('no window');
  const at = fieldNames(kind).indexOf(field);
  return window.rows.map((row) => ({ id: row.id, cell: row.cells[at] ?? null }));
}

/** Exports the account and reads the file again. @returns what the import would do */
async function throughFile(format: 'csv' | 'xlsx') {
  const database = join(here.folder, 'workspace.db');
  const path = join(here.folder, `export.${format}`);
  const written = await exportSheet({ database, target: path, format, view: null });
  expect(written.ok).toBe(true);
  const session = importSession({ path, database, profile: defaultDeploymentSettings('shop.example') });
  const read = await session.read(() => undefined);
  rmSync(path);
  if (!read.ok) throw new Error(read.error.reason);
  const { rows, added, changed, conflicts, errorRows, unchanged } = read.value;
  return { rows, added, changed, conflicts, errorRows, unchanged };
}

const errorsHere = async () => (await here.workspace.issues(0, 50, null)).counts.error;

/** Whether the window says of the row that its word is unknown. */
async function isWarnedOf(kind: Kind, field: string): Promise<boolean> {
  const { issues } = await here.workspace.issues(0, 200, null);
  return issues.some(
    (issue) => issue.kind === kind && issue.field === field && /unknown-word|type-unknown/.test(issue.rule),
  );
}

for (const [name, extensions] of [
  ['documented calls only', false],
  ['extensions', true],
] as const) {
  describe(name, () => {
    const service = practiceService({ extensions });
    beforeEach(() => start(service, extensions));

    const table = TABLE.filter(({ isDocumented }) => extensions || isDocumented);
    for (const { kind, field, wire, edit } of share(`unknown words, ${name}`, table)) {
      test(`a word of ${kind}.${field} that nobody knows is as it came at every step`, async () => {
        const [call, member, word] = wire;
        await made(kind);
        if (call === 'review') await there.run({ submit: true });
        await readHere();
        const errors = await errorsHere();
        await control.words({ [call]: { [member]: { [word]: OTHER } } });
        await refreshHere();

        // Read, and nothing that was there is gone.
        const found = (await rowsOf(here, kind)).filter((row) => cellIn(row, field) === OTHER);
        const row = at(found, 0);
        expect(row.dirty).toBe(0);
        const theirs = (await rowsOf(there, kind)).filter(({ remoteId }) => remoteId !== null);
        // A placement that is another one is another multiplier.
        const isReplaced = LISTED_FIELDS.has(field);
        if (kind !== 'media')
          expect((await rowsOf(here, kind)).length).toBe(theirs.length + (isReplaced ? found.length : 0));
        expect(await errorsHere()).toBe(errors);
        expect((await isWarnedOf(kind, field)) || kind === 'media').toBe(true);

        // A review that nobody knows to be over goes on.
        if (call === 'review') expect(cellIn((await rowsOf(here, 'campaign'))[0], 'campaignState')).toBe('in-review');

        // Shown.
        expect(await inWindow(kind, field)).toContainEqual({ id: row.id, cell: OTHER });

        // Exported and imported.
        for (const format of ['csv', 'xlsx'] as const) {
          const { rows, unchanged, ...rest } = await throughFile(format);
          expect(rest).toEqual({ added: 0, changed: 0, conflicts: 0, errorRows: 0 });
          expect(unchanged).toBe(rows);
        }

        // Edited beside, and sent back as it was.
        if (edit !== null && (extensions || SENT_BY_DOCUMENT.has(kind))) {
          const [beside, value] = edit;
          await here.edit(kind, row.id, { [beside]: value });
          const report = await here.run();
          expect([report.state, report.refused]).toEqual(['finished', []]);
          const sent = await here.workspace.readRow({ kind, id: row.id });
          expect(sent).toMatchObject({ dirty: 0, values: { [beside]: value, [field]: OTHER } });
        }

        // Read again, and what the service has is what it had.
        await refreshHere();
        const again = await here.workspace.readRow({ kind, id: row.id });
        expect(again === null ? null : cellIn(again as AnyRow, field)).toBe(OTHER);
        await control.words({});
        await refreshHere();
        if (isReplaced) return;
        const known = await here.workspace.readRow({ kind, id: row.id });
        // What a campaign is to do is read from its status.
        const before = field === 'status' && kind === 'campaign' ? 'enabled' : word;
        expect(known === null ? null : cellIn(known as AnyRow, field)).toBe(before);
      });
    }

    test('a review with an unknown word is the newest one: what came before it is over, and nothing is locked', async () => {
      await made('sbaProfile');
      await there.run({ submit: true });
      const [reviewed] = await rowsOf(there, 'adGroup');
      await control.decideAll(String(cellIn(reviewed, 'reviewId')), 'approved');
      await readHere();
      const first = (await rowsOf(here, 'adGroup'))[0];
      expect(first?.values).toMatchObject({ reviewStatus: 'approved' });
      await there.run();
      const more = { text: 'one more keyword', matchType: 'exact', bid: 190, state: 'enabled' };
      await there.create([{ kind: 'keyword', parent: { id: reviewed?.id ?? (0 as RowId) }, values: more }]);
      await there.run({ submit: true });
      await control.words({ review: { reviewStatus: { pending: OTHER } } });
      await refreshHere();
      const [group] = await rowsOf(here, 'adGroup');
      expect(group?.values).toMatchObject({ reviewStatus: OTHER });
      expect(group?.values).not.toMatchObject({ reviewId: cellIn(first, 'reviewId') });
      const [item] = await rowsOf(here, 'adItem');
      await here.edit('adItem', item?.id ?? (0 as RowId), { bid: 222 });
      expect((await here.run()).refused).toEqual([]);
      // It is asked about until its word is one that is known.
      await control.words({});
      const polled = await here.sync.reviews.poll();
      expect(polled.ok).toBe(true);
      expect((await rowsOf(here, 'adGroup'))[0]?.values).toMatchObject({ reviewStatus: 'pending' });
    });
  });
}

test('the table has every field with words of the service', () => {
  const open = KINDS.flatMap((kind) =>
    Object.entries(FIELDS[kind]).flatMap(([field, { type }]) =>
      type.is === 'choice' && type.isOpen ? [`${kind}.${field}`] : [],
    ),
  );
  expect(TABLE.map(({ kind, field }) => `${kind}.${field}`).toSorted()).toEqual(open.toSorted());
});
