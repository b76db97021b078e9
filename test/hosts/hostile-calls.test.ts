import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldNames } from '../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../shared/model/kinds.ts';
import { runs, SEED, share } from '../share.ts';
import { aHostOfShop, type WebHost } from './a-web-host.ts';
import { CALLS, type Facts } from './calls.ts';
import { callAt, isFair, LINE_NAMES, type Line, type LineName, type Outcome, openLine, operations } from './lines.ts';
import { prepare } from './prepared.ts';

/**
 * Input of every wrong kind to every operation, as a page that was taken over would send it. The answer is a result,
 * a declared error or BAD_REQUEST; it is never a defect, and the next call is answered as if nothing had been.
 */
let host: WebHost;
let facts: Facts;
let ways: readonly Way[];
beforeAll(async () => {
  host = await aHostOfShop();
  facts = await prepare(host.core, 'nobody');
  ways = await Promise.all(LINE_NAMES.map(openWay));
  console.log(`seed ${SEED}: ${RUNS} messages of each kind over each of ${LINE_NAMES.join(', ')}`);
});
afterAll(async () => {
  for (const { lines } of ways) for (const line of lines) await line.close();
  await host.close();
});

/** Messages of each of two kinds, for each operation over each line. */
const RUNS = runs(100, 20);
/** So many are under way at once. */
const AT_ONCE = 10;

/** One way in, by several pages in turn: each page alone would be slowed down to the pace of a desk. */
interface Way {
  readonly lines: readonly Line[];
  call(path: string, input: unknown): Promise<Outcome>;
}
const PAGES = 6;
async function openWay(name: LineName): Promise<Way> {
  const open = await Promise.all(Array.from({ length: PAGES }, () => openLine[name](host)));
  const clients = open.map(({ client }) => client);
  return {
    lines: open,
    call: (path, input) => {
      const next = clients.shift();
      if (next === undefined) throw new Error('There is no page.');
      clients.push(next);
      return callAt(next, path, input);
    },
  };
}
/** What stays open, and what sends to the practice service for as long as it takes: shown elsewhere. */
const APART = new Set([
  'app.events',
  'sync.run',
  'review.submit',
  'review.cancel',
  'accounts.addPractice',
  'accounts.addSample',
]);

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('__proto__', '\u0000', '\uD800', '../../etc/passwd', '%00', "'; DROP TABLE campaign; --", '1e999'),
  fc.constant('x'.repeat(60_000)),
);
const hostileNumber = fc.constantFrom(0, -0, -1, 0.5, 2 ** 31, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, 1e308);
const hostile: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostileText,
    hostileNumber,
    fc.constantFrom(null, undefined, true, false, new Date(8.64e15), new Uint8Array([1, 2]), 10n ** 30n),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'id', 'workspaceId', ''), tie('value'), { maxKeys: 3 }),
  ),
})).value;

/** A well-formed input with one of its parts replaced, so that it reaches deeper than nonsense does. */
const spoilt = (input: unknown): fc.Arbitrary<unknown> => {
  const places = placesOf(input);
  return places.length === 0
    ? hostile
    : fc.tuple(fc.constantFrom(...places), hostile).map(([place, value]) => replaced(input, place, value));
};

function placesOf(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return at.length === 0 ? [] : [at];
  return [
    ...(at.length === 0 ? [] : [at]),
    ...Object.entries(value).flatMap(([name, inner]) => placesOf(inner, [...at, name])),
  ];
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) return value.map((inner, at) => (String(at) === name ? replaced(inner, rest, by) : inner));
  return { ...Object(value), [name]: replaced(Reflect.get(Object(value), name), rest, by) };
}

/** Sends each input over every way, all at once, and holds each answer to what is fair. */
async function sendAll(path: string, inputs: readonly unknown[]): Promise<void> {
  const outcomes = await Promise.all(inputs.flatMap((input) => ways.map((way) => way.call(path, input))));
  for (const outcome of outcomes) expect(isFair(outcome), JSON.stringify(outcome)).toBe(true);
}

/** As many messages as were asked for, a handful at a time. */
const check = (path: string, message: fc.Arbitrary<unknown>): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: AT_ONCE, maxLength: AT_ONCE }), (inputs) => sendAll(path, inputs)),
    { numRuns: Math.ceil(RUNS / AT_ONCE), seed: SEED },
  );

describe('input that fits nothing', () => {
  test.each(
    share(
      'hostile calls',
      operations().filter((path) => !APART.has(path)),
    ),
  )('%s', (path) => check(path, hostile));
});

describe('input that fits but for one part', () => {
  test.each(
    share(
      'hostile calls that nearly fit',
      CALLS.map(({ path, input }, at) => ({ path, input, at })).filter(({ path }) => !APART.has(path)),
    ),
  )('$path (call $at)', ({ path, input }) => check(path, spoilt(input(facts))));
});

describe('input that fits, with values nobody would choose', () => {
  const cell = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('kettle', '1.50', '150', '2030-01-01', 'enabled', 7, null, '') },
    { weight: 1, arbitrary: fc.oneof(hostileText, fc.integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 })) },
  );
  const fieldOf = (kind: Kind) => fc.constantFrom(...fieldNames(kind)).map((field) => [kind, field] as const);
  const kindAndField = fc.oneof(fieldOf('campaign'), fc.constantFrom(...KINDS).chain(fieldOf));
  const words = 'name budget : < >= ( ) " - OR none 1.5 , changed:yes * % _'.split(' ');
  const inputs: Readonly<Record<string, fc.Arbitrary<object>>> = {
    'workspace.edit': fc
      .array(fc.tuple(kindAndField, fc.integer({ min: 1, max: 3 }), cell), { minLength: 1, maxLength: 2 })
      .map((changes) => ({
        label: 'Edit',
        changes: changes.map(([[kind, field], id, value]) => ({ kind, id, field, value })),
      })),
    'workspace.create': fc
      .array(fc.tuple(kindAndField, cell, fc.constantFrom(null, { at: 0 }, { at: 7 }, { id: 1 })), { maxLength: 2 })
      .map((rows) => ({
        label: 'New',
        rows: [
          { kind: 'campaign', parent: null, values: { name: 'First' } },
          ...rows.map(([[kind, field], value, parent]) => ({ kind, parent, values: { [field]: value } })),
        ],
      })),
    'workspace.openView': fc
      .tuple(kindAndField, fc.array(fc.constantFrom(...words), { maxLength: 8 }), fc.boolean())
      .map(([[kind, column], filter, descending]) => ({
        view: { kind, filter: filter.join(' '), sort: [{ column, descending }] },
      })),
    'workspace.issues': fc.record({ from: fc.nat(), count: fc.integer({ min: 0, max: 500 }) }),
    'workspace.history': fc.record({ from: fc.nat(), count: fc.integer({ min: 0, max: 500 }) }),
    'workspace.changes': fc.record({ from: fc.nat(), count: fc.integer({ min: 0, max: 500 }) }),
  };

  test.each(Object.entries(inputs))('%s', async (path, input) => {
    await fc.assert(
      fc.asyncProperty(input, async (more) => {
        await sendAll(path, [{ workspaceId: facts.workspaceId, ...more }]);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});

test('after all this nothing has leaked into every object, and calls are answered', async () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Reflect.get({}, 'id')).toBe(undefined);
  const { workspaceId } = facts;
  for (const { client } of ways.flatMap(({ lines }) => lines)) {
    const history = await client.workspace.history({ workspaceId, from: 0, count: 1 });
    expect(history.total, 'some of the input was good enough to be taken').toBeGreaterThan(RUNS / 10);
  }
  expect(host.logged.filter(({ event }) => event === 'unexpected failure')).toEqual([]);
});
