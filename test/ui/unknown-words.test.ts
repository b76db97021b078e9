import { afterEach, expect, test } from 'vitest';
import { readCell } from '../../renderer/app/locale/cells.ts';
import { changeLimits, choicesOf } from '../../renderer/app/locale/limits.ts';
import { shapeOf } from '../../renderer/components/StatusShape.tsx';
import { keywordLines, matchTypesOf } from '../../renderer/features/matrix/MatrixScreen.tsx';
import { valueText } from '../../renderer/grid/columns.ts';
import { DOCUMENT_LIMITS } from '../../shared/deployment/limits.ts';
import { aWindowRow } from './a-window-row.ts';

afterEach(() => changeLimits(DOCUMENT_LIMITS));

/** A deployment with placements and platforms of its own. */
const OTHERS = {
  ...DOCUMENT_LIMITS,
  multiplier: {
    max: 900,
    placements: { auto: ['Search Ingrid', 'Aisle End'], manual: ['Top Shelf'] },
    platforms: ['Desktop', 'Kiosk'],
  },
};

test('a word of the service that this version does not know says so; a placement is a name', () => {
  expect(valueText('keyword', 'matchType', 'near', new Map())).toBe('near (unknown to this version)');
  expect(valueText('keyword', 'matchType', 'exact', new Map())).toBe('Exact');
  expect(valueText('placementMultiplier', 'placement', 'Aisle End', new Map())).toBe('Aisle End');
  expect(shapeOf('escalated')).toBe('review');
});

test('the choices of a field are those of the deployment, and the word that is there', () => {
  expect(choicesOf('placementMultiplier', 'placement', null)).toEqual(['Search Ingrid', 'Buy-Box']);
  changeLimits(OTHERS);
  expect(choicesOf('placementMultiplier', 'placement', null)).toEqual(['Search Ingrid', 'Aisle End', 'Top Shelf']);
  expect(choicesOf('platformMultiplier', 'platform', 'App')).toEqual(['Desktop', 'Kiosk', 'App']);
  expect(choicesOf('keyword', 'state', 'resting')).toEqual(['enabled', 'paused', 'archived', 'resting']);
});

test('what is typed is held to the limits of the account: its placements, and its highest multiplier', () => {
  expect(readCell('placementMultiplier', 'placement', 'Aisle End').ok).toBe(false);
  expect(readCell('placementMultiplier', 'multiplier', '901').ok).toBe(true);
  changeLimits(OTHERS);
  expect(readCell('placementMultiplier', 'placement', 'aisle end')).toEqual({ ok: true, value: 'Aisle End' });
  expect(readCell('placementMultiplier', 'multiplier', '901').ok).toBe(false);
});

const keywordRow = (values: Readonly<Record<string, string>>) => aWindowRow('keyword', 1, { text: 'tea', ...values });

test('the matrix shows the keyword that replaced an archived one, which nothing can change', () => {
  const [archived, enabled] = ['archived', 'enabled'].map((state) => keywordRow({ matchType: 'exact', state }));
  for (const rows of [
    [archived, enabled],
    [enabled, archived],
  ]) {
    expect(keywordLines(rows.flatMap((row) => row ?? []))[0]?.byMatchType['exact']).toBe(enabled);
  }
});

test('a keyword with an unknown match type has a column of its own in the matrix', () => {
  const rows = [keywordRow({ matchType: 'broad' }), keywordRow({ matchType: 'near' })];
  expect(matchTypesOf(rows)).toEqual(['exact', 'phrase', 'broad', 'near']);
  expect(Object.keys(keywordLines(rows)[0]?.byMatchType ?? {})).toEqual(['broad', 'near']);
});
