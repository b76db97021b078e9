import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, test } from 'vitest';
import type { GrantedFile } from '../../main/app/host-ports.ts';
import { writeSheet } from '../../main/files/spreadsheet/csv.ts';
import { readSheet } from '../../main/files/spreadsheet/read-sheet.ts';
import { testFolder } from '../folder.ts';
import { runs, SEED } from '../share.ts';
import { asSheet } from '../shared/builders.ts';
import { done } from '../store/a-workspace.ts';
import { call } from '../store/call.ts';
import { anExchange, rowsOfArchive, type TestExchange } from './an-exchange.ts';
import { aLibrary, type Draft, drafts, type Files, type Noted, noted, rowsOf, writeNotes } from './random-workspace.ts';

let desk: TestExchange;

describe('round trip', () => {
  const folder = testFolder('round');
  beforeAll(async () => {
    desk = await anExchange(join(folder, 'data'));
    return () => desk.close();
  });

  const HEADER =
    'Type,Campaign,Ad group,Campaign type,Targeting,Status,Total budget,Daily budget,Start,End,Item id,Bid,Keyword,Match type';
  const SHEET = [
    HEADER,
    'campaign,Spring,,sponsoredProducts,manual,enabled,5000.00,50.00,2030-06-01,2030-07-01,,,,',
    'ad group,Spring,Main,,,enabled,,,,,,,,',
    'ad item,Spring,Main,,,enabled,,,,,1234567890,0.60,,',
    'keyword,Spring,Main,,,enabled,,,,,,1.20,paper towel,exact',
    'keyword,Spring,Main,,,enabled,,,,,,0.90,"kitchen ""roll"", blue",phrase',
  ].join('\n');
  const file = (name: string, content: string | Uint8Array): Promise<GrantedFile> => {
    const path = join(folder, `${randomUUID()}-${name}`);
    writeFileSync(path, content);
    return desk.grant(path);
  };
  const imported = async (content: string | Uint8Array, name = 'a.csv') => {
    const preview = await desk.preview(await file(name, content));
    return { preview, applied: await desk.apply(preview.previewId) };
  };

  describe('a sheet', () => {
    test('comes in as one step, and its rows know their lines', async () => {
      const { preview, applied } = await imported(SHEET);
      expect(preview).toMatchObject({ added: 5, changed: 0, unchanged: 0, conflicts: 0, errorCount: 0 });
      expect(applied).toMatchObject({ added: 5 });
      const { workspace, lines } = desk.account;
      expect((await workspace.summary()).undo).toMatch(/^Import .*a\.csv$/);
      const [tree] = await workspace.readTrees('all');
      const line = await lines.read();
      expect(tree?.keywords.map((row) => [row.values.text, line('keyword', row.id)])).toEqual([
        ['paper towel', 5],
        ['kitchen "roll", blue', 6],
      ]);
      expect(await workspace.verify()).toEqual([]);
    });
    test('exports exactly what is filtered, in the order it is sorted', async () => {
      const target = join(folder, `${randomUUID()}.csv`);
      const sort = [{ column: 'bid', descending: true }];
      const view = { kind: 'keyword', filter: '', sort, campaignId: null, only: 'all' } as const;
      expect(await desk.export({ target, format: 'csv', view: { ...view, sort } })).toEqual({ rows: 2 });
      const rows = done(await readSheet(target));
      const at = rows[0]?.indexOf('Bid') ?? -1;
      expect(rows.slice(1).map((row) => row[at])).toEqual(['1.20', '0.90']);
    });
    test('as a page shows every filled cell as text, holds no script, and asks for nothing', async () => {
      const target = join(folder, `${randomUUID()}.html`);
      expect(await desk.export({ target, format: 'html', view: null, title: 'Shop <1>' })).toEqual({ rows: 5 });
      const page = await readFile(target, 'utf8');
      expect(page).toContain('<h1>Shop &lt;1&gt;</h1>');
      expect(page).toContain('<caption>keyword (2)</caption>');
      expect(page).toContain('kitchen &quot;roll&quot;, blue');
      expect(page).toContain('<td class="n">1.20</td>');
      const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      expect(page).toContain(`content="default-src 'none'; style-src 'sha256-${hash}'"`);
      expect(page).not.toMatch(/<script|<img|<link|javascript:|https?:\/\//i);
    });
    test('lets the user leave rows out', async () => {
      const preview = await desk.preview(
        await file('b.csv', `${HEADER}\ncampaign,Out,,sba,manual,enabled,1,1\ncampaign,In,,sba,manual,enabled,1,1`),
      );
      expect(await desk.apply(preview.previewId, { leaveOut: [2], take: [] })).toMatchObject({ added: 1 });
      const names = (await desk.account.workspace.readTrees('all')).map((tree) => tree.campaign.values.name);
      expect(names).toContain('In');
      expect(names).not.toContain('Out');
    });
    test('shows its rows with what they change', async () => {
      const preview = await desk.preview(
        await file(
          'c.csv',
          `${HEADER}\nkeyword,Spring,Main,,,,,,,,,1.35,paper towel,exact\nkeyword,Nowhere,,,,,,,,,,1,x,exact`,
        ),
      );
      expect(preview).toMatchObject({ changed: 1, errorCount: 1 });
      const changed = await desk.rows(preview.previewId, 'changed', 0, 10);
      expect(changed).toMatchObject({
        total: 1,
        rows: [{ line: 2, kind: 'keyword', cells: [{ column: 'Bid', before: 120, after: 135 }] }],
      });
      const failed = await desk.rows(preview.previewId, 'error', 0, 10);
      expect(failed).toMatchObject({ total: 1, rows: [{ line: 3, message: expect.stringContaining('Nowhere') }] });
      const target = join(folder, `${randomUUID()}.csv`);
      expect(await desk.failed(preview.previewId, target, 'csv')).toBe(1);
      const sheet = await readSheet(target);
      expect(sheet).toMatchObject({
        value: [expect.arrayContaining(['Problem']), expect.arrayContaining(['Nowhere'])],
      });
      await desk.dismiss(preview.previewId);
    });
    test('a preview that has grown old is worked out anew when it is applied', async () => {
      const preview = await desk.preview(await file('d.csv', `${HEADER}\ncampaign,Old,,sba,manual,enabled,1,1`));
      await imported(`${HEADER}\ncampaign,Old,,sba,manual,enabled,1,1`);
      expect(await desk.apply(preview.previewId)).toMatchObject({ added: 0, unchanged: 1 });
    });
    test('amounts with a decimal comma are asked about once', async () => {
      const text = `${HEADER}\nkeyword,Spring,Main,,,,,,,,,"1,50",paper towel,exact`;
      const granted = await file('e.csv', text);
      expect(await desk.tryPreview(granted)).toMatchObject({
        error: { reason: 'needs-decimals', params: { text: '1,50', line: 2, column: 'Bid' } },
      });
      const preview = await desk.preview(granted, 'comma');
      const { rows } = await desk.rows(preview.previewId, 'changed', 0, 1);
      expect(rows).toMatchObject([{ cells: [{ column: 'Bid', after: 150 }] }]);
      await desk.dismiss(preview.previewId);
    });
  });

  describe('dates as a spreadsheet program writes them', () => {
    const days = (start: string, end: string) => [
      ['Type', 'Campaign', 'Campaign type', 'Targeting', 'Start', 'End'],
      ['campaign', 'Dated', 'sponsoredProducts', 'manual', start, end],
    ];
    const asCsv = (rows: readonly (readonly string[])[]): string => rows.map((cells) => cells.join(',')).join('\n');
    const asBook = (rows: readonly (readonly string[])[]) =>
      writeXlsx({ sheets: [{ name: 'Sheet', rows: rows.map((cells) => [...cells]) }] });

    test('are read in the order that one of them proves, in text and in a workbook, and go out with the year first', async () => {
      const [american, european] = [days('5/4/2030', '12/15/2030'), days('04.05.2030', '15.12.2030')];
      expect((await imported(asCsv(american))).preview).toMatchObject({ added: 1, errorCount: 0 });
      for (const [content, name] of [
        [await asBook(american), 'american.xlsx'],
        [asCsv(european), 'european.csv'],
        [await asBook(european), 'european.xlsx'],
        [asCsv(days('2030-05-04', '2030-12-15')), 'iso.csv'],
      ] as const) {
        expect((await imported(content, name)).preview).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
      }
      const target = join(folder, `${randomUUID()}.csv`);
      await desk.export({ target, format: 'csv', view: null });
      const text = await readFile(target, 'utf8');
      expect(text).toContain('2030-05-04,2030-12-15');
      expect((await imported(text)).preview).toMatchObject({ added: 0, changed: 0, errorCount: 0 });
    });
    test('are asked about once if each can mean two days, and where they contradict each other', async () => {
      const granted = await file('both.csv', asCsv(days('5/4/2030', '6/7/2030')));
      expect(await desk.tryPreview(granted)).toMatchObject({
        error: { reason: 'needs-dates', params: { text: '5/4/2030', line: 2, column: 'Start' } },
      });
      const endsOf = async (dates: 'month-first' | 'day-first') => {
        const preview = done(await desk.tryPreview(granted, { dates }));
        const { rows } = await desk.rows(preview.previewId, 'changed', 0, 1);
        await desk.dismiss(preview.previewId);
        return rows[0]?.cells.map(({ column, after }) => [column, after]);
      };
      expect(await endsOf('month-first')).toEqual([['End', '2030-06-07']]);
      expect(await endsOf('day-first')).toEqual([
        ['Start', '2030-04-05'],
        ['End', '2030-07-06'],
      ]);
      const mixed = await file('mixed.csv', asCsv(days('12/15/2030', '31/12/2030')));
      expect(await desk.tryPreview(mixed)).toMatchObject({
        error: { reason: 'mixed-dates', params: { text: '31/12/2030', other: '12/15/2030', line: 2, column: 'End' } },
      });
      const preview = done(await desk.tryPreview(mixed, { dates: 'month-first' }));
      expect(preview).toMatchObject({ errorRows: 1, errors: [{ line: 2, column: 'End' }] });
      await desk.dismiss(preview.previewId);
    });
  });

  describe('an exported XLSX that was edited', () => {
    const edited = async (change: (row: (string | number | null)[], header: readonly string[]) => void) => {
      const target = join(folder, `${randomUUID()}.xlsx`);
      await desk.export({ target, format: 'xlsx', view: null });
      const book = await readXlsx(readFileSync(target));
      const rows = (book.sheets[0]?.rows ?? []) as (string | number | null)[][];
      const header = (rows[0] ?? []).map(String);
      for (const row of rows.slice(1)) change(row, header);
      return { header, bytes: () => writeXlsx({ sheets: [{ name: 'Sheet', rows }] }) };
    };
    const bidOf = async (text: string) =>
      (await desk.account.workspace.readTrees('all'))
        .flatMap((tree) => tree.keywords)
        .find((row) => row.values.text === text);
    const setBid = async (text: string, bid: number) => {
      const row = await bidOf(text);
      if (row === undefined) throw new Error(`no keyword ${text}`);
      const update = { kind: 'keyword' as const, id: row.id, field: 'bid', value: bid };
      await desk.account.workspace.apply({ label: 'Edit', source: 'user', updates: [update] });
    };

    test('changes only what was edited in it, and keeps what was edited here meanwhile', async () => {
      await setBid('paper towel', 120);
      const { bytes } = await edited((row, header) => {
        if (row[header.indexOf('Keyword')] === 'kitchen "roll", blue') row[header.indexOf('Bid')] = 0.95;
      });
      await setBid('paper towel', 199);
      const { preview } = await imported(await bytes(), 'edited.xlsx');
      expect(preview).toMatchObject({ changed: 1, conflicts: 0, errorCount: 0 });
      expect((await bidOf('paper towel'))?.values.bid).toBe(199);
      expect((await bidOf('kitchen "roll", blue'))?.values.bid).toBe(95);
    });
    test('is a conflict where both sides changed a cell, which changes nothing until it is taken', async () => {
      await setBid('paper towel', 120);
      const { bytes } = await edited((row, header) => {
        if (row[header.indexOf('Keyword')] === 'paper towel') row[header.indexOf('Bid')] = 1.5;
      });
      await setBid('paper towel', 130);
      const content = await bytes();
      const { preview } = await imported(content, 'edited.xlsx');
      expect(preview).toMatchObject({ changed: 0, conflicts: 1 });
      expect((await bidOf('paper towel'))?.values.bid).toBe(130);
      const again = await desk.preview(await file('edited.xlsx', content));
      const { rows } = await desk.rows(again.previewId, 'conflict', 0, 10);
      expect(rows[0]?.cells.find(({ column }) => column === 'Bid')).toEqual({
        column: 'Bid',
        before: 130,
        after: 150,
        base: 120,
      });
      await desk.apply(again.previewId, { leaveOut: [], take: [rows[0]?.line ?? 0] });
      expect((await bidOf('paper towel'))?.values.bid).toBe(150);
    });
  });
});

describe('laws', () => {
  /** Laws of files over random workspaces with media, comments and labels: what was written is read back as no change. */
  const folder = testFolder('laws');
  const RUNS = runs(8, 4);
  let elsewhere: TestExchange;
  let files: Files;
  beforeAll(async () => {
    desk = await anExchange(join(folder, 'data'));
    elsewhere = await anExchange(join(folder, 'elsewhere'));
    files = await aLibrary(desk, folder);
    return () => Promise.all([desk.close(), elsewhere.close()]);
  });

  async function withRows(made: readonly Draft[], notes: Noted, check: () => Promise<void>) {
    const { workspace } = desk.account;
    const applied = done(await workspace.apply({ label: 'Law', source: 'user', creates: rowsOf(made, files) }));
    await writeNotes(desk, applied.touched, notes);
    try {
      await check();
    } finally {
      await call(workspace, 'workspace', 'undo');
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
              await call(elsewhere.account.workspace, 'workspace', 'undo');
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
});
