import { gzipSync } from 'node:zlib';
import type { Meeting, Reply } from './a-hostile-service.ts';

/**
 * Answers a service may give to a create, and what must come of them.
 *
 *   done      the answer is a success, oddly written
 *   doubt     nobody can know: found by a read, or asked about
 *   refused   nothing was made; told, and sent again by the next sync
 *   later     nothing was made; sent again by the same sync
 *   stopped   the run ends, with nothing lost: `credentials`, `security` or `rate-limited`
 */
export interface HostileAnswer {
  /** The row of the table of faults, or a number of our own. */
  readonly id: string;
  readonly what: string;
  readonly becomes: 'done' | 'doubt' | 'refused' | 'later' | 'credentials' | 'security' | 'rate-limited';
  readonly reply: (meeting: Meeting, elsewhere: string) => Promise<Reply>;
}

type Results = { code?: unknown; details?: unknown; [name: string]: unknown }[];

/** The service carries the request out, and the answer is another. */
const made =
  (reply: Reply | ((elsewhere: string) => Reply)): HostileAnswer['reply'] =>
  async (meeting, elsewhere) => {
    await meeting.forward();
    return typeof reply === 'function' ? reply(elsewhere) : reply;
  };
/** The service carries the request out, and its results are tampered with. */
const changed =
  (change: (results: Results) => unknown): HostileAnswer['reply'] =>
  async (meeting) => {
    const { status, text } = await meeting.forward();
    return { status, body: JSON.stringify(change(JSON.parse(text) as Results)) };
  };
const rewritten =
  (rewrite: (text: string) => Reply): HostileAnswer['reply'] =>
  async (meeting) =>
    rewrite((await meeting.forward()).text);
const unmade =
  (reply: Reply): HostileAnswer['reply'] =>
  async () =>
    reply;
const ok = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 200,
  body,
  headers,
});
const error = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  body: JSON.stringify({ error: message }),
  headers,
});
const idName = (result: Results[number]): string => Object.keys(result).find((name) => name.endsWith('Id')) ?? '';
const eachId = (id: unknown) => (results: Results) => results.map((one) => ({ ...one, [idName(one)]: id }));
const redirect = (status: number): HostileAnswer['reply'] =>
  made((elsewhere) => ({ status, headers: { location: elsewhere } }));

const row =
  (becomes: HostileAnswer['becomes']) =>
  (id: string, what: string, reply: HostileAnswer['reply']): HostileAnswer => ({ id, what, becomes, reply });
const done = row('done');
const doubt = row('doubt');
const refused = row('refused');
const later = row('later');
const credentials = row('credentials');
const security = row('security');

const HTML = '<!doctype html><title>Sign in</title><form action="/login">';

export const HOSTILE_ANSWERS: readonly HostileAnswer[] = [
  doubt('5', 'a reset behind the body, not carried out', unmade('cut')),
  doubt('6', 'carried out, then the socket is dropped', made('cut')),
  doubt('9', '500 after the write', made(error(500, 'error'))),
  doubt('10', '500 before the write', unmade(error(500, 'error'))),
  doubt('14', 'success with the id 0', changed(eachId(0))),
  doubt('18', '200 with the page of a login', made(ok(HTML, { 'content-type': 'text/html' }))),
  doubt('19', '200 "Exception in creating SBA Profile"', made(ok('{"message":"Exception in creating SBA Profile"}'))),
  doubt('21', '204 without a body', made({ status: 204 })),
  doubt(
    '22',
    'a body cut in the middle',
    rewritten((text) => ({
      status: 200,
      headers: { 'content-length': String(text.length) },
      body: text.slice(0, 20),
      cutShort: true,
    })),
  ),
  doubt(
    '23',
    'an answer of 100 MB',
    rewritten((text) => ok(Buffer.concat([Buffer.alloc(100 * 1024 * 1024, ' '), Buffer.from(text)]))),
  ),
  doubt('25', '200,000 lists in each other', made(ok('['.repeat(200_000) + ']'.repeat(200_000)))),
  doubt('26', 'a gzip bomb', made(ok(gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')), { 'content-encoding': 'gzip' }))),
  done(
    '27',
    '__proto__ beside the results',
    rewritten((text) =>
      ok(text.replace('{', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},')),
    ),
  ),
  done(
    '29',
    'fields nobody knows',
    changed((results) => results.map((one) => ({ ...one, colour: 'red', nested: { a: [1] } }))),
  ),
  later('31', '429 without Retry-After', unmade(error(429, 'Rate limit exceeded'))),
  later('33', '429 with Retry-After -5', unmade(error(429, 'Rate limit exceeded', { 'retry-after': '-5' }))),
  later('33b', '429 with Retry-After soon', unmade(error(429, 'Rate limit exceeded', { 'retry-after': 'soon' }))),
  credentials('35', '403 "User not Authenticated" in the middle', unmade(error(403, 'User not Authenticated'))),
  security('39', '301 to another host', redirect(301)),
  security('39b', '302 to another host', redirect(302)),
  security('39c', '307 to another host', redirect(307)),
  security('39d', '308 to another host', redirect(308)),
  security('S1', '303 to another host', redirect(303)),
  security('S2', '300 without an address', made({ status: 300 })),
  security('S3', '304 as if nothing had changed', made({ status: 304 })),
  doubt('S4', '501 after the write', made(error(501, 'not here'))),
  doubt('S5', '502 with a page of a proxy', made({ status: 502, body: HTML })),
  doubt('S6', '503 without a body', made({ status: 503 })),
  doubt('S7', '504 of a proxy that gave up', made(error(504, 'upstream'))),
  doubt('S8', '503 with Retry-After', unmade(error(503, 'busy', { 'retry-after': '1' }))),
  doubt('S9', '200 without a body', made(ok(''))),
  doubt('S10', '200 null', made(ok('null'))),
  doubt('S11', '200 with a number', made(ok('42'))),
  doubt('S12', '200 with a text', made(ok('"OK"'))),
  doubt('S13', '200 with an empty object', made(ok('{}'))),
  doubt('S14', '200 with an empty list', made(ok('[]'))),
  doubt(
    'S15',
    'a result too few',
    changed((results) => results.slice(1)),
  ),
  doubt(
    'S16',
    'a result too many',
    changed((results) => [...results, { ...results[0], code: 'success' }]),
  ),
  doubt('S17', 'an id of null', changed(eachId(null))),
  doubt('S18', 'an id of ""', changed(eachId(''))),
  doubt('S19', 'a negative id', changed(eachId(-7))),
  doubt('S20', 'a broken id', changed(eachId(1.5))),
  doubt('S21', 'an id that is a list', changed(eachId([1]))),
  doubt('S22', 'an id of words', changed(eachId('DROP TABLE'))),
  doubt(
    'S23',
    'no id at all',
    changed((results) => results.map(({ code }) => ({ code }))),
  ),
  doubt(
    'S24',
    'a code nobody knows',
    changed((results) => results.map((one) => ({ ...one, code: 'accepted' }))),
  ),
  doubt(
    'S25',
    'no code',
    changed((results) => results.map(({ code, ...one }) => one)),
  ),
  doubt(
    'S26',
    'a code of null',
    changed((results) => results.map((one) => ({ ...one, code: null }))),
  ),
  doubt(
    'S27',
    'results that are numbers',
    changed((results) => results.map((_, at) => at)),
  ),
  doubt(
    'S28',
    'results that are null',
    changed((results) => results.map(() => null)),
  ),
  doubt(
    'S29',
    'results in a list in a list',
    changed((results) => [results]),
  ),
  done(
    'S30',
    'SUCCESS in capitals',
    changed((results) => results.map((one) => ({ ...one, code: 'SUCCESS' }))),
  ),
  done(
    'S31',
    'ids as text',
    changed((results) => results.map((one) => ({ ...one, [idName(one)]: String(one[idName(one)]) }))),
  ),
  done(
    'S32',
    'results wrapped in an object',
    changed((results) => ({ results })),
  ),
  done(
    'S33',
    '201 instead of 200',
    rewritten((text) => ({ status: 201, body: text })),
  ),
  done(
    'S34',
    'names of members in capitals',
    rewritten((text) => ok(text.replace(/"(\w+Id|code)"/g, (name) => name.toUpperCase()))),
  ),
  done(
    'S35',
    'the answer as text/plain',
    rewritten((text) => ok(text, { 'content-type': 'text/plain' })),
  ),
  doubt('S36', 'bytes that are no UTF-8', made(ok(Buffer.from([0x5b, 0xff, 0xfe, 0x5d])))),
  doubt(
    'S37',
    'JSON with a comma too many',
    rewritten((text) => ok(text.replace(/\]$/, ',]'))),
  ),
  doubt(
    'S38',
    'two answers in one',
    rewritten((text) => ok(text + text)),
  ),
  doubt(
    'S39',
    'JSON behind a guard against hijacking',
    rewritten((text) => ok(`)]}',\n${text}`)),
  ),
  doubt(
    'S40',
    'a body said to be longer than it is',
    rewritten((text) => ({
      status: 200,
      headers: { 'content-length': String(text.length + 10) },
      body: text,
      cutShort: true,
    })),
  ),
  doubt(
    'S41',
    'an encoding that is not one',
    rewritten((text) => ok(text, { 'content-encoding': 'gzip' })),
  ),
  doubt('S42', '418', made({ status: 418 })),
  doubt('S43', '409', made(error(409, 'conflict'))),
  doubt(
    'S44',
    '202 accepted, some time',
    rewritten((text) => ({ status: 202, body: text })),
  ),
  doubt(
    'S45',
    '206 a part of it',
    rewritten((text) => ({ status: 206, body: text })),
  ),
  refused('S46', '400 with the message of the document', unmade(error(400, 'Invalid request'))),
  refused(
    'S47',
    '404 in another shape',
    unmade({ status: 404, body: '{"errors":[{"message":"Campaign not found"}]}' }),
  ),
  refused('S48', '422 with title and detail', unmade({ status: 422, body: '{"title":"No","detail":"not now"}' })),
  refused(
    'S58',
    '405 of a call that the service does not have',
    unmade(error(405, 'Method not allowed for this path')),
  ),
  refused('S49', '403 for another reason', unmade(error(403, 'No access to this advertiser'))),
  refused('S50', '400 with a page', unmade({ status: 400, body: HTML })),
  refused('S51', '400 without a body', unmade({ status: 400 })),
  credentials('S52', '401', unmade(error(401, 'Unauthorized'))),
  credentials('S53', '403 in capitals', unmade(error(403, 'USER NOT AUTHENTICATED.'))),
  later(
    'S54',
    '429 with a date that is past',
    unmade(error(429, 'slow', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })),
  ),
  row('rate-limited')('S55', '429 with a wait of a week', unmade(error(429, 'slow', { 'retry-after': '604800' }))),
  later('S56', '429 with a page', unmade({ status: 429, body: HTML })),
  later(
    'S57',
    '429 whose body is cut',
    unmade({ status: 429, headers: { 'content-length': '500' }, body: '{"err', cutShort: true }),
  ),
];
