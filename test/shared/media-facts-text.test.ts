import { expect, test } from 'vitest';
import { type MediaFacts, readMediaFacts } from '../../shared/model/media.ts';

const VIDEO: MediaFacts = {
  is: 'video',
  container: 'mp4',
  durationMs: 15_000,
  width: 1920,
  height: 1080,
  videoCodec: 'avc1',
  audioCodec: null,
};
const CAPTION: MediaFacts = {
  is: 'caption',
  format: 'srt',
  cues: 3,
  lastEndMs: 12_000,
  problems: [{ line: 4, code: 'bad-time' }],
};
const LOGO: MediaFacts = { is: 'logo', width: 400, height: 100 };
const ALL = [VIDEO, CAPTION, LOGO];

test('facts come back from their text as they were', () => {
  for (const facts of ALL) expect(readMediaFacts(JSON.stringify(facts))).toEqual(facts);
  expect(readMediaFacts(JSON.stringify({ ...VIDEO, durationMs: null }))).toEqual({ ...VIDEO, durationMs: null });
});
test('facts without one of their members, or with one of another type, are none', () => {
  for (const facts of ALL) {
    for (const member of Object.keys(facts)) {
      const { [member as 'is']: _, ...rest } = facts;
      expect(readMediaFacts(JSON.stringify(rest)), `${facts.is} without ${member}`).toBeNull();
      expect(
        readMediaFacts(JSON.stringify({ ...facts, [member]: { odd: 1 } })),
        `${facts.is}, odd ${member}`,
      ).toBeNull();
    }
  }
});
test('what is no text of facts is none', () => {
  const odd = ['', '{', 'null', '7', '[]', '"video"', '{"is":"toString"}', '{"is":"song"}'];
  for (const text of odd) expect(readMediaFacts(text), text).toBeNull();
  expect(readMediaFacts(null)).toBeNull();
  expect(readMediaFacts(JSON.stringify({ ...CAPTION, problems: [{ line: 1, code: 'rhyme' }] }))).toBeNull();
});
