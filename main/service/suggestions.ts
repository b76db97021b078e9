import { CHANGES_MAX } from '../../shared/api/limits.ts';
import type { ListedSuggestion, PlanPace } from '../../shared/api/suggestions.ts';
import { formatDecimal } from '../../shared/model/decimal.ts';
import { fieldLabel } from '../../shared/model/fields.ts';
import type { PlainDate, RowId } from '../../shared/model/scalars.ts';
import { fail, ok } from '../../shared/result.ts';
import { guardCell } from '../../shared/spreadsheet/cell-guard.ts';
import { explainPacing } from '../../shared/suggestions/pacing.ts';
import {
  explain,
  numbersInUnits,
  SUGGESTION_KINDS,
  type Suggestion,
  suggestionKey,
} from '../../shared/suggestions/suggestion.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import { dayNumber } from '../cube/read-file-days.ts';
import { writeSheet } from '../files/spreadsheet/csv.ts';
import { slices } from '../store/bulk/bulk-rows.ts';
import { acceptSuggestions } from '../suggestions/accept.ts';
import { askSuggestions, countBids } from '../suggestions/setup.ts';
import { createSuggestionSettings } from '../suggestions/suggestion-settings.ts';
import type { MainOperations, RouterContext } from './router.ts';
import type { Task } from './tasks.ts';

/** Maximum number of rows in a list of instructions. */
const INSTRUCTIONS_MAX = 100_000;
const ALL = { is: 'page', kinds: SUGGESTION_KINDS, campaignId: null, from: 0, count: INSTRUCTIONS_MAX } as const;

/** Suggestions from metrics. Nothing is changed or sent before the user accepts one. */
export const suggestionOperations = ({ exports }: RouterContext): Pick<MainOperations, 'suggestions'> => ({
  suggestions: {
    list: async ({ account }, { kinds, campaignId, from, count, goal }) => {
      const answer = await askSuggestions(account, { is: 'page', kinds, campaignId, from, count }, goal);
      const { whatIf } = answer;
      return ok({
        version: answer.version,
        total: answer.total,
        kinds: [...answer.kinds],
        suggestions: listed(answer),
        dropped: [...answer.dropped],
        whatIf:
          whatIf === null
            ? null
            : {
                rows: whatIf.rows,
                spend: whatIf.spend,
                newSpend: whatIf.newSpend,
                sales: whatIf.sales,
                newSales: whatIf.newSales,
                low: whatIf.low,
                high: whatIf.high,
              },
        hasGoal: answer.setup.goals.some((one) => one.goal.is !== 'none'),
        reducedTo: answer.reducedTo,
      });
    },
    explain: async ({ account }, { key }) => {
      const answer = await askSuggestions(account, { is: 'keys', keys: [key] });
      const [found] = answer.suggestions;
      const [suggestion = null] = listed(answer);
      return ok({ suggestion, steps: found === undefined ? [] : [...explain(found).steps] });
    },
    ofRows: async ({ account }, { kind, ids }) => {
      const answer = await askSuggestions(account, { is: 'rows', type: kind, ids });
      const without = new Set<RowId>(answer.withoutGoal);
      const byId = new Map(listed(answer).map((suggestion) => [suggestion.id, suggestion]));
      return ok({
        version: answer.version,
        rows: ids.map((id) => ({ id, hasGoal: !without.has(id), suggestion: byId.get(id) ?? null })),
      });
    },
    accept: async ({ account }, { keys, lifted, goal }) =>
      accept(account, await askSuggestions(account, { is: 'keys', keys }, goal), {
        keys: keys.length,
        isLifted: lifted,
        isStoredGoal: goal === null,
        task: null,
      }),
    countBids: async ({ account }, { scope }) => {
      const rows = await account.workspace.scopeRows(scope);
      return rows.ok ? ok(await countBids(account, rows.value)) : rows;
    },
    acceptBids: async ({ account, task }, { scope }) => {
      const rows = await account.workspace.scopeRows(scope);
      if (!rows.ok) return rows;
      const { bids } = await countBids(account, rows.value);
      if (bids > CHANGES_MAX) return fail('BAD_TOOL', { at: 0, problem: tooManyText(bids) });
      // In parts: one answer with all of them would take seconds to arrive, and other calls would wait for it.
      const parts: Awaited<ReturnType<typeof askSuggestions>>[] = [];
      for (const part of slices(rows.value)) {
        task?.signal.throwIfAborted();
        parts.push(await askSuggestions(account, { is: 'bids', rows: [part] }));
      }
      const last = parts.at(-1) ?? (await askSuggestions(account, { is: 'bids', rows: [] }));
      const suggestions = parts.flatMap((part) => part.suggestions);
      const options = { keys: suggestions.length, isLifted: false, isStoredGoal: true, task };
      return accept(account, { ...last, suggestions }, options);
    },
    dismiss: async ({ account }, { keys, undo }) => {
      const settings = createSuggestionSettings(account.workspace);
      if (undo) {
        await settings.undoDismiss(keys);
        return ok({ dismissed: 0, forgotten: 0 });
      }
      const { suggestions, setup } = await askSuggestions(account, { is: 'keys', keys });
      const today = dayNumber(setup.today);
      const added = suggestions.map((one) => ({ key: suggestionKey(one), day: today, weight: one.weight }));
      return ok({ dismissed: added.length, forgotten: await settings.dismiss(added, today) });
    },
    csv: async ({ account }, { workspaceId }) => {
      const answer = await askSuggestions(account, ALL);
      const rows = listed(answer).filter(({ effect }) => effect === 'not-possible');
      const head = ['Campaign', 'Row', 'Field', 'Now', 'Suggested', 'Reason'];
      const lines = rows.map(({ campaign, label, field, current, suggested, reason }) => [
        guardCell(campaign),
        guardCell(label),
        fieldLabel(field ?? ''),
        amount(current),
        amount(suggested),
        reason,
      ]);
      const file = { contentType: 'text/csv; charset=utf-8', fileName: 'suggestions-to-carry-over.csv', workspaceId };
      return exports.save(file, writeSheet([head, ...lines]), lines.length);
    },
    goals: async ({ account }) => {
      const settings = createSuggestionSettings(account.workspace);
      return ok({ goals: [...(await settings.goals())], plans: [...(await settings.plans())] });
    },
    setGoal: async ({ account }, { scope, goal, plan }) => {
      const settings = createSuggestionSettings(account.workspace);
      const set = goal === undefined ? ok(null) : await settings.setGoal(scope, goal);
      if (!set.ok) return set;
      if (goal?.is === 'hold' && goal.perDay === null) {
        await settings.holdAt((await askSuggestions(account, { ...ALL, count: 0 })).held);
      }
      const planned = plan === undefined ? ok(null) : await settings.setPlan(scope, plan);
      return planned.ok ? ok({}) : planned;
    },
    pace: async ({ account }) => {
      const answer = await askSuggestions(account, { ...ALL, count: 0 });
      const plans = answer.paced.map(({ plan: { scope, label }, numbers }): PlanPace => {
        const { plan, spent, due, projected, low, high, daysLeft, wantedBudget, dailyBudget, suggested } = numbers;
        const reason = explainPacing(numbers).summary;
        const pace = { plan, spent, due, projected, low, high, daysLeft, wantedBudget, dailyBudget, suggested };
        return { scope, label, ...pace, reason };
      });
      return ok({ today: answer.setup.today satisfies PlainDate, plans });
    },
  },
});

const tooManyText = (bids: number): string =>
  `${bids.toLocaleString('en-US')} bids are too many for one step. Select fewer rows.`;

interface Accepting {
  /** The number of requested suggestions. */
  readonly keys: number;
  readonly isLifted: boolean;
  /** Whether they follow from the stored goals; held spend without an amount then gets it. */
  readonly isStoredGoal: boolean;
  readonly task: Task | null;
}

async function accept(
  account: ActiveAccount,
  answer: Awaited<ReturnType<typeof askSuggestions>>,
  { keys, isLifted, isStoredGoal, task }: Accepting,
) {
  const settings = createSuggestionSettings(account.workspace);
  const today = dayNumber(answer.setup.today);
  const moved = await settings.movedLately(today);
  const done = await acceptSuggestions(account, { keys, answer, moved, isLifted, task });
  if (!done.ok) return done;
  const { outcome, accepted, move, dropped } = done.value;
  if (outcome !== null) {
    await settings.noteAccepted(move, today);
    if (isStoredGoal) await settings.holdAt(answer.held);
  }
  const { revision, rows, reread } = outcome ?? { ...(await account.workspace.summary()), rows: [], reread: [] };
  const left = Array.from(dropped, ([reason, count]) => ({ reason, count }));
  return ok({ revision, rows, reread, accepted, dropped: left.toSorted((a, b) => (a.reason < b.reason ? -1 : 1)) });
}

const amount = (cell: ListedSuggestion['current']): string =>
  typeof cell === 'number' ? formatDecimal(cell, 2) : (cell ?? '');

const listed = ({
  suggestions,
  campaigns,
}: {
  readonly suggestions: readonly Suggestion[];
  readonly campaigns: ReadonlyMap<RowId, string>;
}): ListedSuggestion[] =>
  suggestions.map((suggestion) => {
    const { move: _move, weight: _weight, ...shown } = suggestion;
    return {
      ...shown,
      key: suggestionKey(suggestion),
      campaign: shown.campaignId === null ? '' : (campaigns.get(shown.campaignId) ?? ''),
      reason: explain(suggestion).summary,
      numbers: numbersInUnits(suggestion),
    };
  });
