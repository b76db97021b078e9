import { CHANGES_MAX, WINDOW_MAX } from '../../../../shared/api/limits.ts';
import type { ListedSuggestion } from '../../../../shared/api/suggestions.ts';
import { formatDecimal, parseDecimal } from '../../../../shared/model/decimal.ts';
import { roasOfAcos, type ScopedGoal } from '../../../../shared/suggestions/goals.ts';
import { type DropReason, SUGGESTION_KINDS, type SuggestionKind } from '../../../../shared/suggestions/suggestion.ts';
import { usageError } from '../cli-error.ts';
import { type Client, type Command, type Context, readPages } from '../command.ts';
import { counted, rowRefText, wordOf } from '../output.ts';

type Goal = ScopedGoal['goal'];

const suggestCommand: Command = {
  name: 'suggest',
  purpose: 'Lists what the metrics suggest, with the reason for each suggestion.',
  parameters: {
    '--goal GOAL': 'Goal to use instead of the saved ones: roas=4, acos=25 (percent) or hold.',
    '--kind KIND': 'Lists one kind only, such as bid, no-sale, harvest or alert.',
    '--apply': 'Puts the suggestions into the rows as one undoable step. Nothing is sent.',
  },
  example: 'adslate suggest --goal roas=4 --kind bid',
  run: async (context) => {
    const { output } = context;
    const goal = goalOf(context.text('goal'));
    const kinds = kindsOf(context.text('kind'));
    const { client, workspaceId } = await context.atAccount();
    const { suggestions, dropped, hasGoal, reducedTo } = await readPages('suggestions', (from) =>
      client.suggestions.list({ workspaceId, kinds, goal, from, count: WINDOW_MAX }),
    );
    if (!hasGoal) output.say('No target is set. Add --goal roas=4, or set a target in the app.');
    if (reducedTo !== null) output.say(`Days up to ${reducedTo} are kept as months only. Suggestions do not use them.`);
    output.table(
      ['Kind', 'Campaign', 'Row', 'Field', 'Now', 'Suggested', 'Evidence', 'Reason'],
      suggestions.map((one) => [
        one.kind,
        one.campaign,
        one.label,
        one.field ?? '',
        cellText(one.current),
        cellText(one.suggested),
        one.evidence,
        one.reason,
      ]),
      'No suggestions.',
    );
    const applied = context.flag('apply') ? await apply(client, { workspaceId, goal }, suggestions) : null;
    const left = applied === null ? dropped : sumOf([...dropped, ...applied.dropped]);
    if (left.length > 0)
      output.say(
        `Rows without a suggestion: ${left.map(({ reason, count }) => `${reason.replaceAll('-', ' ')} ${count}`).join(', ')}.`,
      );
    if (applied !== null) output.say(`${counted(applied.accepted, 'suggestion')} accepted. Nothing was sent.`);
    output.result({
      suggestions: suggestions.map(({ kind, type, id, label, campaign, field, current, suggested, ...rest }) => ({
        kind,
        type: wordOf(type),
        row: id === null ? null : rowRefText(type, id),
        label,
        campaign,
        field,
        current: units(current),
        suggested: units(suggested),
        evidence: rest.evidence,
        low: units(rest.low),
        high: units(rest.high),
        reason: rest.reason,
        numbers: rest.numbers,
      })),
      dropped: left,
      ...(applied === null ? {} : { accepted: applied.accepted }),
    });
  },
};

const paceCommand: Command = {
  name: 'pace',
  purpose: "Shows where the month's plans end if spend goes on as in the last 14 days.",
  example: 'adslate pace',
  run: async (context) => {
    const { output } = context;
    const { client, workspaceId } = await context.atAccount();
    const { today, plans } = await client.suggestions.pace({ workspaceId });
    output.table(
      ['Plan', 'Name', 'Reason'],
      plans.map(({ scope, label, reason }) => [scope.of, label, reason]),
      'No monthly plan is set.',
    );
    output.result({
      today,
      plans: plans.map(({ scope, label, reason, daysLeft, ...amounts }) => ({
        scope: scope.of,
        name: label,
        ...Object.fromEntries(Object.entries(amounts).map(([name, cents]) => [name, units(cents)])),
        daysLeft,
        reason,
      })),
    });
  },
};

export const suggestCommands: readonly Command[] = [suggestCommand, paceCommand];

type Asked = { readonly workspaceId: Awaited<ReturnType<Context['workspaceId']>>; readonly goal: Goal | null };

interface Left {
  readonly reason: DropReason;
  readonly count: number;
}

/** Suggestions that change nothing are skipped. */
async function apply(client: Client, asked: Asked, suggestions: readonly ListedSuggestion[]) {
  const keys = suggestions.filter(({ effect }) => effect !== 'advice').map(({ key }) => key);
  if (keys.length === 0) return { accepted: 0, dropped: [] };
  if (keys.length > CHANGES_MAX)
    throw usageError(`${counted(keys.length, 'suggestion')} are too many for one step. Use --kind to choose fewer.`);
  const { accepted, dropped } = await client.suggestions.accept({ ...asked, keys });
  return { accepted, dropped };
}

function sumOf(all: readonly Left[]): readonly Left[] {
  const counts = new Map<DropReason, number>();
  for (const { reason, count } of all) counts.set(reason, (counts.get(reason) ?? 0) + count);
  return Array.from(counts, ([reason, count]) => ({ reason, count })).toSorted((a, b) =>
    a.reason < b.reason ? -1 : 1,
  );
}

const BAD_GOAL = 'Use roas=4, acos=25 or hold.';

function goalOf(text: string | null): Goal | null {
  if (text === null) return null;
  if (text === 'hold') return { is: 'hold', perDay: null };
  const [name, value = ''] = text.split('=');
  const parsed = parseDecimal(value, 2);
  const hundredths = parsed.ok ? parsed.value.units : 0;
  const target = name === 'roas' ? hundredths : name === 'acos' && hundredths > 0 ? roasOfAcos(hundredths) : 0;
  if (target < 10 || target > 100_000) throw usageError(`--goal "${text}" is not a goal. ${BAD_GOAL}`);
  return { is: 'roas', target };
}

function kindsOf(text: string | null): SuggestionKind[] {
  if (text === null) return [...SUGGESTION_KINDS];
  const kind = SUGGESTION_KINDS.find((each) => each === text);
  if (kind === undefined) {
    throw usageError(`--kind "${text}" is not a kind of suggestion. Use ${SUGGESTION_KINDS.join(', ')}.`);
  }
  return [kind];
}

/** Amounts in currency units with two decimals; words as they are. */
const units = (cell: number | string | null): number | string | null =>
  typeof cell === 'number' ? Math.round(cell) / 100 : cell;
const cellText = (cell: number | string | null): string =>
  typeof cell === 'number' ? formatDecimal(cell, 2) : (cell ?? '');
