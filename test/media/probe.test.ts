import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bytesSource, captionFacts, probeFile, probeSource } from '../../main/files/probe/probe-file.ts';
import { createProber } from '../../main/files/probe/prober.ts';
import { testFolder } from '../folder.ts';
import { runs } from '../share.ts';
import { aFilm, aFragmentedFilm, aPng, box, pngChunk, REAL_PNGS } from './builders.ts';

const folder = testFolder('probe');
const probe = (bytes: Buffer) => probeSource(bytesSource(bytes));
const reasonOf = (bytes: Buffer) => {
  const answer = probe(bytes);
  return answer.ok ? 'fine' : answer.error.reason;
};

describe('a video', () => {
  test('tells its length, size and codecs', () => {
    expect(probe(aFilm({ durationMs: 12_500 }))).toEqual({
      ok: true,
      value: {
        is: 'video',
        container: 'mp4',
        durationMs: 12_500,
        width: 1280,
        height: 720,
        videoCodec: 'avc1',
        audioCodec: 'mp4a',
      },
    });
  });
  test('that is turned by its matrix is measured as it is shown', () => {
    expect(probe(aFilm({ turned: true }))).toMatchObject({ value: { width: 720, height: 1280 } });
  });
  test('in a QuickTime container is a mov', () => {
    expect(probe(aFilm({ brand: 'qt  ' }))).toMatchObject({ value: { container: 'mov' } });
  });
  test('of the examples is what the README says', () => {
    expect(probeFile('examples/media/kitchen-roll-spot.mp4')).toMatchObject({
      ok: true,
      value: { container: 'mp4', width: 1280, height: 720, videoCodec: 'avc1', audioCodec: 'mp4a' },
    });
  });
  test('cut short anywhere is refused, never taken for a shorter one', () => {
    const film = aFilm({});
    fc.assert(
      fc.property(fc.integer({ min: 1, max: film.length - 1 }), (length) => {
        expect(probe(film.subarray(0, length)).ok).toBe(false);
      }),
    );
  });
  test('cut inside its pictures says how many bytes are missing', () => {
    const film = aFilm({});
    expect(probe(film.subarray(0, film.length - 100))).toMatchObject({
      error: { reason: 'truncated', params: { missing: 100 } },
    });
  });
  test.each([
    ['by the default of its track', false],
    ['sample by sample', true],
  ])('in fragments is measured %s', (_name, own) => {
    expect(probe(aFragmentedFilm(4, 50, 40, own))).toMatchObject({ value: { durationMs: 8000 } });
  });
  test('cut exactly between its boxes is refused too', () => {
    const film = aFilm({ mdatBytes: 500 });
    expect(reasonOf(film.subarray(0, film.length - 508))).toBe('damaged-video');
  });
  test('without a time scale is refused', () => expect(reasonOf(aFilm({ timescale: 0 }))).toBe('damaged-video'));
  test('with sound only is refused', () => expect(reasonOf(aFilm({ picture: false }))).toBe('no-picture-track'));
  test('with a box size that cannot be is refused', () => {
    expect(reasonOf(Buffer.concat([box('ftyp', Buffer.from('isomisom')), Buffer.from('\0\0\0\x04moov')]))).toBe(
      'damaged-video',
    );
  });
  test('with 64-bit sizes is read', () => {
    const film = aFilm({ wideMdat: true });
    expect(probe(film).ok).toBe(true);
  });
});

describe('a file that is no media', () => {
  test.each([
    ['a text renamed .mp4', Buffer.from('Meeting notes\nfirst point\n'), 'not-media'],
    ['a text with commas', Buffer.from('Notes, first draft\nOne, two, three\n'), 'not-media'],
    ['prose with as many commas in each line', Buffer.from('Red pots, blue pans\nThree cups, one lid\n'), 'not-media'],
    ['a CSV', Buffer.from('Campaign,Bid\n"Rolls, soft",0.50\nHoses,0.40\n'), 'sheet-not-media'],
    ['a CSV in UTF-16', Buffer.from('\uFEFFCampaign\tBid\nRolls\t0.50\n', 'utf16le'), 'sheet-not-media'],
    ['a CSV above the limit of captions', Buffer.from('Campaign,Bid\n'.repeat(100_000)), 'sheet-not-media'],
    ['a workbook', readFileSync(new URL('../files/from-libreoffice/saved.xlsx', import.meta.url)), 'sheet-not-media'],
    ['a web page', Buffer.from('<!DOCTYPE html><html></html>'), 'not-media'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'not-media'],
    ['a JPEG renamed .png', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 'not-media'],
    ['a WebM', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 1, 2]), 'not-media'],
    ['a private key', Buffer.from('-----BEGIN PRIVATE KEY-----\nAAAA\n'), 'not-media'],
    ['an empty file', Buffer.alloc(0), 'empty'],
    ['zeros', Buffer.alloc(500), 'not-media'],
  ])('%s is refused', (_name, bytes, reason) => expect(reasonOf(bytes)).toBe(reason));
  test('never makes the probe throw, whatever its bytes are', () => {
    const starts = fc.constantFrom(
      '',
      '\x89PNG\r\n\x1a\n',
      '\0\0\0\x10ftypisom\0\0\0\0',
      'WEBVTT\n\n',
      '\0\0\0\x00moov',
    );
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 400 }), (start, rest) => {
        expect(probe(Buffer.concat([Buffer.from(start, 'latin1'), rest]))).toHaveProperty('ok');
      }),
      { numRuns: runs(500) },
    );
  });
});

type NamedChunk = readonly [type: string, content: Buffer];
const PNG_SIGNATURE = 8;

function chunksOf(png: Buffer): readonly NamedChunk[] {
  const chunks: NamedChunk[] = [];
  for (let at = PNG_SIGNATURE; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    chunks.push([png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, end)]);
    at = end + 4;
  }
  return chunks;
}

const withChunks = (chunks: readonly (NamedChunk | undefined)[]): Buffer =>
  Buffer.concat([
    aPng(1, 1).subarray(0, PNG_SIGNATURE),
    ...chunks.flatMap((chunk) => (chunk === undefined ? [] : [pngChunk(...chunk)])),
  ]);

function withByte(bytes: Buffer, at: number, value = (bytes[at] ?? 0) ^ 1): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(value, at);
  return changed;
}

function damageOf(png: Buffer): string {
  const probed = probe(png);
  return probed.ok ? 'nothing' : `${probed.error.params['what'] ?? probed.error.reason}`;
}

describe('a logo', () => {
  test('tells its size', () =>
    expect(probe(aPng(100, 99))).toMatchObject({ value: { is: 'logo', width: 100, height: 99 } }));
  test('that claims 60,000 x 60,000 is measured without being decoded', () => {
    expect(probe(aPng(60_000, 60_000))).toMatchObject({ value: { width: 60_000 } });
  });
  test('without its end is refused', () => expect(reasonOf(aPng(100, 100).subarray(0, -12))).toBe('image-cut-short'));
  test('with bytes after its end is refused', () => {
    expect(reasonOf(Buffer.concat([aPng(100, 100), Buffer.alloc(5000)]))).toBe('image-trailing-data');
  });
  test('with a wrong checksum is refused', () => {
    const png = Buffer.from(aPng(100, 100));
    png.writeUInt8(png.readUInt8(30) ^ 1, 30);
    expect(reasonOf(png)).toBe('damaged-image');
  });
  test.each(REAL_PNGS)('of colour type %i with %i bits, interlaced: %s, passes; damaged it is refused', (...args) => {
    const png = Buffer.from(args[3], 'base64');
    expect(probe(png)).toEqual({ ok: true, value: { is: 'logo', width: 5, height: 3 } });
    const [header, ...rest] = chunksOf(png);
    const damages = (change: (pixels: Buffer) => Buffer): string =>
      damageOf(
        withChunks([
          header,
          ...rest.map(([type, content]) => [type, type === 'IDAT' ? change(content) : content] as const),
        ]),
      );
    expect(damages((packed) => packed.subarray(0, -5))).toBe('its pixel data ends too early');
    expect(damages((packed) => withByte(packed, packed.length - 1))).toBe('its pixel data cannot be unpacked');
    expect(damages((packed) => deflateSync(inflateSync(packed).subarray(0, -1)))).toBe('rows of pixels are missing');
    expect(damages((packed) => deflateSync(Buffer.concat([inflateSync(packed), Buffer.alloc(1)])))).toBe(
      'it has more rows of pixels than its size allows',
    );
    expect(damages((packed) => deflateSync(Buffer.concat([Buffer.from([5]), inflateSync(packed).subarray(1)])))).toBe(
      'row 1 of its pixels is filtered in an unknown way',
    );
    expect(damages(() => Buffer.alloc(0))).toBe('its pixel data ends too early');
  });
  const indexed = Buffer.from(REAL_PNGS.find(([colour, depth]) => colour === 3 && depth === 2)?.[3] ?? '', 'base64');
  const without = (type: string) => chunksOf(indexed).filter(([name]) => name !== type);
  const withPalette = (content: Buffer) =>
    chunksOf(indexed).map(([type, old]) => [type, type === 'PLTE' ? content : old] as const);
  const withHeader = (at: number, value: number) =>
    chunksOf(indexed).map(([type, old]) => [type, type === 'IHDR' ? withByte(old, at, value) : old] as const);
  test.each([
    ['without a palette that its colours need', without('PLTE'), 'its palette is missing'],
    ['without pixels', without('IDAT'), 'its pixel data is missing'],
    ['with five colours where two bits tell four', withPalette(Buffer.alloc(15)), 'its palette has a wrong length'],
    ['with a palette of a third of a colour', withPalette(Buffer.alloc(7)), 'its palette has a wrong length'],
    [
      'with a palette behind its pixels',
      [...without('PLTE').slice(0, -1), ['PLTE', Buffer.alloc(9)], ['IEND', Buffer.alloc(0)]] as const,
      'its palette is missing',
    ],
    ['of a colour type that there is not', withHeader(9, 7), 'no image has color type 7 with 2 bits'],
    ['of a depth that its colours cannot have', withHeader(8, 16), 'no image has color type 3 with 16 bits'],
    ['packed in an unknown way', withHeader(10, 1), 'it is packed in an unknown way'],
    ['interlaced in an unknown way', withHeader(12, 2), 'it is packed in an unknown way'],
    ['with two headers', [...chunksOf(indexed).slice(0, 1), ...chunksOf(indexed)], 'its header is there twice'],
    [
      'with pixels in two places',
      [
        ...chunksOf(indexed).slice(0, -1),
        ['tEXt', Buffer.from('a\0b')],
        ['IDAT', Buffer.alloc(0)],
        ['IEND', Buffer.alloc(0)],
      ] as const,
      'its pixel data is interrupted by other data',
    ],
    [
      'that unpacks to far more than it shows',
      withHeader(12, 0).map(
        ([type, old]) => [type, type === 'IDAT' ? deflateSync(Buffer.alloc(100_000_000)) : old] as const,
      ),
      'it has more rows of pixels than its size allows',
    ],
  ])('%s is refused', (_name, chunks, what) => expect(damageOf(withChunks(chunks))).toBe(what));
  test('whose pixels come in many pieces passes', () => {
    const pieces = chunksOf(indexed).flatMap(([type, content]) =>
      type === 'IDAT'
        ? Array.from(content, (_byte, at) => [type, content.subarray(at, at + 1)] as const)
        : [[type, content] as const],
    );
    expect(probe(withChunks(pieces)).ok).toBe(true);
  });
  test('that is animated is still one PNG', () => {
    const plain = aPng(100, 100);
    const animation = pngChunk('acTL', Buffer.alloc(8));
    expect(probe(Buffer.concat([plain.subarray(0, 33), animation, plain.subarray(33)])).ok).toBe(true);
  });
});

describe('captions', () => {
  const srt = '1\r\n00:00:01,000 --> 00:00:02,500\r\nHello\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nthere\r\n';
  test('in SubRip form are counted', () => {
    expect(captionFacts(Buffer.from(srt))).toEqual({
      ok: true,
      value: { is: 'caption', format: 'srt', cues: 2, lastEndMs: 4000, problems: [] },
    });
  });
  test('in WebVTT form may lack hours and carry notes, styles and settings', () => {
    const vtt = '\uFEFFWEBVTT\n\nNOTE x\n\nSTYLE\n::cue{}\n\nintro\n00:01.000 --> 00:02.000 align:start\nHi\n';
    expect(captionFacts(Buffer.from(vtt))).toMatchObject({ value: { format: 'vtt', cues: 1, lastEndMs: 2000 } });
  });
  test('in UTF-16 are read', () => {
    expect(captionFacts(Buffer.from(`\uFEFF${srt}`, 'utf16le'))).toMatchObject({ value: { cues: 2 } });
  });
  test('with wrong times name the lines', () => {
    const wrong = '1\n00:00:05,000 --> 00:00:04,000\nA\n\n2\n00:00:01,000 --> 00:00:99,000\nB\n\nno times here\n';
    expect(captionFacts(Buffer.from(wrong))).toMatchObject({
      value: {
        problems: [
          { line: 2, code: 'end-before-start' },
          { line: 6, code: 'bad-time' },
          { line: 9, code: 'no-timing' },
        ],
      },
    });
  });
  test('that are not UTF-8 are refused with the byte', () => {
    expect(captionFacts(Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nCaf\xe9\n', 'latin1'))).toMatchObject({
      error: { reason: 'caption-not-text', params: { at: 35 } },
    });
  });
});

test('the probe thread answers for good, bad and missing files', async () => {
  const prober = createProber();
  const good = join(folder, 'a.mp4');
  writeFileSync(good, aFilm({}));
  const bad = join(folder, 'b.mp4');
  writeFileSync(bad, 'plain words');
  expect(await Promise.all([good, bad, join(folder, 'none')].map((path) => prober.probe(path)))).toMatchObject([
    { ok: true },
    { error: { reason: 'not-media' } },
    { error: { reason: 'cannot-read', params: { code: 'ENOENT' } } },
  ]);
  expect(readFileSync(good).length).toBeGreaterThan(0);
  await prober.close();
});

test('a file that was not read in time, and a thread that ended, are not called damaged', async () => {
  const impatient = createProber(300);
  // Opening a pipe waits for a writer, and no thread can be ended while it waits.
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const timedOut = { error: { reason: 'check-timed-out', params: { seconds: 0.3 } } };
  expect(await impatient.probe(pipe)).toMatchObject(timedOut);
  expect(await impatient.keyFrames(pipe)).toMatchObject(timedOut);
  await impatient.close();
  // Opened for both directions, so that it also works when no thread has come as far as the pipe.
  const waking = setInterval(() => closeSync(openSync(pipe, constants.O_RDWR)), 50);
  onTestFinished(() => clearInterval(waking));
  const prober = createProber();
  const ended = { error: { reason: 'check-failed', params: { what: expect.stringContaining('undefined') } } };
  // @ts-expect-error: an order that the thread can't understand ends it, as a defect would
  expect(await prober.probe(undefined)).toMatchObject(ended);
  writeFileSync(join(folder, 'next.mp4'), aFilm({}));
  expect(await prober.probe(join(folder, 'next.mp4'))).toMatchObject({ ok: true });
  await prober.close();
});
