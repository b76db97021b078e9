import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { uploadFile } from '../../main/files/upload/upload-file.ts';
import { addressRule, checkUploadUrl } from '../../main/files/upload/upload-url-check.ts';
import { issueText } from '../../shared/rules/messages.ts';
import { anExchange, type TestExchange } from '../files/an-exchange.ts';
import { testFolder } from '../folder.ts';
import { aPng } from '../media/builders.ts';

/** What the user is told about files that are not what the service wants, and files that change while they travel. */
const folder = testFolder('media-faults');
let shop: TestExchange | null = null;
afterAll(async () => {
  await shop?.close();
});

/** Adds a file to the library. @returns the sentences about it */
async function sentences(name: string, content: string | Buffer): Promise<readonly string[]> {
  shop ??= await anExchange(join(folder, 'data'));
  const path = join(folder, name);
  writeFileSync(path, content);
  await shop.addMedia(path);
  const { workspace } = shop.account;
  const row = (await workspace.readMedia()).find(({ values }) => values.fileName === name);
  const { issues } = await workspace.issues(0, 100, null);
  return issues.filter(({ kind, id }) => kind === 'media' && id === row?.id).map(issueText);
}

test('fault 93: a logo of 101 by 100 pixels is told with its size and with the one that is wanted', async () => {
  expect(await sentences('wide.png', aPng(101, 100))).toEqual([
    expect.stringMatching(/"wide\.png".*101.*100.*100 x 100|"wide\.png".*101 x 100/),
  ]);
});

const cue = (at: number, text: string): string => {
  const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23).replace('.', ',');
  return `1\n${time(at)} --> ${time(at + 1)}\n${text}\n`;
};

test('fault 109: captions in the wrong order are told by their line, and markup in them is a text', async () => {
  const said = await sentences('order.srt', [cue(9, '<script>alert(1)</script>'), cue(2, 'Earlier')].join('\n'));
  expect(said.join(' ')).toMatch(/order\.srt.*line 6 starts before/);
  const kept = (await shop?.account.workspace.readMedia())?.find(({ values }) => values.fileName === 'order.srt');
  // Of a file of captions only counts and times are kept.
  expect(kept?.values.facts).not.toContain('script');
});

test('fault 109: 100,000 captions are refused with the limit', async () => {
  const many = Array.from({ length: 100_000 }, (_, at) => cue(at / 10, 'x')).join('\n');
  await sentences('many.srt', many);
  expect((await shop?.account.workspace.readMedia())?.map(({ values }) => values.fileName)).not.toContain('many.srt');
});

function overwrite(path: string): void {
  const handle = openSync(path, 'r+');
  writeSync(handle, 'other', BYTES - 1000);
  closeSync(handle);
}

const BYTES = 24 * 1024 * 1024;
test.each([
  ['grows', (path: string) => appendFileSync(path, 'more')],
  ['shrinks', (path: string) => truncateSync(path, BYTES / 2)],
  ['is written over near its end', overwrite],
])('fault 102: a film that %s while it travels never arrives whole', async (_, change) => {
  const path = join(folder, 'film.mp4');
  const content = Buffer.alloc(BYTES, 'film ');
  writeFileSync(path, content);
  let arrived = 0;
  let whole = 0;
  const storage = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      arrived += chunk.length;
      if (arrived === chunk.length) change(path);
    });
    request.on('end', () => {
      whole += 1;
      response.writeHead(201).end();
    });
    request.on('error', () => response.destroy());
  });
  await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve));
  try {
    const base = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`;
    const target = checkUploadUrl(`${base}/film`, addressRule(base, []));
    if (!target.ok) throw new Error('refused');
    const sha256 = createHash('sha256').update(content).digest('hex');
    const file = { path, contentType: 'video/mp4', bytes: BYTES, sha256 };
    const put = await uploadFile(target.value, file, () => undefined, new AbortController().signal);
    expect(put).toEqual({ ok: false, error: { kind: 'file-changed' } });
    expect(arrived).toBeLessThan(BYTES);
    expect(whole).toBe(0);
  } finally {
    storage.closeAllConnections();
    storage.close();
  }
});
