import type { Kind } from '../../shared/model/kinds.ts';
import type { PlainDate, RowId } from '../../shared/model/scalars.ts';
import type { SuggestionFacts } from '../../shared/suggestions/facts.ts';
import type { ScopedGoal } from '../../shared/suggestions/goals.ts';
import { heldWithoutAmount } from '../../shared/suggestions/hold-spend.ts';
import type { RowType } from '../../shared/suggestions/row-suggestions.ts';
import { type Suggestions, suggest } from '../../shared/suggestions/suggest.ts';
import {
  type DropReason,
  SUGGESTION_KINDS,
  type Suggestion,
  type SuggestionKind,
  suggestionKey,
} from '../../shared/suggestions/suggestion.ts';
import { type BulkRows, totalRows } from '../store/bulk/bulk-rows.ts';
import { type Db, numberOf } from '../store/db/db.ts';
import { currentRevision } from '../store/rows/revision.ts';
import { type BannerSetup, bannerLog } from './banner-log.ts';
import { gatherFacts, lastReducedDay, type SuggestionCube, type SuggestionSetup } from './load-facts.ts';

/** The requested suggestions. */
export type SuggestionQuery =
  | {
      readonly is: 'page';
      readonly kinds: readonly SuggestionKind[];
      readonly campaignId: RowId | null;
      readonly from: number;
      readonly count: number;
    }
  | { readonly is: 'keys'; readonly keys: readonly string[] }
  /** The bids that can be written into these rows. */
  | { readonly is: 'bids'; readonly rows: readonly BulkRows[] }
  | { readonly is: 'rows'; readonly type: RowType; readonly ids: readonly RowId[] };

export interface SuggestionAnswer {
  readonly version: string;
  readonly total: number;
  readonly kinds: readonly { readonly kind: SuggestionKind; readonly count: number }[];
  readonly suggestions: readonly Suggestion[];
  /** Campaign names of these suggestions. */
  readonly campaigns: ReadonlyMap<RowId, string>;
  readonly dropped: readonly { readonly reason: DropReason; readonly count: number }[];
  readonly whatIf: Suggestions['whatIf'];
  readonly paced: Suggestions['paced'];
  /** Goals to keep spend without an amount, with the amount used for them now. */
  readonly held: readonly ScopedGoal[];
  /** The spend of all campaigns in the last 7 days with metrics, in cents. */
  readonly weekSpend: number;
  /** The last day in the used period that is reduced to its month; null without any. */
  readonly reducedTo: PlainDate | null;
  /** Requested rows without a goal. */
  readonly withoutGoal: readonly RowId[];
}

interface Made {
  readonly setup: string;
  readonly exact: string;
  readonly facts: SuggestionFacts;
  readonly found: Suggestions;
  readonly byKey: ReadonlyMap<string, Suggestion>;
  readonly held: SuggestionAnswer['held'];
}

/** Suggestions of one account, calculated in the thread of its cube and cached until their inputs change. */
export function createSuggestionQueries(account: Db, cube: SuggestionCube) {
  let making: Promise<Made> | null = null;
  const isKept = async (setup: string, exact: string | null): Promise<Made | null> => {
    // A failure was reported to the caller that started it; this call calculates again.
    const made = await making?.catch(() => null);
    return made?.setup === setup && (exact === null || made.exact === exact) ? made : null;
  };
  const make = async (setup: SuggestionSetup, isLoose: boolean): Promise<Made> => {
    // Sent changes move bids on the service; drafts alone change no suggested bid.
    const sent = numberOf(account, 'SELECT coalesce(max(id), 0) FROM outbox_batch');
    const key = JSON.stringify([setup, cube.version('keyword'), cube.version('adItem'), sent]);
    const exact = String(currentRevision(account));
    const known = await isKept(key, isLoose ? null : exact);
    if (known !== null) return known;
    making = gatherFacts(account, cube, setup).then((facts) => {
      const found = suggest(facts);
      const byKey = new Map(found.suggestions.map((suggestion) => [suggestionKey(suggestion), suggestion]));
      return { setup: key, exact, facts, found, byKey, held: heldWithoutAmount(facts) };
    });
    return making;
  };

  return {
    bannerLog: (setup: BannerSetup) => bannerLog(account, cube, setup),
    /** Counts the bids that can be written into these rows. */
    countBids: async (setup: SuggestionSetup, rows: readonly BulkRows[]) => {
      const { facts, found } = await make(setup, false);
      const bids = bidsOf(found.suggestions, rows);
      const mean = (of: 'current' | 'suggested'): number =>
        Math.round(bids.reduce((sum, one) => sum + Number(one[of]), 0) / bids.length);
      const lacking = rows.reduce((sum, { kind, ids }) => sum + withoutGoal(facts, kind, ids).length, 0);
      return {
        rows: totalRows(rows),
        bids: bids.length,
        average: bids.length === 0 ? null : { before: mean('current'), value: mean('suggested') },
        effects: (['immediate', 'needs-review'] as const).flatMap((cost) => {
          const count = bids.filter(({ effect }) => effect === cost).length;
          return count === 0 ? [] : [{ cost, rows: count }];
        }),
        hasGoal: lacking < totalRows(rows),
      };
    },
    suggestions: async (setup: SuggestionSetup, query: SuggestionQuery): Promise<SuggestionAnswer> => {
      const { facts, found, byKey, held, exact } = await make(setup, query.is === 'rows');
      const { all, page } = chosen(found.suggestions, byKey, query);
      const names = new Map(facts.campaigns.map(({ id, name }) => [id, name]));
      const counts = new Map<SuggestionKind, number>();
      for (const { kind } of found.suggestions) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return {
        version: `${exact} ${cube.version('keyword')} ${found.suggestions.length}`,
        total: all,
        kinds: SUGGESTION_KINDS.map((kind) => ({ kind, count: counts.get(kind) ?? 0 })),
        suggestions: page,
        campaigns: new Map(
          page.flatMap(({ campaignId: id }) => (id === null ? [] : [[id, names.get(id) ?? ''] as const])),
        ),
        dropped: Array.from(found.dropped, ([reason, count]) => ({ reason, count })).toSorted((a, b) =>
          a.reason < b.reason ? -1 : 1,
        ),
        whatIf: found.whatIf,
        paced: found.paced,
        held,
        weekSpend: weekSpend(facts),
        reducedTo: lastReducedDay(cube, setup.today),
        withoutGoal: query.is === 'rows' ? withoutGoal(facts, query.type, query.ids) : [],
      };
    },
  };
}

function chosen(all: readonly Suggestion[], byKey: ReadonlyMap<string, Suggestion>, query: SuggestionQuery) {
  if (query.is === 'keys') {
    const page = query.keys.flatMap((key) => byKey.get(key) ?? []);
    return { all: page.length, page };
  }
  if (query.is === 'bids') {
    const page = bidsOf(all, query.rows);
    return { all: page.length, page };
  }
  if (query.is === 'rows') {
    const page = query.ids.flatMap((id) => {
      const of = (kind: SuggestionKind, field: string) =>
        byKey.get(suggestionKey({ kind, type: query.type, id, field, label: '' } as Suggestion));
      return of('bid', 'bid') ?? of('no-sale', 'bid') ?? [];
    });
    return { all: page.length, page };
  }
  const kinds = new Set(query.kinds);
  const found = all.filter(
    ({ kind, campaignId }) => kinds.has(kind) && (query.campaignId === null || query.campaignId === campaignId),
  );
  return { all: found.length, page: found.slice(query.from, query.from + query.count) };
}

/** At most one for each row: of a row with sales too, the bid from its sales comes first in the list. */
function bidsOf(all: readonly Suggestion[], rows: readonly BulkRows[]): readonly Suggestion[] {
  const left = new Map<string, Set<number>>(rows.map(({ kind, ids }) => [kind, new Set(ids)]));
  return all.filter(
    ({ kind, type, id, field, effect }) =>
      (kind === 'bid' || kind === 'no-sale') &&
      field === 'bid' &&
      (effect === 'immediate' || effect === 'needs-review') &&
      id !== null &&
      left.get(type)?.delete(id) === true,
  );
}

/** Rows of other kinds have no bid. */
function withoutGoal(facts: SuggestionFacts, type: Kind, ids: Iterable<number>): readonly RowId[] {
  if (type !== 'keyword' && type !== 'adItem') return [];
  const wanted = new Set(ids);
  const { rows } = type === 'keyword' ? facts.keywords : facts.adItems;
  return rows.flatMap(({ id, campaign }) => {
    const goal = facts.campaigns[campaign]?.goal ?? null;
    return wanted.has(id) && (goal === null || goal.goal.is === 'none') ? [id] : [];
  });
}

const weekSpend = ({ campaigns }: SuggestionFacts): number =>
  campaigns.reduce(
    (sum, { series }) =>
      sum +
      series.spend
        .filter((value) => !Number.isNaN(value))
        .slice(-7)
        .reduce((all, value) => all + value, 0),
    0,
  );
