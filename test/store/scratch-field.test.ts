import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { DOCUMENT_LIMITS } from '../../shared/deployment/limits.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { text, user } from '../../shared/model/field-types.ts';
import { FIELDS, fieldNames, type Values } from '../../shared/model/fields.ts';
import { changedFields, differingBits, type Row } from '../../shared/model/row.ts';

/** One more field of brand profiles, declared before anything that goes by the table is loaded. */
Object.assign(FIELDS.sbaProfile, {
  tagline: user(9, text, {
    label: 'Tagline',
    heading: 'Tagline',
    after: 'Headline',
    headings: ['subtitle'],
    aliases: ['sub'],
    wire: { write: 'taglineText', read: ['tagline'] },
    canonical: (value: string | null) => value?.toLowerCase() ?? null,
    limit: 'sba.headlineMax',
    grid: { width: 333, hidden: true },
    form: 'banner',
  }),
});

const { anAdGroup, anSbaProfile, aTree, aCampaign, asSheet, planInput } = await import('../shared/builders.ts');
const TAGLINE = 'As soft as snow';
const values = (tagline: string | null) => ({ tagline }) as Partial<Values<'sbaProfile'>>;
const here = { campaignId: 1, adGroupId: 2 };
const newTree = (tagline: string | null): CampaignTree =>
  aTree({ campaign: aCampaign({ campaignType: 'sba' }), sbaProfiles: [anSbaProfile(values(tagline), here)] });

test('it is a column of the store, with the bit and the code that it declares', async () => {
  const { columnOf, tableOf } = await import('../../main/store/schema/tables.ts');
  expect(columnOf(tableOf('sbaProfile'), 'tagline')).toMatchObject({
    sql: '"tagline"',
    sqlType: 'TEXT',
    mask: 512,
    code: 9,
  });
  expect(changedFields('sbaProfile', differingBits('sbaProfile', { tagline: 'a' }, { tagline: 'b' }))).toEqual([
    'tagline',
  ]);
});

test('a backup from before it was declared is compared by the fields it has', async () => {
  const { aFolder, aSmallCampaign, aWorkspace, edit } = await import('./a-workspace.ts');
  const { compareFiles } = await import('../../main/store/safety/compare.ts');
  const [file, other] = ['workspace.db', 'older.db'].map((name) => join(aFolder(), name)) as [string, string];
  const workspace = await aWorkspace(file);
  expect(await workspace.backup(other)).toMatchObject({ ok: true });
  const db = new DatabaseSync(other);
  db.exec('ALTER TABLE sba_profile DROP COLUMN tagline; ALTER TABLE sba_profile_base DROP COLUMN tagline');
  db.close();
  await edit(workspace, { creates: aSmallCampaign() });
  const compared = compareFiles({ file, other, examples: 1 });
  expect(compared).toMatchObject({ ok: true, value: { examples: [{ label: 'Towels', what: 'goes' }] } });
});

test('it travels in requests that create and update', async () => {
  const { planChanges } = await import('../../shared/plan/plan.ts');
  const { renderBatch, unresolved } = await import('../../shared/plan/wire.ts');
  const bodies = (profile: Row<'sbaProfile'>): readonly string[] => {
    const tree = aTree({
      campaign: aCampaign({ campaignType: 'sba' }, { remote: '10' }),
      adGroups: [anAdGroup({}, { remote: '20' })],
      sbaProfiles: [profile],
    });
    return planChanges(planInput([tree])).batches.flatMap((batch) =>
      batch.kind === 'sbaProfile'
        ? [renderBatch(batch, unresolved), ...batch.elements.map(({ sent }) => JSON.stringify(sent))]
        : [],
    );
  };
  const [created, sent] = bodies(anSbaProfile(values(TAGLINE), here));
  expect(created).toContain(`"clickUrl":"https://www.retailer.example/browse/softly","taglineText":"${TAGLINE}"}`);
  expect(sent).toContain(`"tagline":"${TAGLINE}"`);
  const [updated] = bodies(anSbaProfile(values(TAGLINE), { ...here, remote: '50', was: values(null) }));
  expect(updated).toContain(`"taglineText":"${TAGLINE}"`);
});

test.each(['taglineText', 'TAGLINE'])('it is read from the member %s of an answer', async (member) => {
  const { recordFieldsOf, readFields } = await import('../../main/api/parse-record.ts');
  const members = recordFieldsOf({ [member]: TAGLINE });
  if (members === null) throw new Error('an object has members');
  expect(readFields('sbaProfile', members).values).toEqual({ tagline: TAGLINE });
});

test('it is a column of spreadsheets, written and read', async () => {
  const { COLUMNS, columnOf } = await import('../../shared/spreadsheet/columns.ts');
  const { parseSheet } = await import('../../shared/spreadsheet/parse-sheet.ts');
  expect(COLUMNS.slice(COLUMNS.indexOf('Headline'), COLUMNS.indexOf('Click URL'))).toEqual(['Headline', 'Tagline']);
  expect(columnOf('Sub title')).toBe('Tagline');
  const read = parseSheet(asSheet([newTree(TAGLINE)]));
  expect(read).toMatchObject({ kind: 'sheet', rows: [{}, {}, { kind: 'sbaProfile', cells: { tagline: TAGLINE } }] });
});

test('a search finds it by its names, and words in it', async () => {
  const { searchedFields, searchField } = await import('../../shared/search/query.ts');
  expect(['tagline', 'TagLine', 'sub'].map((word) => searchField('sbaProfile', word))).toEqual(
    Array(3).fill('tagline'),
  );
  expect(searchedFields('sbaProfile')).toContain('tagline');
});

test('a merge compares its canonical form', async () => {
  const { mergeField } = await import('../../shared/merge/merge.ts');
  expect(mergeField('sbaProfile', 'tagline', null, 'Snow', 'SNOW')).toBe('converged');
});

test('its length is counted to the limit of the deployment, in the editor and in tools', async () => {
  const { lengthLimit } = await import('../../shared/model/fields.ts');
  const { addText } = await import('../../shared/bulk/bulk-change.ts');
  const { profile } = await import('../shared/builders.ts');
  expect(lengthLimit(DOCUMENT_LIMITS, 'sbaProfile', 'tagline')).toBe(45);
  const outcome = addText([anSbaProfile(values(TAGLINE))], 'tagline', { before: '', after: '!'.repeat(40) }, profile);
  expect(outcome.refused).toMatchObject([{ why: 'too-long' }]);
});

test('the grid has it with its title and width, hidden at first', async () => {
  const { columnsOf } = await import('../../renderer/grid/columns.ts');
  const column = columnsOf('sbaProfile', false).find(({ field }) => field === 'tagline');
  expect(column).toMatchObject({
    title: 'Tagline',
    width: 333,
    shown: false,
    cell: fieldNames('sbaProfile').length - 1,
  });
});

test('the form of a new campaign asks for it', async () => {
  const { draftRows, EMPTY_DRAFT } = await import('../../renderer/features/campaign-form/draft.ts');
  expect(EMPTY_DRAFT).toMatchObject({ tagline: '' });
  const rows = draftRows('sba', { ...EMPTY_DRAFT, name: 'Pots', ...{ tagline: TAGLINE } });
  expect(rows).toMatchObject({ ok: true, value: [{}, {}, { kind: 'sbaProfile', values: { tagline: TAGLINE } }] });
});
