import type { RowRef } from '../../shared/api/scalars.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { asRowId } from '../../shared/model/scalars.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { HarvestNumbers } from '../../shared/suggestions/harvest.ts';
import { type DropReason, explain, type Suggestion } from '../../shared/suggestions/suggestion.ts';
import { runInSlices } from '../app/long-task.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import type { TaskOptions } from '../store/bulk/task-flags.ts';
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
  /** For many suggestions: progress by checked rows, and an end before they are written. */
  readonly task?: TaskOptions | null;
}

/** Applies suggestions as one edit, with the same command as typing. */
export async function acceptSuggestions(
  { workspace }: Pick<ActiveAccount, 'workspace'>,
  { keys, answer, moved, isLifted, task = null }: AcceptOptions,
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
  const { good, reasons } = await explained(workspace, updates, task);
  drop('issue', updates.length - good.length);
  const creates: CreateRow[] = [];
  for (const suggestion of kept) creates.push(...(await createOf(workspace, suggestion)));
  const accepted = good.length + creates.length;
  if (accepted === 0) return ok({ outcome: null, accepted, move: 0, dropped });
  const batch: EditBatch = {
    label: accepted === 1 ? 'Accept suggestion' : `Accept ${accepted.toLocaleString('en-US')} suggestions`,
    source: 'suggestion',
    creates,
    updates: good.map(({ update }) => update),
    reasons,
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

type Reasons = EditBatch['reasons'] & {};

function updateOf(suggestion: Suggestion): readonly Update[] {
  const { type: kind, id, field, suggested } = suggestion;
  return id === null || field === null ? [] : [{ suggestion, update: { kind, id, field, value: suggested as Cell } }];
}

/** Updates checked at once: a tenth of a second of work, so that windows need not wait for it. */
const CHECKED_AT_ONCE = 500;

/**
 * Checks updates and writes their reasons. Each campaign is checked as a whole, with all of its updates. For many
 * updates this takes most of the time, so other calls are answered in between.
 *
 * @returns the updates that cause no new error, with their reasons
 */
async function explained(
  workspace: Pick<ActiveAccount['workspace'], 'errorsAfter'>,
  updates: readonly Update[],
  task: TaskOptions | null,
): Promise<{ readonly good: readonly Update[]; readonly reasons: Reasons }> {
  const good: Update[] = [];
  const reasons: Reasons[number][] = [];
  let part: Update[] = [];
  let done = 0;
  const close = async (): Promise<void> => {
    task?.signal?.throwIfAborted();
    const bad = new Set(await workspace.errorsAfter(part.map(({ update }) => update)));
    const kept = part.filter((_, at) => !bad.has(at));
    await runInSlices(explaining(kept, reasons));
    for (const one of kept) good.push(one);
    done += part.length;
    task?.onProgress?.(done, updates.length);
    part = [];
  };
  for (const own of Map.groupBy(updates, ({ suggestion }) => suggestion.campaignId).values()) {
    for (const one of own) part.push(one);
    if (part.length >= CHECKED_AT_ONCE) await close();
  }
  if (part.length > 0) await close();
  task?.signal?.throwIfAborted();
  return { good, reasons };
}

function* explaining(kept: readonly Update[], into: Reasons[number][]): Generator<void, void> {
  for (const { update, suggestion } of kept) {
    const { kind, id } = update;
    into.push({ kind, id, reason: explain(suggestion).summary, numbers: suggestion.numbers });
    yield;
  }
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
