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

const HTML = '<!doctype html><title>Sign in</title><form action="/login">';

export const HOSTILE_ANSWERS: readonly HostileAnswer[] = [
  { id: '5', what: 'a reset behind the body, not carried out', becomes: 'doubt', reply: unmade('cut') },
  { id: '6', what: 'carried out, then the socket is dropped', becomes: 'doubt', reply: made('cut') },
  { id: '9', what: '500 after the write', becomes: 'doubt', reply: made(error(500, 'error')) },
  { id: '10', what: '500 before the write', becomes: 'doubt', reply: unmade(error(500, 'error')) },
  { id: '14', what: 'success with the id 0', becomes: 'doubt', reply: changed(eachId(0)) },
  {
    id: '18',
    what: '200 with the page of a login',
    becomes: 'doubt',
    reply: made(ok(HTML, { 'content-type': 'text/html' })),
  },
  {
    id: '19',
    what: '200 "Exception in creating SBA Profile"',
    becomes: 'doubt',
    reply: made(ok('{"message":"Exception in creating SBA Profile"}')),
  },
  { id: '21', what: '204 without a body', becomes: 'doubt', reply: made({ status: 204 }) },
  {
    id: '22',
    what: 'a body cut in the middle',
    becomes: 'doubt',
    reply: rewritten((text) => ({
      status: 200,
      headers: { 'content-length': String(text.length) },
      body: text.slice(0, 20),
      cutShort: true,
    })),
  },
  {
    id: '23',
    what: 'an answer of 100 MB',
    becomes: 'doubt',
    reply: rewritten((text) => ok(Buffer.concat([Buffer.alloc(100 * 1024 * 1024, ' '), Buffer.from(text)]))),
  },
  {
    id: '25',
    what: '200,000 lists in each other',
    becomes: 'doubt',
    reply: made(ok('['.repeat(200_000) + ']'.repeat(200_000))),
  },
  {
    id: '26',
    what: 'a gzip bomb',
    becomes: 'doubt',
    reply: made(ok(gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')), { 'content-encoding': 'gzip' })),
  },
  {
    id: '27',
    what: '__proto__ beside the results',
    becomes: 'done',
    reply: rewritten((text) =>
      ok(text.replace('{', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},')),
    ),
  },
  {
    id: '29',
    what: 'fields nobody knows',
    becomes: 'done',
    reply: changed((results) => results.map((one) => ({ ...one, colour: 'red', nested: { a: [1] } }))),
  },
  { id: '31', what: '429 without Retry-After', becomes: 'later', reply: unmade(error(429, 'Rate limit exceeded')) },
  {
    id: '33',
    what: '429 with Retry-After -5',
    becomes: 'later',
    reply: unmade(error(429, 'Rate limit exceeded', { 'retry-after': '-5' })),
  },
  {
    id: '33b',
    what: '429 with Retry-After soon',
    becomes: 'later',
    reply: unmade(error(429, 'Rate limit exceeded', { 'retry-after': 'soon' })),
  },
  {
    id: '35',
    what: '403 "User not Authenticated" in the middle',
    becomes: 'credentials',
    reply: unmade(error(403, 'User not Authenticated')),
  },
  { id: '39', what: '301 to another host', becomes: 'security', reply: redirect(301) },
  { id: '39b', what: '302 to another host', becomes: 'security', reply: redirect(302) },
  { id: '39c', what: '307 to another host', becomes: 'security', reply: redirect(307) },
  { id: '39d', what: '308 to another host', becomes: 'security', reply: redirect(308) },
  { id: 'S1', what: '303 to another host', becomes: 'security', reply: redirect(303) },
  { id: 'S2', what: '300 without an address', becomes: 'security', reply: made({ status: 300 }) },
  { id: 'S3', what: '304 as if nothing had changed', becomes: 'security', reply: made({ status: 304 }) },
  { id: 'S4', what: '501 after the write', becomes: 'doubt', reply: made(error(501, 'not here')) },
  { id: 'S5', what: '502 with a page of a proxy', becomes: 'doubt', reply: made({ status: 502, body: HTML }) },
  { id: 'S6', what: '503 without a body', becomes: 'doubt', reply: made({ status: 503 }) },
  { id: 'S7', what: '504 of a proxy that gave up', becomes: 'doubt', reply: made(error(504, 'upstream')) },
  {
    id: 'S8',
    what: '503 with Retry-After',
    becomes: 'doubt',
    reply: unmade(error(503, 'busy', { 'retry-after': '1' })),
  },
  { id: 'S9', what: '200 without a body', becomes: 'doubt', reply: made(ok('')) },
  { id: 'S10', what: '200 null', becomes: 'doubt', reply: made(ok('null')) },
  { id: 'S11', what: '200 with a number', becomes: 'doubt', reply: made(ok('42')) },
  { id: 'S12', what: '200 with a text', becomes: 'doubt', reply: made(ok('"OK"')) },
  { id: 'S13', what: '200 with an empty object', becomes: 'doubt', reply: made(ok('{}')) },
  { id: 'S14', what: '200 with an empty list', becomes: 'doubt', reply: made(ok('[]')) },
  { id: 'S15', what: 'a result too few', becomes: 'doubt', reply: changed((results) => results.slice(1)) },
  {
    id: 'S16',
    what: 'a result too many',
    becomes: 'doubt',
    reply: changed((results) => [...results, { ...results[0], code: 'success' }]),
  },
  { id: 'S17', what: 'an id of null', becomes: 'doubt', reply: changed(eachId(null)) },
  { id: 'S18', what: 'an id of ""', becomes: 'doubt', reply: changed(eachId('')) },
  { id: 'S19', what: 'a negative id', becomes: 'doubt', reply: changed(eachId(-7)) },
  { id: 'S20', what: 'a broken id', becomes: 'doubt', reply: changed(eachId(1.5)) },
  { id: 'S21', what: 'an id that is a list', becomes: 'doubt', reply: changed(eachId([1])) },
  { id: 'S22', what: 'an id of words', becomes: 'doubt', reply: changed(eachId('DROP TABLE')) },
  {
    id: 'S23',
    what: 'no id at all',
    becomes: 'doubt',
    reply: changed((results) => results.map(({ code }) => ({ code }))),
  },
  {
    id: 'S24',
    what: 'a code nobody knows',
    becomes: 'doubt',
    reply: changed((results) => results.map((one) => ({ ...one, code: 'accepted' }))),
  },
  { id: 'S25', what: 'no code', becomes: 'doubt', reply: changed((results) => results.map(({ code, ...one }) => one)) },
  {
    id: 'S26',
    what: 'a code of null',
    becomes: 'doubt',
    reply: changed((results) => results.map((one) => ({ ...one, code: null }))),
  },
  {
    id: 'S27',
    what: 'results that are numbers',
    becomes: 'doubt',
    reply: changed((results) => results.map((_, at) => at)),
  },
  { id: 'S28', what: 'results that are null', becomes: 'doubt', reply: changed((results) => results.map(() => null)) },
  { id: 'S29', what: 'results in a list in a list', becomes: 'doubt', reply: changed((results) => [results]) },
  {
    id: 'S30',
    what: 'SUCCESS in capitals',
    becomes: 'done',
    reply: changed((results) => results.map((one) => ({ ...one, code: 'SUCCESS' }))),
  },
  {
    id: 'S31',
    what: 'ids as text',
    becomes: 'done',
    reply: changed((results) => results.map((one) => ({ ...one, [idName(one)]: String(one[idName(one)]) }))),
  },
  { id: 'S32', what: 'results wrapped in an object', becomes: 'done', reply: changed((results) => ({ results })) },
  { id: 'S33', what: '201 instead of 200', becomes: 'done', reply: rewritten((text) => ({ status: 201, body: text })) },
  {
    id: 'S34',
    what: 'names of members in capitals',
    becomes: 'done',
    reply: rewritten((text) => ok(text.replace(/"(\w+Id|code)"/g, (name) => name.toUpperCase()))),
  },
  {
    id: 'S35',
    what: 'the answer as text/plain',
    becomes: 'done',
    reply: rewritten((text) => ok(text, { 'content-type': 'text/plain' })),
  },
  {
    id: 'S36',
    what: 'bytes that are no UTF-8',
    becomes: 'doubt',
    reply: made(ok(Buffer.from([0x5b, 0xff, 0xfe, 0x5d]))),
  },
  {
    id: 'S37',
    what: 'JSON with a comma too many',
    becomes: 'doubt',
    reply: rewritten((text) => ok(text.replace(/\]$/, ',]'))),
  },
  { id: 'S38', what: 'two answers in one', becomes: 'doubt', reply: rewritten((text) => ok(text + text)) },
  {
    id: 'S39',
    what: 'JSON behind a guard against hijacking',
    becomes: 'doubt',
    reply: rewritten((text) => ok(`)]}',\n${text}`)),
  },
  {
    id: 'S40',
    what: 'a body said to be longer than it is',
    becomes: 'doubt',
    reply: rewritten((text) => ({
      status: 200,
      headers: { 'content-length': String(text.length + 10) },
      body: text,
      cutShort: true,
    })),
  },
  {
    id: 'S41',
    what: 'an encoding that is not one',
    becomes: 'doubt',
    reply: rewritten((text) => ok(text, { 'content-encoding': 'gzip' })),
  },
  { id: 'S42', what: '418', becomes: 'doubt', reply: made({ status: 418 }) },
  { id: 'S43', what: '409', becomes: 'doubt', reply: made(error(409, 'conflict')) },
  {
    id: 'S44',
    what: '202 accepted, some time',
    becomes: 'doubt',
    reply: rewritten((text) => ({ status: 202, body: text })),
  },
  { id: 'S45', what: '206 a part of it', becomes: 'doubt', reply: rewritten((text) => ({ status: 206, body: text })) },
  {
    id: 'S46',
    what: '400 with the message of the document',
    becomes: 'refused',
    reply: unmade(error(400, 'Invalid request')),
  },
  {
    id: 'S47',
    what: '404 in another shape',
    becomes: 'refused',
    reply: unmade({ status: 404, body: '{"errors":[{"message":"Campaign not found"}]}' }),
  },
  {
    id: 'S48',
    what: '422 with title and detail',
    becomes: 'refused',
    reply: unmade({ status: 422, body: '{"title":"No","detail":"not now"}' }),
  },
  {
    id: 'S49',
    what: '403 for another reason',
    becomes: 'refused',
    reply: unmade(error(403, 'No access to this advertiser')),
  },
  { id: 'S50', what: '400 with a page', becomes: 'refused', reply: unmade({ status: 400, body: HTML }) },
  { id: 'S51', what: '400 without a body', becomes: 'refused', reply: unmade({ status: 400 }) },
  { id: 'S52', what: '401', becomes: 'credentials', reply: unmade(error(401, 'Unauthorized')) },
  { id: 'S53', what: '403 in capitals', becomes: 'credentials', reply: unmade(error(403, 'USER NOT AUTHENTICATED.')) },
  {
    id: 'S54',
    what: '429 with a date that is past',
    becomes: 'later',
    reply: unmade(error(429, 'slow', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })),
  },
  {
    id: 'S55',
    what: '429 with a wait of a week',
    becomes: 'rate-limited',
    reply: unmade(error(429, 'slow', { 'retry-after': '604800' })),
  },
  { id: 'S56', what: '429 with a page', becomes: 'later', reply: unmade({ status: 429, body: HTML }) },
  {
    id: 'S57',
    what: '429 whose body is cut',
    becomes: 'later',
    reply: unmade({ status: 429, headers: { 'content-length': '500' }, body: '{"err', cutShort: true }),
  },
];
