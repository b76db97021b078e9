import { expect, test } from 'vitest';
import type { Values } from '../../../shared/model/fields.ts';
import { ITEM_CHECK_STATUSES, type ItemCheckStatus } from '../../../shared/model/item-check.ts';
import { itemCatalogueRules } from '../../../shared/rules/ad-item.ts';
import { checkCampaign } from '../../../shared/rules/check.ts';
import { anAdItem, aVideoTree, env } from '../builders.ts';

const OWN: ReadonlySet<string> = new Set(Object.values(itemCatalogueRules).map((rule) => rule.id));

/** What is said of one item when the search's last words on it are these. */
function said(verdict: ItemCheckStatus | null, values: Partial<Values<'adItem'>>, remote?: string): readonly string[] {
  const item = anAdItem(values, remote === undefined ? {} : { remote });
  const catalogue = { verdict: (id: string) => (id === item.values.itemId ? verdict : null) };
  const findings = checkCampaign(aVideoTree({ adItems: [item] }), { ...env, catalogue });
  return findings.map((finding) => finding.rule).filter((rule) => OWN.has(rule));
}

test('an id that nobody looked up is warned about, whoever wrote it', () => {
  for (const itemIdSource of [null, 'import', 'typed'] as const) {
    expect(said(null, { itemIdSource })).toEqual(['item.id-unconfirmed']);
  }
});

test('an id from the search or from the service needs no further proof', () => {
  for (const itemIdSource of ['search', 'service'] as const) expect(said(null, { itemIdSource })).toEqual([]);
});

test('what the search says counts more than where the id came from', () => {
  for (const itemIdSource of [null, 'search', 'import'] as const) {
    expect(said('found', { itemIdSource })).toEqual([]);
    expect(said('unpublished', { itemIdSource })).toEqual(['item.unpublished']);
  }
});

test('every verdict but "found" is told, each by a rule of its own', () => {
  const bad = ITEM_CHECK_STATUSES.filter((verdict) => verdict !== 'found');
  const rules = bad.flatMap((verdict) => said(verdict, {}));
  expect(new Set(rules).size).toBe(bad.length);
});

test('an item that the service has already is left alone', () => {
  expect(said('unpublished', { itemIdSource: 'import' }, '7')).toEqual([]);
});

test('of an id in no known format only the format is told', () => {
  for (const itemId of ['B00ABC', '123', '12345678901', '1E+9', 'prod', 'xprod1']) {
    expect(said(null, { itemId, itemIdSource: 'typed' }), itemId).toEqual([]);
  }
  expect(said(null, { itemId: 'prod4455', itemIdSource: 'typed' })).toEqual(['item.id-unconfirmed']);
});
