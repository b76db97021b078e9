import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeSheet } from '../../main/exchange/write-sheet.ts';
import type { CreateRow } from '../../main/workspace/port.ts';
import { formatSheet } from '../../shared/sheet/format-sheet.ts';
import { anExchange, type TestExchange } from './an-exchange.ts';

/** Laws of files over random workspaces: what was written is read back as no change. */
const folder = mkdtempSync(join(tmpdir(), 'adslate-laws-'));
const SEED = Number(process.env['ADSLATE_SEED'] ?? Date.now() % 1_000_000);
const RUNS = 12;
let desk: TestExchange;
beforeAll(async () => {
  desk = await anExchange(join(folder, 'data'));
});
afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Texts that spreadsheet programs, CSV and XLSX stumble over. */
const text = fc
  .string({ unit: fc.constantFrom(...'abcäß世"\';,=+-@#[]()%&<>  0123456789'), minLength: 1, maxLength: 24 })
  .map((found) => found.trim())
  .filter((found) => found !== '');
const cents = fc.integer({ min: 1, max: 9_999_999 });
const status = fc.constantFrom('enabled', 'paused');

interface Draft {
  readonly name: string;
  readonly budget: number | null;
  readonly groups: readonly {
    readonly name: string;
    readonly keywords: readonly { readonly text: string; readonly bid: number | null; readonly matchType: string }[];
    readonly items: readonly { readonly itemId: string; readonly bid: number | null }[];
    readonly headline: string | null;
  }[];
  readonly multiplier: number | null;
}
const unique = <T>(by: (one: T) => string) => ({ selector: by, comparator: (a: string, b: string) => a === b });
const draft: fc.Arbitrary<Draft> = fc.record({
  name: text,
  budget: fc.option(cents),
  multiplier: fc.option(fc.integer({ min: 0, max: 900 })),
  groups: fc.uniqueArray(
    fc.record({
      name: text,
      keywords: fc.uniqueArray(
        fc.record({
          text: text.map((word) => word.toLowerCase()),
          bid: fc.option(cents),
          matchType: fc.constantFrom('exact', 'phrase', 'broad'),
        }),
        { ...unique((one: { text: string }) => one.text.replace(/\s+/g, ' ')), maxLength: 5 },
      ),
      items: fc.uniqueArray(
        fc.record({ itemId: fc.integer({ min: 1e9, max: 9_999_999_999 }).map(String), bid: fc.option(cents) }),
        { ...unique((one: { itemId: string }) => one.itemId), maxLength: 3 },
      ),
      headline: fc.option(text),
    }),
    { ...unique((group: { name: string }) => group.name), minLength: 1, maxLength: 3 },
  ),
});

function rowsOf(drafts: readonly Draft[], statuses: readonly string[]): readonly CreateRow[] {
  const creates: CreateRow[] = [];
  const add = (kind: CreateRow['kind'], parent: number | null, values: CreateRow['values']): number =>
    creates.push({ kind, parent: parent === null ? null : { at: parent }, values }) - 1;
  drafts.forEach((one, i) => {
    const campaign = add('campaign', null, {
      name: `${one.name} ${i}`,
      campaignType: 'sponsoredProducts',
      targetingType: 'manual',
      dailyBudget: one.budget,
      startDate: '2030-06-01',
      status: statuses[i % statuses.length] ?? 'enabled',
    });
    if (one.multiplier !== null) {
      add('placementMultiplier', campaign, { placement: 'Search Ingrid', multiplier: one.multiplier });
    }
    for (const group of one.groups) {
      const at = add('adGroup', campaign, { name: group.name });
      for (const keyword of group.keywords) add('keyword', at, keyword);
      for (const item of group.items) add('adItem', at, item);
      if (group.headline !== null) add('sbaProfile', at, { headline: group.headline, brand: one.name });
    }
  });
  return creates;
}

async function withRows(drafts: readonly Draft[], statuses: readonly string[], check: () => Promise<void>) {
  const { workspace } = desk.account;
  const made = await workspace.apply({ label: 'Law', source: 'user', creates: rowsOf(drafts, statuses) });
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  try {
    await check();
  } finally {
    await workspace.undo();
  }
}

const exported = async (format: 'csv' | 'tsv' | 'xlsx') => {
  const target = join(folder, `${randomUUID()}.${format}`);
  return { target, ...(await desk.export({ target, format, view: null })) };
};

describe(`over random workspaces (seed ${SEED})`, () => {
  const options = { numRuns: RUNS, seed: SEED };
  const drafts = fc.array(draft, { minLength: 1, maxLength: 4 });
  const statuses = fc.array(status, { minLength: 1, maxLength: 3 });

  test.each(['csv', 'tsv', 'xlsx'] as const)('an export as %s imports as no change', async (format) => {
    let rows = 0;
    await fc.assert(
      fc.asyncProperty(drafts, statuses, async (made, states) => {
        await withRows(made, states, async () => {
          const written = await exported(format);
          const preview = await desk.preview(await desk.grant(written.target));
          await desk.dismiss(preview.previewId);
          expect(preview).toMatchObject({ added: 0, changed: 0, conflicts: 0, errorCount: 0, unchanged: written.rows });
          rows += written.rows;
        });
      }),
      options,
    );
    expect(rows).toBeGreaterThan(RUNS * 4);
  });

  test('an archive imports as no change', async () => {
    await fc.assert(
      fc.asyncProperty(drafts, statuses, async (made, states) => {
        await withRows(made, states, async () => {
          const target = join(folder, `${randomUUID()}.adslate`);
          const written = await desk.archive('archive', target);
          const preview = await desk.preview(await desk.grant(target));
          await desk.dismiss(preview.previewId);
          expect(preview).toMatchObject({ added: 0, changed: 0, conflicts: 0, errorCount: 0, unchanged: written.rows });
        });
      }),
      options,
    );
  });

  test('the short way through ad items and keywords writes what the long way does', async () => {
    await fc.assert(
      fc.asyncProperty(drafts, statuses, async (made, states) => {
        await withRows(made, states, async () => {
          const { workspace } = desk.account;
          const { target } = await exported('csv');
          const long = writeSheet(formatSheet(await workspace.readTrees('all'), await workspace.readMedia()));
          expect(readFileSync(target, 'utf8')).toBe(long);
        });
      }),
      options,
    );
  });
});
