import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Kind } from '../../shared/model/kinds.ts';
import type { AnyRow } from '../../shared/model/row.ts';
import { parseSearch } from '../../shared/search/parse-search.ts';
import { compilePredicate, type SearchRow } from '../../shared/search/predicate.ts';
import { MARKS, printSearch, type Query } from '../../shared/search/query.ts';
import { runs } from '../share.ts';
import { aCampaign, aKeyword, cents } from './builders.ts';

const at = (row: AnyRow, more: Partial<SearchRow> = {}): SearchRow => ({
  row,
  campaignName: 'Spring video A',
  severity: null,
  outbox: null,
  ...more,
});

function matches(text: string, candidate: SearchRow, kind: Kind = 'keyword'): boolean {
  const query = parseSearch(text, kind);
  if (!query.ok) throw new Error(`${query.error.at}: ${query.error.problem}`);
  return compilePredicate(query.value, kind)(candidate);
}

const problem = (text: string, kind: Kind = 'keyword') => {
  const query = parseSearch(text, kind);
  return query.ok ? null : query.error;
};

test('words beside each other must all match, wherever they stand', () => {
  const row = at(aKeyword({ text: 'Paper Towel' }));
  expect(matches('towel paper', row)).toBe(true);
  expect(matches('"paper towel"', row)).toBe(true);
  expect(matches('"towel paper"', row)).toBe(false);
  expect(matches('spring', row)).toBe(true);
  expect(matches('', row)).toBe(true);
});

test('conditions compare typed values: cents, choices, dates', () => {
  const row = at(aKeyword({ bid: cents(149), reviewStatus: 'rejected' }));
  expect(matches('bid<1.5 reviewStatus:rejected', row)).toBe(true);
  expect(matches('bid>=1.50', row)).toBe(false);
  expect(matches('status:enabled,paused matchType!=phrase', row)).toBe(true);
  const campaign = at(aCampaign());
  expect(matches('start>=2026-05-10 start<2026-05-11 daily=75', campaign, 'campaign')).toBe(true);
});

test('alternatives, negation and groups combine', () => {
  const row = at(aKeyword({ text: 'paper towel' }));
  expect(matches('-napkin (exact OR matchType:exact)', row)).toBe(true);
  expect(matches('napkin OR towel', row)).toBe(true);
  expect(matches('-(napkin OR towel)', row)).toBe(false);
  expect(matches('-campaign:spring', row)).toBe(false);
});

test('an empty cell is none, and differs from every value', () => {
  const row = at(aKeyword({ bid: null }));
  expect(matches('bid:none', row)).toBe(true);
  expect(matches('bid!=none', row)).toBe(false);
  expect(matches('bid!=1.50', row)).toBe(true);
  expect(matches('bid<1.50', row)).toBe(false);
});

test('marks ask about the row beside its cells', () => {
  const fresh = at(aKeyword(), { severity: 'error' });
  const clean = at(aKeyword({}, { remote: '8100001' }), { outbox: 'conflict' });
  expect([matches('changed:yes', fresh), matches('changed:no', fresh), matches('is:new error:yes', fresh)]).toEqual([
    true,
    false,
    true,
  ]);
  expect([matches('changed:yes', clean), matches('is:conflict', clean), matches('id:8100001', clean)]).toEqual([
    false,
    true,
    true,
  ]);
});

test('a mistake is named with its place and what to type instead', () => {
  expect(problem('bid<abc')).toMatchObject({ at: 4, problem: expect.stringMatching(/is not a number/) });
  expect(problem('paper colour:red')).toMatchObject({
    at: 6,
    problem: expect.stringMatching(/no field "colour".*quotes/),
  });
  expect(problem('"paper')).toMatchObject({ at: 0, problem: expect.stringMatching(/not closed/) });
  expect(problem('(paper')).toMatchObject({ at: 0, problem: expect.stringMatching(/parenthesis is not closed/) });
  expect(problem('paper)')).toMatchObject({ at: 5, problem: expect.stringMatching(/no opening parenthesis/) });
  expect(problem('matchType:fuzzy')).toMatchObject({ at: 10, problem: expect.stringMatching(/exact, phrase, broad/) });
  expect(problem('state<enabled')).toMatchObject({ problem: expect.stringMatching(/Use : for state/) });
  expect(problem('changed:maybe')).toMatchObject({ problem: expect.stringMatching(/yes or no/) });
  expect(problem('paper OR')).toMatchObject({ at: 8 });
  expect(problem('bid:')).toMatchObject({ at: 4 });
  expect(problem(`${'('.repeat(500)}a`)).toMatchObject({ problem: expect.stringMatching(/nested too deeply/) });
});

const word = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('OR', '-x', 'a:b', 'none', '"q"', 'a\\b', 'x y', '(', ','),
);
const text = word.map((w) => w.replace(/[\p{Cc}]/gu, '').trim()).filter((w) => w !== '');
const leaf: fc.Arbitrary<Query> = fc.oneof(
  text.map((value): Query => ({ is: 'text', text: value })),
  text.map((value): Query => ({ is: 'contains', field: 'text', text: value })),
  fc
    .constantFrom('<', '<=', '>', '>=', '=', '!=')
    .chain((op) => fc.nat(99_999).map((value): Query => ({ is: 'compare', field: 'bid', op, value }))),
  fc.constantFrom<Query>(
    { is: 'compare', field: 'matchType', op: '=', value: 'exact' },
    { is: 'one-of', field: 'state', values: ['enabled', 'paused'] },
    { is: 'empty', field: 'bid' },
  ),
  text.map((value): Query => ({ is: 'campaign', text: value })),
  fc.constantFrom('label' as const, 'comment' as const, 'resolved' as const).chain((what) =>
    // "Any label" is written as not having none, which reads back as a double negation.
    (what === 'label' ? text : fc.oneof(text, fc.constantFrom('', 'open', 'Resolved'))).map(
      (value): Query => ({ is: 'note', what, text: value }),
    ),
  ),
  fc
    .constantFrom('comment' as const, 'resolved' as const)
    .chain((what) =>
      fc
        .tuple(fc.oneof(text, fc.constantFrom('', 'open')), fc.constantFrom('bid', 'matchType', null))
        .map(([value, field]): Query => ({ is: 'note', what, text: value, field })),
    ),
  fc.constantFrom(...MARKS).map((mark): Query => ({ is: 'mark', mark })),
  fc
    .constantFrom('roas' as const, 'spend' as const, 'clicks' as const)
    .chain((name) =>
      fc
        .tuple(fc.constantFrom('<', '<=', '>', '>=', '=', '!='), fc.nat(99_999))
        .map(([op, value]): Query => ({ is: 'metric', name, op, value })),
    ),
  fc.constantFrom<Query>(
    { is: 'metric', name: 'acos', op: '=', value: null },
    { is: 'metric', name: 'acos', op: '!=', value: null },
    { is: 'signal', what: 'trend', word: 'down' },
    { is: 'signal', what: 'evidence', word: 'none' },
    { is: 'period', period: 'last-28' },
    { is: 'period', period: '2026-05-01..2026-05-31' },
  ),
);
const { query } = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('query'), { minLength: 2, maxLength: 3 }).map((parts): Query => ({ is: 'and', parts })),
    fc.array(tie('query'), { minLength: 2, maxLength: 3 }).map((parts): Query => ({ is: 'or', parts })),
    tie('query').map((part): Query => ({ is: 'not', part })),
  ),
}));

test('open and resolved comments are told apart, and quotes look for the words themselves', () => {
  const commented = at(aKeyword({}), {
    notes: { comment: [{ text: 'Ask Kim', field: null }], resolved: [{ text: 'Too dear, now open', field: 'bid' }] },
  });
  const found = (search: string) => {
    const query = parseSearch(search, 'keyword');
    if (!query.ok) throw new Error(query.error.problem);
    return compilePredicate(query.value, 'keyword')(commented);
  };
  expect(['comment:open', 'comment:resolved', 'comment:kim', 'resolved:dear'].filter(found)).toHaveLength(4);
  expect(['comment:"open"', 'resolved:kim', 'comment:none', 'resolved:none', '-comment:open'].filter(found)).toEqual(
    [],
  );
  expect(found('resolved:"open"')).toBe(true);
  const onThem = [
    'comment.row:open',
    'Comment.Row:kim',
    'comment.bid:resolved',
    'resolved.bid:dear',
    'comment.bid:none',
  ];
  expect(onThem.filter(found)).toEqual(onThem);
  expect(
    ['comment.bid:open', 'comment.row:resolved', 'comment.keyword:open', 'resolved.row:none'].filter(found),
  ).toEqual(['resolved.row:none']);
  expect(problem('pot comment.colour:open')).toMatchObject({
    at: 4,
    problem: expect.stringMatching(/no field "colour"/),
  });
  expect(parseSearch('shop.example:8080', 'keyword')).toEqual({
    ok: true,
    value: { is: 'text', text: 'shop.example:8080' },
  });
});

test('a search that is printed and read again is the same search', () => {
  fc.assert(
    fc.property(query, (one) => {
      expect(parseSearch(printSearch(one, 'keyword'), 'keyword')).toEqual({ ok: true, value: one });
    }),
    { numRuns: runs(500) },
  );
});

test('any text gives a search or a problem inside the text, never a throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-z:"()<=\- OR,]{0,30}$/)), (any) => {
      const parsed = parseSearch(any, 'campaign');
      if (!parsed.ok) expect(parsed.error.at).toBeLessThanOrEqual(any.length);
    }),
  );
});

test('a row matches a search or its negation, never both', () => {
  fc.assert(
    fc.property(query, fc.nat(99_999), (one, bid) => {
      const row = at(aKeyword({ bid: cents(bid) }));
      const no = compilePredicate({ is: 'not', part: one }, 'keyword')(row);
      expect(compilePredicate(one, 'keyword')(row)).toBe(!no);
    }),
  );
});

test('rows are found by a rule, by what the service said of them, and by days with metrics', () => {
  const row = at(aKeyword(), {
    rules: ['keyword.bid-floor'],
    failure: 'Keyword is not allowed',
    metricDays: ['2026-11-15'],
  });
  expect(matches('issue:keyword.bid-floor', row)).toBe(true);
  expect(matches('issue:keyword.duplicate', row)).toBe(false);
  expect(matches('failed:"not allowed"', row)).toBe(true);
  expect(matches('failed:""', at(aKeyword()))).toBe(false);
  expect(matches('metrics:2026-11-01..2026-11-15', row)).toBe(true);
  expect(matches('-metrics:2026-11-14', row)).toBe(true);
  expect(problem('metrics:yesterday')).not.toBeNull();
  expect(problem('metrics:2026-11-15..2026-11-01')).not.toBeNull();
  expect(matches('id:1,2', at({ ...aKeyword(), remoteId: '2' } as AnyRow))).toBe(true);
  expect(matches('campaign:pots,spring', at(aKeyword()))).toBe(true);
  expect(matches('is:held,warning', at(aKeyword(), { severity: 'warning' }))).toBe(true);
  expect(matches('is:held,warning', at(aKeyword()))).toBe(false);
  expect(matches('failed:budget,bid', at(aKeyword(), { failure: 'The bid is too low.' }))).toBe(true);
  expect([problem('campaign:pots,'), problem('constructor:x')]).not.toContain(null);
  expect(parseSearch('is:held,napping', 'keyword')).toMatchObject({ ok: false, error: { at: 8 } });
});

test('metrics are asked for in whole units, and one that no report has is neither more nor less than anything', () => {
  const known = at(aKeyword(), {
    metrics: { roas: 199, spend: 2050, clicks: 30, orders: 0 },
    signals: { trend: 'down' },
  });
  const unknown = at(aKeyword());
  const all = 'roas<2 spend>20.5 clicks>=30 orders=0 trend:down period:28d';
  expect([matches(all, known), matches('spend>$20 ROAS<=1.99 evidence:none -trend:up', known)]).toEqual([false, true]);
  expect(matches(all.replace('20.5', '20'), known)).toBe(true);
  const searches = ['orders=0', 'spend<9999', 'spend>=0', 'roas:none', 'roas!=2', 'trend:down', 'suggestion:none'];
  expect(searches.filter((search) => matches(search, unknown))).toEqual(['roas:none', 'roas!=2', 'suggestion:none']);
});

test('a metric that cannot be read names the number it needs, and kinds without reports have none', () => {
  expect(problem('spend>lots')).toMatchObject({ at: 6, problem: expect.stringMatching(/spend>2\.50/) });
  expect(problem('clicks>2.5')).toMatchObject({ problem: expect.stringMatching(/clicks>=30/) });
  expect(problem('trend:sideways')).toMatchObject({ at: 6, problem: expect.stringMatching(/up, down, flat/) });
  expect(problem('period:soon')).toMatchObject({ at: 7, problem: expect.stringMatching(/28d/) });
  expect(problem('roas<2', 'media')).toMatchObject({ at: 0, problem: expect.stringMatching(/no field "roas"/) });
});
