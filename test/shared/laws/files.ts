import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probeFile } from '../../../main/files/probe/probe-file.ts';
import type { MediaFacts } from '../../../shared/model/media.ts';
import { aFilm, aPng } from '../../media/builders.ts';

/** Small real files, measured by the program's own probe; each the smallest of its sort. */
export interface TestFile {
  readonly name: string;
  readonly type: 'video' | 'caption' | 'logo';
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly facts: MediaFacts;
}

const VTT = 'WEBVTT\n\n00:00:01.000 --> 00:00:03.000\nSoft rolls\n';
const SRT = '1\n00:00:01,000 --> 00:00:03,000\nSoft rolls\n';

const CONTENT: readonly (readonly [name: string, type: TestFile['type'], contentType: string, bytes: Buffer])[] = [
  ['five-seconds.mp4', 'video', 'video/mp4', aFilm({ durationMs: 5000 })],
  ['twenty-seconds.mp4', 'video', 'video/mp4', aFilm({ durationMs: 20_000 })],
  ['forty-five-seconds.mov', 'video', 'video/quicktime', aFilm({ durationMs: 45_000, brand: 'qt  ' })],
  ['too-short.mp4', 'video', 'video/mp4', aFilm({ durationMs: 4999 })],
  ['too-long.mp4', 'video', 'video/mp4', aFilm({ durationMs: 45_001 })],
  ['words.vtt', 'caption', 'text/vtt', Buffer.from(VTT)],
  ['words.srt', 'caption', 'application/x-subrip', Buffer.from(SRT)],
  ['logo.png', 'logo', 'image/png', aPng(100, 100)],
  ['heavy.png', 'logo', 'image/png', aPng(100, 100, 199 * 1024)],
  ['too-wide.png', 'logo', 'image/png', aPng(101, 100)],
  ['over-200-kb.png', 'logo', 'image/png', aPng(100, 100, 200 * 1024)],
  ['over-1024-kb.png', 'logo', 'image/png', aPng(100, 100, 1024 * 1024)],
];

/** All of them by name. Throws when the probe refuses one: then a builder is at fault, not a rule. */
export function testFiles(): ReadonlyMap<string, TestFile> {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-files-'));
  try {
    return new Map(
      CONTENT.map(([name, type, contentType, bytes]) => {
        const path = join(folder, name);
        writeFileSync(path, bytes);
        const facts = probeFile(path);
        if (!facts.ok) throw new Error(`${name}: ${JSON.stringify(facts.error)}`);
        return [name, { name, type, contentType, bytes: new Uint8Array(bytes), facts: facts.value }];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
