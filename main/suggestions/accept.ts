import type { RowRef } from '../../shared/api/scalars.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { HarvestNumbers } from '../../shared/suggestions/harvest.ts';
import { type DropReason, explain, type Suggestion } from '../../shared/suggestions/suggestion.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import type { CellUpdate, CreateRow, EditBatch, EditOutcome, EditProblem, NotWritable } from '../store/types.ts';
import type { SuggestionAnswer } from './suggestion-queries.ts';

export interface Accepted {
  /** Null if nothing was left to change. */
  readonly outcome: EditOutcome | null;
  readonly accepted: number;
  /** The expected change of weekly spend, in cents. */
  readonly move: number;
  readonly dropped: ReadonlyMap<DropReason, number>;
}

export interface AcceptOptions {
  readonly keys: number;
  readonly answer: SuggestionAnswer;
  /** The expected change of weekly spend by recently accepted suggestions, in cents. */
  readonly moved: number;
  readonly isLifted: boolean;
}

/** Applies suggestions as one edit, with the same command as typing. */
export async function acceptSuggestions(
  { workspace }: Pick<ActiveAccount, 'workspace'>,
  { keys, answer, moved, isLifted }: AcceptOptions,
): Promise<Result<Accepted, EditProblem | NotWritable>> {
  const dropped = new Map<DropReason, number>();
  const drop = (reason: DropReason, count = 1): void => {
    if (count > 0) dropped.set(reason, (dropped.get(reason) ?? 0) + count);
  };
  drop('gone', keys - answer.suggestions.length);
  const edits = answer.suggestions.filter(isEdit);
  drop('not-possible', answer.suggestions.length - edits.length);
  const { kept, left } = isLifted ? { kept: edits, left: [] } : withinCap(edits, answer.weekSpend, moved);
  drop('account-cap', left.length);
  const updates = kept.flatMap(updateOf);
  const errors = new Set(await workspace.errorsAfter(updates.map(({ update }) => update)));
  drop('issue', errors.size);
  const good = updates.filter((_, at) => !errors.has(at));
  const creates: CreateRow[] = [];
  for (const suggestion of kept) creates.push(...(await createOf(workspace, suggestion)));
  const accepted = good.length + creates.length;
  if (accepted === 0) return ok({ outcome: null, accepted, move: 0, dropped });
  const batch: EditBatch = {
    label: accepted === 1 ? 'Accept suggestion' : `Accept ${accepted.toLocaleString('en-US')} suggestions`,
    source: 'suggestion',
    creates,
    updates: good.map(({ update }) => update),
    reasons: good.map(({ update: { kind, id }, suggestion }) => ({
      kind,
      id,
      reason: explain(suggestion).summary,
      numbers: suggestion.numbers,
    })),
  };
  const applied = await workspace.apply(batch);
  if (!applied.ok) return applied;
  const move = good.reduce((sum, { suggestion }) => sum + suggestion.move, 0);
  return ok({ outcome: applied.value, accepted, move, dropped });
}

/** Suggestions accepted within a week may change spend by at most this share. */
const CAP = 0.2;

/**
 * Drops suggestions until the accepted ones change the week's spend by a fifth at most. Of those that add to the
 * change, the ones with the least evidence are dropped first.
 *
 * @param moved the expected change of weekly spend by recently accepted suggestions, in cents
 */
function withinCap(
  all: readonly Suggestion[],
  weekSpend: number,
  moved: number,
): { readonly kept: readonly Suggestion[]; readonly left: readonly Suggestion[] } {
  const limit = CAP * weekSpend;
  let sum = all.reduce((total, { move }) => total + move, moved);
  if (Math.abs(sum) <= limit) return { kept: all, left: [] };
  const direction = Math.sign(sum);
  const left = new Set<Suggestion>();
  const order = all
    .filter(({ move }) => Math.sign(move) === direction)
    .toSorted((a, b) => a.weight - b.weight || (a.id ?? 0) - (b.id ?? 0));
  for (const suggestion of order) {
    if (Math.abs(sum) <= limit || Math.sign(sum) !== direction) break;
    left.add(suggestion);
    sum -= suggestion.move;
  }
  return { kept: all.filter((one) => !left.has(one)), left: all.filter((one) => left.has(one)) };
}

const isEdit = ({ effect, field, kind }: Suggestion): boolean =>
  (effect === 'immediate' || effect === 'needs-review') && (field !== null || kind === 'harvest');

interface Update {
  readonly suggestion: Suggestion;
  readonly update: CellUpdate;
}

function updateOf(suggestion: Suggestion): readonly Update[] {
  const { type: kind, id, field, suggested } = suggestion;
  return id === null || field === null ? [] : [{ suggestion, update: { kind, id, field, value: suggested as Cell } }];
}

/** New rows: a keyword with a narrower match type or in another campaign, or a missing multiplier of the campaign. */
async function createOf(
  workspace: Pick<ActiveAccount['workspace'], 'readRow'>,
  suggestion: Suggestion,
): Promise<readonly CreateRow[]> {
  const { kind, type, id, campaignId, label, suggested } = suggestion;
  if (kind === 'harvest' && id !== null) {
    const ref: RowRef = { kind: 'keyword', id };
    const row = await workspace.readRow(ref);
    if (row?.kind !== 'keyword' || row.adGroupId === null) return [];
    const { matchType, bid, into }: HarvestNumbers = suggestion.numbers;
    return [
      { kind: 'keyword', parent: { id: into ?? row.adGroupId }, values: { text: row.values.text, matchType, bid } },
    ];
  }
  if (kind !== 'multiplier' || id !== null || campaignId === null) return [];
  const place = type === 'platformMultiplier' ? 'platform' : 'placement';
  return [
    { kind: type, parent: { id: asRowId(campaignId) }, values: { [place]: label, multiplier: suggested as Cell } },
  ];
}
