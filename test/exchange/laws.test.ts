import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeSheet } from '../../main/files/spreadsheet/csv.ts';
import { runs, SEED } from '../share.ts';
import { asSheet } from '../shared/builders.ts';
import { anExchange, type TestExchange } from './an-exchange.ts';
import { aLibrary, type Draft, drafts, type Files, type Noted, noted, rowsOf, writeNotes } from './random-workspace.ts';
import { rowsOfArchive } from './read-archive.ts';

/** Laws of files over random workspaces with media, comments and labels: what was written is read back as no change. */
const folder = mkdtempSync(join(tmpdir(), 'adslate-laws-'));
const RUNS = runs(8, 4);
let desk: TestExchange;
let elsewhere: TestExchange;
let files: Files;
beforeAll(async () => {
  desk = await anExchange(join(folder, 'data'));
  elsewhere = await anExchange(join(folder, 'elsewhere'));
  files = await aLibrary(desk, folder);
});
afterAll(async () => {
  await desk.close();
  await elsewhere.close();
  rmSync(folder, { recursive: true, force: true });
});

async function withRows(made: readonly Draft[], notes: Noted, check: () => Promise<void>) {
  const { workspace } = desk.account;
  const applied = await workspace.apply({ label: 'Law', source: 'user', creates: rowsOf(made, files) });
  if (!applied.ok) throw new Error(JSON.stringify(applied.error));
  await writeNotes(desk, applied.value.touched, notes);
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
const archived = async (of: TestExchange) => {
  const target = join(folder, `${randomUUID()}.adslate`);
  return { target, ...(await of.archive('archive', target)) };
};
const UNCHANGED = { added: 0, changed: 0, removed: 0, conflicts: 0, errorCount: 0 };

describe(`over random workspaces (seed ${SEED})`, () => {
  const options = { numRuns: RUNS, seed: SEED };

  test.each([
    ['csv', RUNS],
    ['tsv', 3],
    ['xlsx', RUNS],
  ] as const)('an export as %s imports as no change', async (format, numRuns) => {
    let rows = 0;
    await fc.assert(
      fc.asyncProperty(drafts, noted, async (made, notes) => {
        await withRows(made, notes, async () => {
          const written = await exported(format);
          const preview = await desk.preview(await desk.grant(written.target));
          await desk.dismiss(preview.previewId);
          expect(preview).toMatchObject({ ...UNCHANGED, unchanged: written.rows });
          rows += written.rows;
        });
      }),
      { ...options, numRuns },
    );
    expect(rows).toBeGreaterThan(numRuns * 4);
  });

  test('an archive imports as no change, and elsewhere as all it holds', async () => {
    const seen = { media: 0, comments: 0, labels: 0 };
    await fc.assert(
      fc.asyncProperty(drafts, noted, async (made, notes) => {
        await withRows(made, notes, async () => {
          const written = await archived(desk);
          const home = await desk.preview(await desk.grant(written.target));
          await desk.dismiss(home.previewId);
          expect(home).toMatchObject({ ...UNCHANGED, unchanged: written.rows });

          const preview = await elsewhere.preview(await elsewhere.grant(written.target));
          expect(preview).toMatchObject({ ...UNCHANGED, added: written.rows });
          await elsewhere.apply(preview.previewId);
          try {
            const rows = await rowsOfArchive(written.target);
            expect(await rowsOfArchive((await archived(elsewhere)).target)).toEqual(rows);
            seen.media += written.media;
            seen.comments += rows.filter(({ comments }) => comments !== undefined).length;
            seen.labels += rows.filter(({ labels }) => labels !== undefined).length;
          } finally {
            await elsewhere.account.workspace.undo();
          }
        });
      }),
      // All of media, comments and labels have to come up.
      { ...options, numRuns: 8 },
    );
    expect(Math.min(seen.media, seen.comments, seen.labels)).toBeGreaterThan(0);
  });

  test('the short way through ad items and keywords writes what the long way does', async () => {
    await fc.assert(
      fc.asyncProperty(drafts, noted, async (made, notes) => {
        await withRows(made, notes, async () => {
          const { workspace } = desk.account;
          const { target } = await exported('csv');
          const long = writeSheet(asSheet(await workspace.readTrees('all'), await workspace.readMedia()));
          expect(readFileSync(target, 'utf8')).toBe(long);
        });
      }),
      options,
    );
  });
});
