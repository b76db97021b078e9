import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classifyWriteResponse, type ResultShape } from '../../main/api/classify-response.ts';
import type { Outcome, RawResult, ServiceResponse } from '../../main/api/request-outcome.ts';
import { runs } from '../share.ts';

const shape = (elements: number): ResultShape => ({
  elements,
  idNames: ['adItemId'],
  needsId: true,
  isTaken: (id) => id === '777',
});
const answer = (status: number, body: string | null, headers: Partial<ServiceResponse> = {}): ServiceResponse => ({
  kind: 'answer',
  status,
  body,
  retryAfter: null,
  skewMs: null,
  ...headers,
});
const of = (seen: RawResult, elements = 1): Outcome => classifyWriteResponse(seen, shape(elements), 1_000_000);
const classOf = (status: number, body: string | null): string => of(answer(status, body)).class;

test('no byte sent may be sent again, a broken connection may not', () => {
  expect(of({ kind: 'not-sent', cause: 'ECONNREFUSED', security: false }).class).toBe('NOT_SENT');
  expect(of({ kind: 'broken', cause: 'ECONNRESET' }).class).toBe('IN_DOUBT');
});

test.each([400, 403, 404, 422])('status %i with a message refuses the whole batch', (status) => {
  expect(of(answer(status, '{"error":"Empty Input"}'))).toEqual({ class: 'REFUSED', status, message: 'Empty Input' });
});

test('403 User not Authenticated asks for credentials, as 401 does', () => {
  expect(classOf(403, '{"error":"User not Authenticated"}')).toBe('AUTH');
  expect(classOf(403, '{"message":"user  not authenticated."}')).toBe('AUTH');
  expect(classOf(401, '')).toBe('AUTH');
});

test.each([500, 502, 503, 504, 418, 302, 307, 100])('status %i leaves a write in doubt', (status) => {
  expect(classOf(status, '{"error":"There was an error processing the request"}')).toBe('IN_DOUBT');
});

test('a redirect is in doubt and a matter of security', () => {
  expect(of(answer(307, ''))).toMatchObject({ class: 'IN_DOUBT', security: true });
});

test('429 is for later, with the wait the service asks for, however long, and at least a second', () => {
  const wait = (retryAfter: string | null) => {
    const outcome = of(answer(429, '{}', { retryAfter }));
    return outcome.class === 'LATER' ? outcome.retryAfterMs : undefined;
  };
  expect(wait('30')).toBe(30_000);
  expect(wait('0')).toBe(1000);
  expect(wait('999999')).toBe(999_999_000);
  expect(wait('9'.repeat(40))).toBe(100 * 365 * 86_400_000);
  expect(wait('-5')).toBeNull();
  expect(wait('soon')).toBeNull();
  expect(wait(null)).toBeNull();
  expect(wait(new Date(1_000_000 + 90_000).toUTCString())).toBe(90_000);
});

test('results count one by one, in the order of the request', () => {
  const body =
    '[{"adItemId":4400001,"code":"success","details":""},{"adItemId":0,"code":"failure","details":"Item Id not found."}]';
  expect(of(answer(200, body), 2)).toEqual({
    class: 'ELEMENTS',
    elements: [
      { is: 'done', remoteId: '4400001' },
      { is: 'rejected', message: 'Item Id not found.' },
    ],
  });
});

test('an id beyond 2^53 stays exact', () => {
  expect(of(answer(200, '[{"adItemId":9007199254740993,"code":"success"}]'))).toMatchObject({
    elements: [{ remoteId: '9007199254740993' }],
  });
});

test.each([
  ['a success without an id', '[{"code":"success","adItemId":0}]', 1],
  ['a success with the ID of another row', '[{"code":"success","adItemId":777}]', 1],
  ['the same id twice', '[{"code":"success","adItemId":5},{"code":"success","adItemId":5}]', 2],
  ['an unknown code', '[{"code":"maybe","adItemId":5}]', 1],
  ['fewer results than elements', '[{"code":"success","adItemId":5}]', 2],
  ['more results than elements', '[{"code":"success","adItemId":5},{"code":"success","adItemId":6}]', 1],
])('%s puts the elements in doubt', (_, body, elements) => {
  const outcome = of(answer(200, body), elements);
  expect(outcome.class).toBe('ELEMENTS');
  expect(outcome.class === 'ELEMENTS' && outcome.elements.every(({ is }) => is === 'in-doubt')).toBe(true);
});

test.each(['Exception in creating SBA Profile', 'There was an error processing the request'])(
  'status 200 with "%s" says nothing about the write',
  (message) => {
    expect(classOf(200, JSON.stringify({ error: message }))).toBe('IN_DOUBT');
  },
);

test.each([
  'Missing FILE',
  'Missing form param SBABaseProfileRequest',
  'You cannot define bid multipliers for this campaign',
  'The platform bid% out of range for PlatformType: Mobile',
])('status 200 with the documented refusal "%s" is a refusal', (message) => {
  expect(classOf(200, JSON.stringify({ message }))).toBe('REFUSED');
});

test.each(['', '<html>Sign in</html>', '[{"code":"success","adIt', 'null', '42', null])(
  'status 200 with the body %j is in doubt',
  (body) => {
    expect(classOf(200, body)).toBe('IN_DOUBT');
  },
);

test('whatever arrives, the table answers, and only proof makes a write repeatable', () => {
  const seen: fc.Arbitrary<RawResult> = fc.oneof(
    fc.record({ kind: fc.constant('broken' as const), cause: fc.string() }),
    fc.record({
      kind: fc.constant('answer' as const),
      status: fc.integer({ min: 100, max: 599 }),
      body: fc.oneof(fc.constant(null), fc.string(), fc.json(), resultsText()),
      retryAfter: fc.oneof(fc.constant(null), fc.string()),
      skewMs: fc.oneof(fc.constant(null), fc.integer()),
    }),
  );
  fc.assert(
    fc.property(seen, fc.integer({ min: 1, max: 4 }), (observation, elements) => {
      const outcome = of(observation, elements);
      if (outcome.class === 'NOT_SENT') throw new Error('an observation with bytes on the wire was called unsent');
      if (outcome.class === 'LATER' && !(observation.kind === 'answer' && observation.status === 429)) {
        throw new Error('only 429 is for later');
      }
      if (outcome.class === 'ELEMENTS') expect(outcome.elements).toHaveLength(elements);
    }),
    { numRuns: runs(20_000, 2000) },
  );
});

test('shuffled, short, doubled and wrongly typed results never give two elements one id', () => {
  fc.assert(
    fc.property(resultsText(), fc.integer({ min: 1, max: 5 }), (body, elements) => {
      const outcome = of(answer(200, body), elements);
      if (outcome.class !== 'ELEMENTS') return;
      const ids = outcome.elements.flatMap((element) => (element.is === 'done' ? [element.remoteId] : []));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).not.toContain('777');
      expect(ids).not.toContain(null);
    }),
    { numRuns: runs(10_000, 1000) },
  );
});

function resultsText(): fc.Arbitrary<string> {
  const element = fc.record(
    {
      code: fc.constantFrom('success', 'failure', 'SUCCESS', 'other', 1, null),
      adItemId: fc.oneof(fc.integer({ min: -1, max: 4 }), fc.constantFrom('5', '0', '777', 777, null, {}, [])),
      details: fc.oneof(fc.string(), fc.constant(null)),
    },
    { requiredKeys: [] },
  );
  return fc.array(element, { maxLength: 6 }).map((list) => JSON.stringify(list));
}
