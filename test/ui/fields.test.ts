import { expect, test } from 'vitest';
import { fieldName, rowName } from '../../renderer/app/field-names.ts';
import type { CampaignShape } from '../../renderer/app/store/dialog.ts';
import { draftFrom, draftOf, draftRows, EMPTY_DRAFT, storedForm } from '../../renderer/features/campaign-form/draft.ts';
import { columnsOf, lockOf, lockOfAll } from '../../renderer/grid/columns.ts';
import { DOCUMENT_LIMITS } from '../../shared/deployment/limits.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { fieldNames, lengthLimit } from '../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../shared/model/kinds.ts';
import { NEW } from '../../shared/model/row.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import { aWindowRow } from './a-window-row.ts';

const aRow = (kind: Kind, values: Readonly<Record<string, Cell>>, dirty = NEW) => aWindowRow(kind, 1, values, dirty);

test('each field is a column with this title, width and lock', () => {
  const kindsOf = new Map<string, Kind[]>();
  const order = KINDS.map((kind) => {
    const sent = aRow(kind, {}, 0);
    const columns = columnsOf(kind, false);
    for (const column of columns) {
      const line = [
        column.field,
        column.title,
        column.width,
        column.align,
        column.shown ? 'shown' : 'hidden',
        lockOfAll(column) ?? '-',
        lockOf(column, sent) ?? '-',
        lockOf(column, aRow(kind, { sha256: 'aa' })) ?? '-',
      ].join(' | ');
      kindsOf.set(line, [...(kindsOf.get(line) ?? []), kind]);
    }
    return `${kind}: ${columns.map(({ field }) => field).join(' ')}`;
  });
  expect(order).toMatchSnapshot();
  // The metrics are columns of several kinds.
  expect([...kindsOf].map(([line, kinds]) => `${line} | ${kinds.join(' ')}`)).toMatchSnapshot();
});

test('a name that is no field stands for itself', () => {
  expect(fieldName('path')).toBe('path');
});

test('a row without a name is named once, by its kind and ID', () => {
  expect(rowName('adGroup', 'ad group 7700021')).toBe('ad group 7700021');
  expect(rowName('keyword', 'keyword without text, exact')).toBe('keyword without text, exact');
  expect(rowName('videoProfile', 'video profile')).toBe('video profile');
  const nameless = (kind: Kind): string =>
    rowName(kind, rowLabel({ kind, remoteId: null, values: { matchType: null } } as never));
  expect(KINDS.map(nameless)).toEqual([
    'campaign without a name',
    'ad group without a name',
    'ad item without an ID',
    'keyword without text',
    'SBA profile without a headline',
    'video profile',
    'placement multiplier',
    'platform multiplier',
    'media file without a name',
  ]);
  expect(rowName('adGroup', 'Towels')).toBe('ad group Towels');
  expect(rowName('keyword', 'keyword tool, exact')).toBe('keyword keyword tool, exact');
});

test('the form of a new campaign has these fields', () => {
  const filled = {
    ...EMPTY_DRAFT,
    name: ' Kettles ',
    totalBudget: '1000',
    dailyBudget: '50.5',
    startDate: '2030-06-01',
    endDate: 'open',
    brand: 'Softly',
    headline: 'Pots',
    clickUrl: 'https://www.retailer.example/pots',
    items: '5012345001 1.60',
    keywords: 'kettle',
  };
  expect(EMPTY_DRAFT).toMatchSnapshot();
  expect(JSON.stringify(storedForm(filled))).toMatchSnapshot();
  expect(draftFrom(storedForm(filled))).toMatchSnapshot();
  const rowsOf = (shape: CampaignShape) => {
    const rows = draftRows(shape, filled);
    return rows.ok ? rows.value.map((row) => JSON.stringify(row)) : rows;
  };
  expect((['video', 'sba', 'auto', 'manual'] as const).map(rowsOf)).toMatchSnapshot();
  const made = draftRows('sba', filled);
  if (!made.ok) throw new Error(made.error.text);
  const row = (kind: Kind) =>
    aRow(kind, (made.value.find((each) => each.kind === kind)?.values ?? {}) as Record<string, Cell>);
  const parts = { items: [row('adItem')], keywords: [row('keyword')], profiles: [row('sbaProfile')] };
  expect(draftOf({ campaign: row('campaign'), ...parts })).toMatchSnapshot();
});

test('what cannot be read is said at its field of the form', () => {
  for (const field of ['dailyBudget', 'startDate', 'headline'] as const) {
    expect(draftRows('sba', { ...EMPTY_DRAFT, name: 'Pots', [field]: '\u0007x' })).toMatchObject({ error: { field } });
  }
});

test('characters are counted where the deployment has a limit', () => {
  const limits = KINDS.flatMap((kind) =>
    fieldNames(kind).map((field) => `${kind}.${field} ${lengthLimit(DOCUMENT_LIMITS, kind, field)}`),
  );
  expect(limits.filter((line) => !line.endsWith(' null'))).toEqual(['sbaProfile.brand 35', 'sbaProfile.headline 45']);
});
