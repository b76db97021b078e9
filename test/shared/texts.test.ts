import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serviceAnsweredText } from '../../shared/error-help/connection-errors.ts';
import { EXPLANATIONS, findErrorHelp } from '../../shared/error-help/find-error-help.ts';
import { outgoingName } from '../../shared/media/outgoing-name.ts';
import { cellProblemText, parseCell } from '../../shared/model/cell-text.ts';
import { canonicalClickUrl, splitUrl } from '../../shared/model/click-url.ts';
import { FIELDS } from '../../shared/model/fields.ts';
import { type MediaFacts, readMediaFacts } from '../../shared/model/media.ts';
import { compareNames, isUnseen, naturalKey, withoutUnseen, withUnseenShown } from '../../shared/model/text.ts';
import { listDocumentErrors } from '../conformance/document-errors.ts';
import { runs } from '../share.ts';

test('a response that cannot be used is named with its status once', () => {
  const answered = { status: 500, call: 'PUT /api/v1/adItems', retryAt: null };
  const told = serviceAnsweredText({ ...answered, detail: 'the service answered 500: oops' });
  expect(told).toMatch(/^The service responded to PUT \/api\/v1\/adItems with status 500: oops\. /);
});

test('numbers in names are ordered by their value, however long they are', () => {
  const numbered = fc.tuple(
    fc.constantFrom('a', 'a ', 'b'),
    fc.bigInt({ min: 0n, max: 10n ** 40n }),
    fc.constantFrom('', '0'),
  );
  fc.assert(
    fc.property(numbered, numbered, ([word, one, zero], [, other]) => {
      const [first, second] = [naturalKey(`${word}${zero}${one} x`), naturalKey(`${word}${other} x`)];
      expect([first < second, first > second]).toEqual([one < other, one > other]);
    }),
    { numRuns: runs(500) },
  );
  expect(['Q10', 'q2', 'Ä1', 'B', 'Q1'].toSorted(compareNames)).toEqual(['Ä1', 'B', 'Q1', 'q2', 'Q10']);
});

describe('the name under which a file leaves', () => {
  test.each([
    ['spot.mp4', 'video/mp4', 'spot.mp4'],
    ['Frühling 2030.mov', 'video/quicktime', 'Frühling 2030.mov'],
    ['report', 'text/csv; charset=utf-8', 'report.csv'],
    ['spot.exe', 'video/mp4', 'spot.mp4'],
    ['logo.png.exe', 'image/png', 'logo.png.png'],
    ['../../etc/passwd', 'text/csv', '_.._etc_passwd.csv'],
    ['C:\\film.mp4', 'video/mp4', 'C__film.mp4'],
    ['con.png', 'image/png', '_con.png'],
    ['a.png:ads', 'image/png', 'a.png_ads.png'],
    ['\u202egnp.exe', 'image/png', '_gnp.png'],
    ['  ...  ', 'image/png', 'file.png'],
    ['', 'application/pdf', 'file.bin'],
    ['adslate-shop-2030-01-01.adslate', 'application/zip', 'adslate-shop-2030-01-01.adslate'],
    ['team.adslate-changes', 'application/zip', 'team.adslate-changes'],
    ['team.zip', 'application/zip', 'team.zip'],
    ['Ben.adslate-invite', 'application/x-adslate-invite', 'Ben.adslate-invite'],
    ['team.zip', 'application/x-7z-compressed', 'team.bin'],
  ])('%j of %s is %j', (name, contentType, leaves) => expect(outgoingName(name, contentType)).toBe(leaves));

  test('is taken by every system, whatever the file was called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const leaves = outgoingName(name, 'video/mp4');
        expect(leaves).toMatch(/^[^\\/:*?"<>|]+\.mp4$/);
        expect(Buffer.byteLength(leaves)).toBeLessThanOrEqual(255);
        expect(leaves.isWellFormed()).toBe(true);
        expect(leaves).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\./i);
      }),
    );
  });
});

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

const site = 'https://www.retailer.example';
const canonical = (text: string) => canonicalClickUrl(text).url;

test('colons are encoded after the scheme only, plus signs and broken bars as the document says', () => {
  expect(canonical(`${site}/browse/a:b?c=d+e¦f`)).toBe(`${site}/browse/a%3Ab?c=d%20e%7C%7Cf`);
  expect(canonicalClickUrl(`${site}/a:b:c+d`).rewrites).toEqual([
    { from: ':', to: '%3A', times: 2 },
    { from: '+', to: '%20', times: 1 },
  ]);
});

test('a pair of pipes and a broken bar mean the same; a single pipe stays single', () => {
  expect(canonical(`${site}/s?f=a||b`)).toBe(`${site}/s?f=a%7C%7Cb`);
  expect(canonical(`${site}/s?f=a%C2%A6b`)).toBe(`${site}/s?f=a%7C%7Cb`);
  expect(canonical(`${site}/s?f=a|b`)).toBe(`${site}/s?f=a%7Cb`);
});

test('what is encoded already is never encoded again', () => {
  expect(canonicalClickUrl(`${site}/a%3Ab%20c%7C%7Cd`)).toEqual({ url: `${site}/a%3Ab%20c%7C%7Cd`, rewrites: [] });
});

test('a typeahead parameter is dropped wherever it stands, whatever its case', () => {
  expect(canonical(`${site}/s?typeahead=x&q=1`)).toBe(`${site}/s?q=1`);
  expect(canonical(`${site}/s?q=1&TypeAhead=x#top`)).toBe(`${site}/s?q=1#top`);
  expect(canonical(`${site}/s?typeahead=x`)).toBe(`${site}/s`);
  expect(canonical(`${site}/s?mytypeahead=x`)).toBe(`${site}/s?mytypeahead=x`);
});

test('a question mark behind the hash begins no query', () => {
  expect(canonicalClickUrl(`${site}/s#?typeahead=x`)).toEqual({ url: `${site}/s#?typeahead=x`, rewrites: [] });
  expect(canonical(`${site}/s?typeahead=x#?typeahead=y`)).toBe(`${site}/s#?typeahead=y`);
});

test('host, port and user name are told apart, also where they try to look alike', () => {
  expect(splitUrl('https://www.retailer.example@evil.example:8443/x')).toMatchObject({
    userInfo: 'www.retailer.example',
    host: 'evil.example',
    port: '8443',
  });
  expect(splitUrl('https:/one-slash')).toBe(null);
  expect(splitUrl('javascript:alert(1)')).toBe(null);
});

test('the canonical form of a canonical address is itself, and keeps scheme and host', () => {
  const rest = fc.string({ unit: 'grapheme' }).map((text) => `${site}/${text}`);
  const tricky = fc
    .array(
      fc.constantFrom(':', '+', '¦', '|', '||', '%', '%3A', '%7C', ' ', '?', '&', 'typeahead=', '#', 'é', '%é', '"'),
    )
    .map((parts) => `${site}/${parts.join('')}`);
  fc.assert(
    fc.property(fc.oneof(rest, tricky), (text) => {
      const once = canonicalClickUrl(text);
      expect(canonicalClickUrl(once.url)).toEqual({ url: once.url, rewrites: [] });
      expect(splitUrl(once.url)?.host).toBe('www.retailer.example');
      expect(once.url.slice(8)).not.toMatch(/[:+¦|\s]/);
    }),
    { numRuns: runs(2000) },
  );
});

const NOTHING = [
  '\u200b',
  '\u200c\u200d',
  '\ufeff',
  '\u00ad',
  '\u115f\u1160',
  '\u3164',
  '\uffa0',
  '\ufe0f',
  '\u{e0041}\u{e0042}',
  '\u2800\u2800',
  '\u2060 \u00a0',
  '\u034f',
  '\u180e',
  '\u202e\u202c',
  '\u{1d173}',
  '\u{e0100}',
  '\u17b4',
  '\ufffa',
];
test.each(NOTHING)('a text of nothing that can be seen is found: %j', (text) => {
  expect(isUnseen(text)).toBe(true);
  expect(isUnseen(`${text}a`)).toBe(false);
});
test.each(['', ' ', '\u3000\u2003\u0085'])('and so is one of blanks: %j', (text) => expect(isUnseen(text)).toBe(true));
test.each(['.', '0', '👍', '\u0301', 'ا', '한', '⠁'])('a text of one sign is seen: %s', (text) =>
  expect(isUnseen(text)).toBe(false),
);

test.each([
  ['Summer\u200b', 'Summer[U+200B]'],
  ['\ufeffSummer', '[U+FEFF]Summer'],
  ['Sum\u00admer', 'Sum[U+00AD]mer'],
  ['Sum\u200dmer', 'Sum[U+200D]mer'],
  ['Sum\u200cmer', 'Sum[U+200C]mer'],
  ['Summer\ufe0f', 'Summer[U+FE0F]'],
  ['Sale \u3164', 'Sale [U+3164]'],
  ['Summer\u{e0041}', 'Summer[U+E0041]'],
  ['re\u202emmus', 're[U+202E]mmus'],
  ['Summer\u200e', 'Summer[U+200E]'],
  ['Sum\u2060mer\u2800', 'Sum[U+2060]mer[U+2800]'],
  ['👍\u200d', '👍[U+200D]'],
])('what nobody sees is written out: %j', (text, shown) => {
  expect(withUnseenShown(text)).toBe(shown);
  expect(withoutUnseen(text)).toBe(shown.replaceAll(/\[U\+[0-9A-F]+\]/gu, ''));
});

test.each([
  ['Summer sale, 30 °C', 'plain text'],
  ['👩\u200d👩\u200d👧 Family', 'a family of emoji'],
  ['👩🏽\u200d🚀', 'an astronaut with a colour of skin'],
  ['🏳\ufe0f\u200d🌈', 'a rainbow flag'],
  ['❤\ufe0f and 1\ufe0f\u20e3', 'a heart and a key as pictures'],
  ['🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', 'the flag of Scotland'],
  ['می\u200cخواهم', 'Persian'],
  ['क\u094d\u200dष', 'Hindi'],
  ['ශ\u0dca\u200dරී', 'Sinhala'],
  ['葛\u{e0100}', 'a form of a Han character'],
  ['ภาษา\u200bไทย', 'Thai with a place to break'],
  ['שלום\u200f!', 'Hebrew with a mark of direction'],
  ['ᄀ\u1160ᆨ', 'an old Korean syllable'],
])('what is used as it is meant is not: %s (%s)', (text) => {
  expect(withUnseenShown(text)).toBeNull();
  expect(withoutUnseen(text)).toBe(text);
});

test('a cell never holds a text that nobody can see, however it is typed, and the message says why', () => {
  for (const text of NOTHING) {
    const read = parseCell('campaign', 'name', `  ${text}`);
    if (text === '\ufeff') expect(read).toEqual({ ok: true, value: null });
    else expect(read).toMatchObject({ ok: false, error: { kind: 'unseen-text' } });
  }
  const read = parseCell('keyword', 'text', '\u200b\u2800');
  expect(read.ok ? '' : cellProblemText(read.error)).toBe(
    'The text has only invisible characters ([U+200B][U+2800]). Enter the text again.',
  );
});

test('what is written out always differs, and taking it out leaves nothing to write out', () => {
  const pieces = fc.constantFrom(...NOTHING, 'a', 'Sale ', '👍', '👩', 'می', 'क', '\u094d', '葛', 'ᄀ', '⠁', 'ไ');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      const shown = withUnseenShown(text);
      expect(shown === null).toBe(withoutUnseen(text) === text);
      expect(shown).not.toBe(text);
    }),
  );
});

/** The table "Per-element failures" of the document, with values as the service fills them in. */
const PER_ELEMENT = [
  'Item Id not found.',
  'ITEMID_NOT_FOUND, Input id: prod123',
  'Item not found, Input id: 0012345678',
  'Cannot upload unpublished item, Input id: 0012345678',
  'Cannot upload item. item or base item not owned by you, Input id: 0012345678',
  'Item is missing bid value, Input id: 0012345678',
  'Bid should be higher than : 1.50',
];
const MESSAGES = [...new Set([...PER_ELEMENT, ...listDocumentErrors().map(({ text }) => text)])];

test('every message of the document has exactly one explanation, with cause, next step and a place to take it', () => {
  expect(MESSAGES.length).toBeGreaterThan(55);
  for (const message of MESSAGES) {
    const explained = findErrorHelp(message);
    expect(explained, message).not.toBeNull();
    expect(explained?.cause, message).toMatch(/^[A-Z].*[^{}]\.$/);
    expect(explained?.next, message).toMatch(/^[A-Z].*\.$/);
    expect(`${explained?.cause}${explained?.next}`, message).not.toMatch(/[{}]/);
  }
});

test('no explanation is there for a message the document does not have', () => {
  const used = new Set(MESSAGES.map((message) => findErrorHelp(message)?.id));
  expect(EXPLANATIONS.filter(({ says }) => !used.has(says[0]))).toEqual([]);
  const said = EXPLANATIONS.flatMap(({ says }) => says);
  expect(new Set(said).size).toBe(said.length);
});

test('the field of an explanation is a field of the model', () => {
  const fields = new Set(Object.values(FIELDS).flatMap((specs) => Object.keys(specs)));
  for (const { says, field } of EXPLANATIONS) expect(field === undefined || fields.has(field), says[0]).toBe(true);
});

test('values of a message stand in its explanation', () => {
  expect(findErrorHelp('Bid should be higher than : 1.50')?.next).toBe('Raise the bid to $1.50 or more.');
  expect(findErrorHelp('WSResponse is not 200 or 409, it was: 503')?.cause).toContain('503');
});

test('what Adslate says itself of a logo that it could not send is explained, and blames no service', () => {
  const help = findErrorHelp("Can't read the logo file (ENOENT). Add it to the library again.");
  expect(help).toMatchObject({ field: 'logo', place: 'field' });
  expect(help?.cause).toContain('(ENOENT). Nothing was sent.');
  expect(findErrorHelp('The logo is no longer in the media library. Choose another one.')?.field).toBe('logo');
});

test('case, blanks, a final stop and a heading before the message do not count', () => {
  expect(findErrorHelp('  adgroup NOT  found ')?.id).toBe('AdGroup not found.');
  expect(findErrorHelp('Empty Input')?.id).toBe('empty input');
  expect(findErrorHelp('Unprocessable: Campaign is Under review, adding is not allowed.')?.id).toBe(
    'Campaign is Under review, adding is not allowed',
  );
});

test('a message that is not known has no explanation, also when a known one is a part of it', () => {
  expect(findErrorHelp('Please call support')).toBeNull();
  expect(findErrorHelp('Campaign not found in the archive of 2019')).toBeNull();
});
