import { expect, test } from 'vitest';
import { DELETED } from '../../../shared/model/row.ts';
import { checkCampaign } from '../../../shared/rules/check.ts';
import { aKeyword, aVideoTree, cents, env } from '../builders.ts';

type Made = ReturnType<typeof aKeyword>;
const found = (keywords: readonly Made[]) =>
  checkCampaign(aVideoTree({ keywords }), env)
    .filter((finding) => finding.rule === 'keyword.broad-above-exact')
    .map((finding) => finding.id);

const exact = (at: number, values: Parameters<typeof aKeyword>[0] = {}, marks = 0) =>
  aKeyword({ bid: cents(200), ...values }, { id: at, marks });
const broad = (at: number, values: Parameters<typeof aKeyword>[0] = {}, marks = 0) =>
  aKeyword({ matchType: 'broad', bid: cents(201), ...values }, { id: at, marks });

test('a broad bid above the exact bid is found in either order, at the broad keyword', () => {
  expect(found([exact(40), broad(41)])).toEqual([41]);
  expect(found([broad(41), exact(40)])).toEqual([41]);
  expect(found([broad(41), aKeyword({ matchType: 'phrase' }, { id: 42 }), exact(40)])).toEqual([41]);
  expect(found([broad(41, { text: 'Paper  TOWEL' }), exact(40)])).toEqual([41]);
});

test('equal bids, other words and keywords without a bid are no reason', () => {
  for (const pair of [
    [exact(40), broad(41, { bid: cents(200) })],
    [exact(40), broad(41, { text: 'roll' })],
    [exact(40, { bid: null }), broad(41)],
    [exact(40), broad(41, { bid: null })],
  ]) {
    expect(found(pair)).toEqual([]);
    expect(found(pair.toReversed())).toEqual([]);
  }
});

test('of two equal broad keywords only the first is named, and deleted ones never', () => {
  expect(found([broad(41), broad(43), exact(40)])).toEqual([41]);
  expect(found([broad(39, {}, DELETED), broad(41), exact(40)])).toEqual([41]);
  expect(found([broad(39, { state: 'archived' }), broad(41), exact(40)])).toEqual([41]);
  expect(found([broad(41), exact(40, {}, DELETED)])).toEqual([]);
});

test('the same words in another ad group are another matter', () => {
  const elsewhere = aKeyword({ bid: cents(200) }, { id: 40, adGroupId: 20 });
  expect(found([broad(41), elsewhere])).toEqual([]);
  expect(found([elsewhere, broad(41)])).toEqual([]);
});

test('a paused exact keyword counts too, since it may be switched on again', () => {
  expect(found([exact(40, { state: 'paused' }), broad(41)])).toEqual([41]);
  expect(found([broad(41), exact(40, { state: 'paused' })])).toEqual([41]);
});
