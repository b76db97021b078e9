import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import fc from 'fast-check';
import { EncodedPacketSink, FilePathSource, Input, MP4 } from 'mediabunny';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { NO_OBSERVER } from '../../main/app/long-task.ts';
import { createProber } from '../../main/files/probe/prober.ts';
import type { Client } from '../../main/hosts/cli/command.ts';
import {
  type Caption,
  captionFaults,
  clipCaptions,
  joinCaptions,
  normalizedLines,
  parseCaptions,
  printCaptions,
  readingSpeed,
  shiftCaptions,
  splitCaption,
} from '../../shared/media/captions.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import { cli, cliJson, practiceData, written } from '../cli/cli.ts';
import { onlyAccount, startCore } from '../core/a-core.ts';
import { testFolder } from '../folder.ts';
import { copyAccount } from '../prepared-account.ts';
import { done } from '../store/a-workspace.ts';

const folder = testFolder('media-bench');
/** 12 seconds with key frames at 0 and 10 seconds, two B-frames between others, and sound. */
const SPOT = join(import.meta.dirname, '../../examples/media/kitchen-roll-spot.mp4');
const SPOT_CAPTIONS = join(import.meta.dirname, '../../examples/media/kitchen-roll-spot.vtt');

const awkward = fc.constantFrom(...'<i> </i> <b & &amp; &lt; --> <c.loud> NOTE WEBVTT 1 <00:01>'.split(' '));
const line = fc
  .array(fc.oneof(awkward, fc.string({ unit: 'grapheme', maxLength: 12 })), { minLength: 1, maxLength: 4 })
  .map((words) => normalizedLines(words.join(' ').replace(/[\r\n]/g, ' ')))
  .filter((text) => text !== '');
const captionText = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
const captionList = fc
  .array(fc.record({ gap: fc.nat(5000), length: fc.integer({ min: 1, max: 9000 }), text: captionText }), {
    maxLength: 6,
  })
  .map((parts) => {
    let at = 0;
    return parts.map(({ gap, length, text }): Caption => {
      const startMs = at + gap;
      at = startMs + length;
      return { startMs, endMs: at, text };
    });
  });
const nonEmpty = captionList.filter((captions) => captions.length > 0);

test('captions that are written as SRT or WebVTT are read back as they were', () => {
  fc.assert(
    fc.property(
      nonEmpty,
      fc.constantFrom('srt' as const, 'vtt' as const),
      fc.boolean(),
      (captions, format, windows) => {
        const text = printCaptions(captions, format);
        const parsed = parseCaptions(windows ? `\uFEFF${text.replaceAll('\n', '\r\n')}` : text);
        expect(parsed).toEqual({ format, captions, head: '', count: captions.length, problems: [] });
      },
    ),
  );
});

test('styles, regions and notes of WebVTT stay when captions are edited', () => {
  const style = 'STYLE\n::cue(.loud) {\n  color: red;\n}';
  const cue = '00:00:01.000 --> 00:00:02.000\n<c.loud>Red pots</c>\n';
  const { captions, format, head } = parseCaptions(`WEBVTT\n\n${style}\n\nNOTE Cut 2\n\n${cue}\nNOTE End\n`);
  const text = printCaptions(shiftCaptions(captions, 1000), format, head);
  const moved = cue.replace('01.000', '02.000').replace('--> 00:00:02', '--> 00:00:03');
  expect(text).toBe(`WEBVTT\n\n${style}\n\nNOTE Cut 2\n\nNOTE End\n\n${moved}`);
  expect(parseCaptions(text).head).toBe(head);
  expect(printCaptions(captions, 'srt', head)).toBe('1\n00:00:01,000 --> 00:00:02,000\n<c.loud>Red pots</c>\n');
});

test('the names of WebVTT captions stay when captions are edited', () => {
  const times = '00:00:01.000 --> 00:00:05.000 align:start';
  const { captions, format } = parseCaptions(`WEBVTT\n\nintro - 1\n${times}\nRed pots\n`);
  expect(printCaptions(captions, format)).toBe(`WEBVTT\n\nintro - 1\n${times}\nRed pots\n`);
  // A name is of one caption: the second part of a split one has none.
  expect(splitCaption(captions, 0, 3000).map(({ name }) => name)).toEqual(['intro - 1', undefined]);
  expect(joinCaptions(splitCaption(captions, 0, 3000), 0)).toMatchObject([{ name: 'intro - 1' }]);
  expect(printCaptions(captions, 'srt')).toBe('1\n00:00:01,000 --> 00:00:05,000\nRed pots\n');
});

test('any text is read without a throw, and what is written of it is stable', () => {
  const piece = fc.oneof(
    awkward,
    fc.constantFrom(
      '\n',
      '\n\n',
      '\r',
      '00:00:01,000 --> 00:00:02,000',
      '99:99:99.999 --> x',
      '00:02.000 --> 00:01.000 align:start',
    ),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }),
      fc.constantFrom('srt' as const, 'vtt' as const),
      (pieces, format) => {
        const { captions, count, head } = parseCaptions(pieces.join(''));
        expect(captions.length).toBeLessThanOrEqual(count);
        const once = printCaptions(captions, format, head);
        const read = parseCaptions(once);
        expect(printCaptions(read.captions, format, read.head)).toBe(once);
      },
    ),
  );
});

const words = (captions: readonly Caption[]) =>
  captions.flatMap(({ text }) => text.split(/\s+/)).filter((word) => word !== '');

test('splitting and joining lose no word and no time, and undo each other', () => {
  fc.assert(
    fc.property(nonEmpty, fc.nat(), fc.nat(60_000), (captions, which, atMs) => {
      const at = which % captions.length;
      const split = splitCaption(captions, at, atMs);
      expect(words(split)).toEqual(words(captions));
      if (split.length === captions.length) return;
      const joined = joinCaptions(split, at);
      expect(joined.map(({ startMs, endMs }) => [startMs, endMs])).toEqual(
        captions.map(({ startMs, endMs }) => [startMs, endMs]),
      );
      expect(words(joined)).toEqual(words(captions));
    }),
  );
});

test('a shift keeps every length and gap, moves nothing before its place, and never goes below zero', () => {
  fc.assert(
    fc.property(nonEmpty, fc.integer({ min: -20_000, max: 20_000 }), fc.nat(), (captions, by, which) => {
      const from = which % captions.length;
      const shifted = shiftCaptions(captions, by, from);
      expect(shifted.slice(0, from)).toEqual(captions.slice(0, from));
      const moved = new Set(shifted.slice(from).map(({ startMs }, n) => startMs - (captions[from + n]?.startMs ?? 0)));
      expect(moved.size).toBe(1);
      expect(Math.min(...shifted.map(({ startMs }) => startMs))).toBeGreaterThanOrEqual(0);
      expect(shifted.map((c) => c.endMs - c.startMs)).toEqual(captions.map((c) => c.endMs - c.startMs));
    }),
  );
});

test('overlaps, captions too fast to read and captions after the end are found where they are', () => {
  const captions: readonly Caption[] = [
    { startMs: 0, endMs: 2000, text: '<i>Soft</i>\nand strong' },
    { startMs: 1500, endMs: 2500, text: 'More than anyone can read here' },
    { startMs: 3000, endMs: 2000, text: '' },
    { startMs: 9000, endMs: 14_000, text: 'Late' },
  ];
  expect(readingSpeed(captions[0] as Caption)).toBe(7);
  expect(captionFaults(captions, 17, 12_000)).toEqual([
    { at: 1, code: 'overlap', value: 500 },
    { at: 1, code: 'speed', value: 30 },
    { at: 2, code: 'end-before-start', value: 0 },
    { at: 2, code: 'empty', value: 0 },
    { at: 3, code: 'after-end', value: 0 },
  ]);
  expect(clipCaptions(captions, 1000, 1000)).toMatchObject([
    { startMs: 0, endMs: 1000 },
    { startMs: 500, endMs: 1000 },
  ]);
});

async function packetsOf(path: string) {
  const input = new Input({ source: new FilePathSource(path), formats: [MP4] });
  const packets = async (type: 'video' | 'audio') => {
    const track = type === 'video' ? await input.getPrimaryVideoTrack() : await input.getPrimaryAudioTrack();
    if (track === null) throw new Error('no track');
    const found: { at: number; data: string }[] = [];
    for await (const packet of new EncodedPacketSink(track).packets()) {
      found.push({ at: Math.round(packet.timestamp * 1000), data: Buffer.from(packet.data).toString('base64') });
    }
    return found;
  };
  const read = { video: await packets('video'), audio: await packets('audio') };
  input.dispose();
  return read;
}

function aProber(limitMs?: number) {
  const prober = createProber(limitMs);
  onTestFinished(() => prober.close());
  return prober;
}

test('a part of a video has the very packets of the original, begins at a key frame and keeps to its end', async () => {
  const prober = aProber();
  expect(await prober.keyFrames(SPOT)).toEqual({ ok: true, value: [0, 10_000] });
  const original = await packetsOf(SPOT);
  const data = new Map(original.video.map(({ at, data }) => [at, data]));
  const sounds = new Set(original.audio.map(({ data }) => data));
  for (const [fromMs, toMs, startMs] of [
    [0, 5000, 0],
    [4000, 7300, 0],
    [10_500, 60_000, 10_000],
    [10_000, 10_700, 10_000],
  ] as const) {
    const target = join(folder, `part-${fromMs}-${toMs}.mp4`);
    const trimmed = done(await prober.trim({ path: SPOT, target, container: 'mp4', fromMs, toMs }, NO_OBSERVER));
    const { lengthMs } = trimmed;
    expect(trimmed.fromMs).toBe(startMs);
    expect(startMs + lengthMs).toBeLessThanOrEqual(toMs);
    expect(startMs + lengthMs).toBeGreaterThan(Math.min(toMs, 12_000) - 250);
    expect(await prober.probe(target)).toMatchObject({
      value: { is: 'video', durationMs: lengthMs, videoCodec: 'avc1' },
    });
    const part = await packetsOf(target);
    expect(part.video[0]?.at).toBe(0);
    for (const { at, data: bytes } of part.video) expect(data.get(at + startMs)).toBe(bytes);
    // No picture that is shown before the end is missing.
    expect(part.video).toHaveLength(
      original.video.filter(({ at }) => at >= startMs && at < startMs + lengthMs - 1).length,
    );
    for (const sound of part.audio) expect(sounds.has(sound.data)).toBe(true);
    expect(part.audio.length).toBeGreaterThan(0);
    rmSync(target);
  }
});

test('what cannot be cut names its reason, and a damaged file costs its own thread only', async () => {
  const cut = (path: string, more: object = {}, prober = aProber()) =>
    prober.trim(
      { path, target: join(folder, 'none.mp4'), container: 'mp4', fromMs: 0, toMs: 5000, ...more },
      NO_OBSERVER,
    );
  expect(await cut(SPOT, { fromMs: 11_000, toMs: 10_000 })).toMatchObject({ error: { reason: 'no-cut' } });
  expect(await cut(SPOT, { target: '/dev/full' })).toMatchObject({ error: { reason: 'no-space' } });
  expect(await cut(join(folder, 'missing.mp4'))).toMatchObject({ error: { reason: 'cannot-read' } });
  const whole = readFileSync(SPOT);
  // Another codec behind the same name of a box.
  const other = Buffer.from(whole);
  other.write('mp4v', other.indexOf('avc1', other.indexOf('stsd')), 'latin1');
  expect(await cut(written(folder, 'other.mp4', other))).toMatchObject({
    error: { reason: 'codec-not-copied', params: { codec: 'mp4v' } },
  });
  const noSync = Buffer.from(whole);
  const stss = noSync.indexOf('stss');
  noSync.writeUInt32BE(0, stss + 8);
  const fromFour = { path: written(folder, 'no-key.mp4', noSync), fromMs: 4000, toMs: 9000 };
  expect(await cut('', fromFour), 'pictures are not taken for key frames').toMatchObject({ value: { fromMs: 0 } });
  const broken = join(folder, 'broken.mp4');
  const moov = whole.indexOf('moov');
  // The last of these keeps its reader busy for ever.
  const impatient = aProber(500);
  for (let seed = 0; seed < 4; seed += 1) {
    const bytes = Buffer.from(whole);
    for (let n = 0; n < 40; n += 1) bytes[moov + ((seed * 7919 + n * 104_729) % 9000)] = (seed * 31 + n * 17) % 256;
    writeFileSync(broken, bytes);
    expect(await cut(broken, {}, impatient)).toMatchObject({
      error: { reason: expect.stringMatching(/^(damaged-video|no-|check-timed-out)/) },
    });
  }
});

test('a trimmed video is a new file with its part of the captions, and a stopped one leaves nothing', async () => {
  const dataDir = join(folder, 'account');
  copyAccount(dataDir);
  const core = await startCore(dataDir);
  onTestFinished(() => core.close());
  const client: Client = createRouterClient(core.router);
  const workspaceId = await onlyAccount(client);
  const grants = await Promise.all([SPOT, SPOT_CAPTIONS].map((path) => core.grants.grantPath(path)));
  const added = await client.media.add({ workspaceId, grants: grants.map((one) => (one.ok ? one.value.grant : '')) });
  const [video] = added.files;
  if (video?.outcome !== 'added') throw new Error('not added');
  const { mediaId } = video;
  const media = join(dataDir, 'workspaces', workspaceId, 'media');
  const before = readdirSync(media);

  await expect(client.media.trim({ workspaceId, mediaId, fromMs: 12_000, toMs: 11_000 })).rejects.toMatchObject({
    code: 'BAD_FILE',
    data: { fileName: 'kitchen-roll-spot.mp4', reason: 'no-cut' },
  });
  const taskId = 'stopped';
  const stopped = client.media.trim({ workspaceId, mediaId, fromMs: 0, toMs: 9000, taskId });
  while (!(await client.tasks.cancel({ taskId })).cancelled) await new Promise((next) => setImmediate(next));
  await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(readdirSync(media)).toEqual(before);

  const trimmed = await client.media.trim({ workspaceId, mediaId, fromMs: 0, toMs: 6000 });
  expect(trimmed).toMatchObject({ fromMs: 0, file: { outcome: 'added', fileName: 'kitchen-roll-spot trimmed.mp4' } });
  expect(readdirSync(media)).toHaveLength(before.length + 2);
  for (const name of before) expect(existsSync(join(media, name))).toBe(true);
  if (trimmed.file.outcome !== 'added') return;
  const shown = async (id: typeof mediaId) => {
    const { row } = await client.workspace.row({ workspaceId, ref: { kind: 'media', id } });
    return (field: string) => row.cells[fieldNames('media').indexOf(field)];
  };
  const made = await shown(trimmed.file.mediaId);
  const captions = await shown(made('caption') as typeof mediaId);
  expect(captions('fileName')).toBe('kitchen-roll-spot trimmed.vtt');
  const { lastEndMs } = z.object({ lastEndMs: z.int() }).parse(JSON.parse(String(captions('facts'))));
  expect(lastEndMs).toBeLessThanOrEqual(trimmed.lengthMs);

  // Of a video that is on the service, a trimmed one is the only way to use edited captions.
  const cue = { startMs: 1000, endMs: 2000, text: 'Edited' };
  const edited = {
    captions: [
      { ...cue, name: 'one' },
      { ...cue, text: ' ' },
    ],
    format: 'vtt' as const,
    head: 'NOTE Cut 2',
  };
  await client.media.keepEditedCaptions({ workspaceId, mediaId, edited });
  const again = await client.media.trim({ workspaceId, mediaId, fromMs: 0, toMs: 5000 });
  const withEdits = again.file.outcome === 'added' ? await shown(again.file.mediaId) : null;
  const { url } = await client.media.preview({ workspaceId, mediaId: withEdits?.('caption') as typeof mediaId });
  const file = core.offered(url.split('/').at(-1) ?? '');
  expect(readFileSync(file?.path ?? '', 'utf8')).toBe(
    'WEBVTT\n\nNOTE Cut 2\n\none\n00:00:01.000 --> 00:00:02.000\nEdited\n',
  );
});

test('captions are checked and converted, and a video is trimmed, from a script', async () => {
  const data = practiceData(folder);
  const fast = written(folder, 'fast.srt', '1\n00:00:01,000 --> 00:00:01,500\nFar too many words for this\n');
  const Checked = z.object({ captions: z.int(), faults: z.array(z.object({ code: z.string() })) });
  expect(await cliJson(Checked, data, 'media', 'captions', 'check', fast)).toMatchObject({
    code: 1,
    json: { captions: 1, faults: [{ code: 'speed' }] },
  });
  const out = join(folder, 'fast.vtt');
  expect(await cli(data, 'media', 'captions', 'convert', fast, '--shift=-1', '--out', out)).toMatchObject({ code: 0 });
  expect(readFileSync(out, 'utf8')).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:00.500\nFar too many words for this\n');
  const part = join(folder, 'part.mp4');
  const Written = z.object({ fromMs: z.int(), lengthMs: z.int() });
  expect(await cliJson(Written, data, 'media', 'trim', SPOT, '--to', '4', '--out', part)).toMatchObject({
    code: 0,
    json: { fromMs: 0, lengthMs: 3880 },
  });
  expect(await cli(data, 'media', 'trim', fast, '--to', '4', '--out', `${part}2`)).toMatchObject({ code: 1 });
  expect(existsSync(`${part}2`)).toBe(false);
});
