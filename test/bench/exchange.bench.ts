import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Papa from 'papaparse';
import { openDb } from '../../main/store/db/open-db.ts';
import { tableOf } from '../../main/store/schema/tables.ts';
import prepare from '../prepare.ts';
import { PREPARED } from '../prepared-account.ts';
import { campaignsFor, keywordValues } from './big-workspace.ts';
import { print, timed } from './figure.ts';
import { rawInsert } from './raw-insert.ts';
import { bundledExchange } from './workspace-open.ts';

/**
 * Sheets of a million rows: previewed, chosen by column, applied as one undoable step, imported again without a change, exported.
 * `node test/bench/exchange.bench.ts [ROWS]`; memory is that of the whole process with all its threads.
 */
async function bench(rows: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-bench-exchange-'));
  const verdicts: boolean[] = [];
  const perMillion = rows / 1_000_000;
  const said = (
    name: string,
    value: number,
    unit: string,
    bar: number | null,
    peer?: [string, number, number | null],
  ) =>
    verdicts.push(
      print({
        name,
        value,
        unit,
        bar,
        peer: peer?.[0] ?? null,
        peerValue: peer?.[1] ?? null,
        ratioBar: peer?.[2] ?? null,
      }),
    );
  try {
    const sheet = join(folder, 'sheet.csv');
    await pipeline(Readable.from(sheetLines(rows)), createWriteStream(sheet));
    prepare();
    process.env['PREPARED_ACCOUNT'] = PREPARED;
    const { anExchange } = await bundledExchange(folder);
    const desk = await anExchange(join(folder, 'data'));
    const memory = watchMemory();
    let preview = await desk.preview(await desk.grant(sheet));
    await desk.dismiss(preview.previewId);
    const previewed = await timed(async () => {
      preview = await desk.preview(await desk.grant(sheet));
    });
    if (preview.added !== rows || preview.errorCount !== 0) throw new Error(`previewed ${preview.added} of ${rows}`);
    const ticked = await timed(async () => {
      const without = await desk.leaveColumnsOut(preview.previewId, ['Bid']);
      if (without.columns.every(({ isLeftOut }) => !isLeftOut)) throw new Error('no column was left out');
      await desk.leaveColumnsOut(preview.previewId, []);
    });
    const applied = await timed(() => desk.apply(preview.previewId));
    const exported = join(folder, 'exported.csv');
    const exporting = await timed(() => desk.export({ target: exported, format: 'csv', view: null }));
    const peak = memory.stop();
    const again = await desk.preview(await desk.grant(exported));
    if (again.unchanged !== rows)
      throw new Error(`${rows - again.unchanged} rows of the export would change something`);
    await desk.dismiss(again.previewId);
    const parsing = await timed(() => parseAlone(sheet));
    const reading = await timed(() => readAlone(desk.account.database));
    await desk.close();
    const inserting = rawInsert(join(folder, 'raw.db'), rows);
    said('sheet previewed', previewed, 'ms', 5000 * perMillion, ['papaparse alone', parsing, 8]);
    said('a column of the preview left out, and back', ticked, 'ms', 1000 * perMillion, [
      'the preview itself',
      previewed,
      0.2,
    ]);
    said('sheet applied', applied, 'ms', 15_000 * perMillion, ['raw prepared insert, same tables', inserting, 2]);
    said('sheet exported', exporting, 'ms', 4000 * perMillion, ['raw read of the same rows', reading, 4]);
    said('memory at its peak, sheet in and out', peak, 'MB', 600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return verdicts.every(Boolean);
}

function* sheetLines(rows: number): Generator<string> {
  yield 'Type,Campaign,Ad group,Campaign type,Targeting,Status,Total budget,Daily budget,Start,End,Keyword,Match type,Bid\r\n';
  let left = rows;
  for (let c = 0; left > 0 && c < campaignsFor(rows) + 1; c++) {
    let text = `campaign,Campaign ${c},,sponsoredProducts,manual,enabled,5000.00,50.00,2030-06-01,2030-07-01,,,\r\n`;
    left--;
    if (left-- > 0) text += `ad group,Campaign ${c},Group ${c},,,enabled,,,,,,,\r\n`;
    for (let i = 0; i < 600 && left > 0; i++, left--) {
      const { text: word, matchType, bid } = keywordValues(c, i);
      text += `keyword,Campaign ${c},Group ${c},,,enabled,,,,,${word},${matchType},${(Number(bid) / 100).toFixed(2)}\r\n`;
    }
    yield text;
  }
}

function parseAlone(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const input = Papa.parse(Papa.NODE_STREAM_INPUT, { delimiter: ',' });
    input.on('data', () => undefined);
    input.once('end', resolve).once('error', reject);
    createReadStream(path, { encoding: 'utf8', highWaterMark: 256 * 1024 }).pipe(input);
  });
}

function readAlone(file: string): void {
  const db = openDb(file, { readOnly: true });
  const columns = tableOf('keyword')
    .columns.map(({ sql }) => sql)
    .join(', ');
  for (let after = 0; ; ) {
    const found = db.all(`SELECT id, ${columns} FROM keyword WHERE id > ? ORDER BY id LIMIT 20000`, after);
    if (found.length === 0) break;
    after = Number(found.at(-1)?.[0]);
  }
  db.close();
}

function watchMemory() {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 20);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      return peak / 2 ** 20;
    },
  };
}

if (import.meta.main) process.exitCode = (await bench(Number(process.argv[2] ?? 1_000_000))) ? 0 : 1;
