import { RESOLVE_MAX } from '../../../../shared/api/limits.ts';
import type { Conflict, ConflictChoice } from '../../../../shared/api/sync.ts';
import { COLLEAGUE, readPolicy } from '../../../../shared/merge/merge.ts';
import { fieldLabel } from '../../../../shared/model/fields.ts';
import { CliError, EXIT_CODE, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { counted, formatCellValue, parseRowType, rowRefText, wordOf } from '../output.ts';

const CHOSEN = {
  '--type TYPE': 'Only rows of this type, such as keyword or "ad item".',
  '--field FIELD': 'Only this field, such as bid.',
};

const listCommand: Command = {
  name: 'conflicts',
  purpose: 'Lists fields that changed here and on the service, and rows deleted there.',
  parameters: CHOSEN,
  example: 'adslate conflicts --type keyword',
  run: async (context) => {
    const open = await openConflicts(context);
    const count = `${counted(open.length, 'conflict')}. Run "adslate resolve mine|theirs ID...".`;
    context.output.say([...open.map(lineOf), open.length === 0 ? 'No conflicts.' : count]);
    context.output.result({ conflicts: open.map(conflictJson) });
    return open.length > 0 ? EXIT_CODE.needsUser : EXIT_CODE.done;
  },
};

const resolveCommand: Command = {
  name: 'resolve',
  takes: 'mine|theirs ID... | mine|theirs --all | --policy RULES',
  purpose: 'Resolves conflicts with your value or the service value.',
  parameters: {
    mine: 'Keeps your value. The next sync sends it.',
    theirs: 'Uses the service value.',
    ID: 'A field (ad-item/12/bid) or a row (ad-item/12), from "conflicts".',
    '--all': 'Resolves every conflict that --type and --field select.',
    '--policy RULES': 'Decides by field: mine, theirs or ask. gone: deleted rows; other: the rest.',
    '--save': 'Saves the policy for this account. Each refresh and sync then uses it.',
    ...CHOSEN,
  },
  example: 'adslate resolve --policy bid=mine,dailyBudget=theirs,gone=ask,other=mine',
  positionals: [0, 1000],
  run: async (context) => {
    const decide = decisionOf(context);
    const open = await openConflicts(context);
    const choices = decide(open);
    const settled = await settle(context, choices);
    const { client, workspaceId } = await context.atAccount();
    if (context.flag('save')) await client.conflictPolicy.set({ workspaceId, text: context.text('policy') ?? '' });
    const left = (await client.sync.conflicts({ workspaceId })).length;
    context.output.say(
      `${counted(settled, 'conflict')} resolved, ${left} open.${settled > 0 ? ' Run "adslate sync" to send your changes.' : ''}`,
    );
    context.output.result({ settled, open: left });
    return left > 0 ? EXIT_CODE.needsUser : EXIT_CODE.done;
  },
};

/** The decision in the arguments, checked before anything is read. */
function decisionOf(context: Context): (open: readonly Conflict[]) => readonly ConflictChoice[] {
  const [side, ...ids] = context.positionals;
  const policyText = context.text('policy');
  if (context.flag('save') && policyText === null)
    throw usageError('--save needs a policy. Run "adslate resolve --policy RULES --save".');
  if (policyText !== null) {
    if (side !== undefined || context.flag('all'))
      throw usageError("--policy can't be combined with mine, theirs or --all. Remove them, or remove --policy.");
    const policy = policyOf(policyText);
    return (open) =>
      open.flatMap((one) => {
        const take = policy(one);
        return take === null ? [] : [choice(one, take)];
      });
  }
  if (side !== 'mine' && side !== 'theirs')
    throw usageError('Run "adslate resolve mine|theirs ID..." or "adslate resolve --policy RULES".');
  if (context.flag('all') === ids.length > 0) throw usageError('Add the IDs of the conflicts, or add --all.');
  if (ids.length === 0) return (open) => open.map((one) => choice(one, side));
  const wanted = ids.map(readId);
  return (open) => wanted.flatMap((id) => named(open, id).map((one) => choice(one, side)));
}

const choice = ({ ref, field, against }: Conflict, take: ConflictChoice['take']): ConflictChoice => ({
  ref,
  field,
  against,
  take,
});

interface ConflictId {
  readonly text: string;
  readonly row: string;
  /** Null for every conflict of the row. */
  readonly field: string | null;
}

/** `ad-item/12/bid`, as the list shows it, or `ad-item/12`. */
function readId(text: string): ConflictId {
  const [type = '', row = '', field = null, more] = text.split('/');
  if (!/^\d{1,15}$/.test(row) || more !== undefined) {
    throw usageError(`"${text}" is not a conflict. Run "adslate conflicts" to list their IDs, such as ad-item/12/bid.`);
  }
  return { text, row: `${parseRowType(type, 'The type of a conflict')}/${Number(row)}`, field };
}

function named(open: readonly Conflict[], { text, row, field }: ConflictId): readonly Conflict[] {
  const found = open.filter(
    (one) =>
      `${one.ref.kind}/${one.ref.id}` === row && (field === null || one.field?.toLowerCase() === field.toLowerCase()),
  );
  if (found.length > 0) return found;
  throw new CliError(
    EXIT_CODE.usage,
    'NO_CONFLICT',
    `Open conflict ${text} not found. Run "adslate conflicts" to list them.`,
  );
}

async function openConflicts(context: Context): Promise<readonly Conflict[]> {
  const type = context.text('type');
  const kind = type === null ? null : parseRowType(type);
  const field = context.text('field')?.toLowerCase() ?? null;
  const { client, workspaceId } = await context.atAccount();
  const open = await client.sync.conflicts({ workspaceId });
  return open.filter(
    (one) => (kind === null || one.ref.kind === kind) && (field === null || one.field?.toLowerCase() === field),
  );
}

async function settle(context: Context, choices: readonly ConflictChoice[]): Promise<number> {
  const { client, workspaceId } = await context.atAccount();
  let settled = 0;
  for (let from = 0; from < choices.length; from += RESOLVE_MAX) {
    settled += (await client.sync.resolve({ workspaceId, choices: choices.slice(from, from + RESOLVE_MAX) })).settled;
  }
  return settled;
}

const idOf = ({ ref, field }: Conflict): string =>
  `${rowRefText(ref.kind, ref.id)}${field === null ? '' : `/${field}`}`;

function lineOf(conflict: Conflict): string {
  const { ref, label, field, base, mine, theirs, by } = conflict;
  const what = `${idOf(conflict)}  ${wordOf(ref.kind)} "${label}"`;
  if (field === null) {
    if (by === undefined)
      return `${what} was deleted on the service: mine creates it again, theirs deletes it here too`;
    return mine === null
      ? `${what} was deleted here and changed by ${by}: mine keeps it deleted, theirs restores it`
      : `${what} was deleted by ${by} and changed here: mine keeps it, theirs deletes it here too`;
  }
  const text = (value: string | number | null): string => formatCellValue(ref.kind, field, value);
  const other = by === undefined ? 'theirs' : `theirs (${by})`;
  return `${what}, ${fieldLabel(field, ref.kind)}: was ${text(base)}, mine ${text(mine)}, ${other} ${text(theirs)}`;
}

const conflictJson = (conflict: Conflict) => ({
  id: idOf(conflict),
  type: wordOf(conflict.ref.kind),
  label: conflict.label,
  field: conflict.field,
  base: conflict.base,
  mine: conflict.mine,
  theirs: conflict.theirs,
  by: conflict.by ?? null,
  readAt: new Date(conflict.at).toISOString(),
});

/** The side to keep for a conflict; null leaves it unresolved. */
type Policy = (conflict: Conflict) => ConflictChoice['take'] | null;

/** The policy of `--policy`; conflicts that it does not cover stay unresolved. */
function policyOf(text: string): Policy {
  const read = text.trim() === '' ? null : readPolicy(text);
  if (read === null || !read.ok) {
    const part = read === null ? '' : read.error.part;
    throw usageError(
      `"${part}" is not a rule. Enter, for example, --policy bid=mine,dailyBudget=theirs,gone=ask,other=mine.`,
    );
  }
  return ({ field, against }) => read.value(against === 'team' ? COLLEAGUE : field)?.take ?? null;
}

const questionsCommand: Command = {
  name: 'questions',
  purpose: 'Lists unresolved requests: rows that were sent, but may not exist.',
  example: 'adslate questions',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const questions = await client.sync.questions({ workspaceId });
    for (const question of questions) {
      context.output.say(
        `${question.id}  ${wordOf(question.kind)} ${question.what}, sent ${new Date(question.sentAt).toISOString()}. Run "adslate answer ${question.id} exists=ID|absent|later".`,
      );
    }
    if (questions.length === 0) context.output.say('No unresolved requests.');
    context.output.result({
      questions: questions.map(({ id, kind, what, sentAt, answers, absentFrom, correlationId }) => ({
        id,
        kind: wordOf(kind),
        what,
        sentAt: new Date(sentAt).toISOString(),
        answers,
        absentFrom: new Date(absentFrom).toISOString(),
        correlationId,
      })),
    });
    return questions.length > 0 ? EXIT_CODE.needsUser : EXIT_CODE.done;
  },
};

const answerCommand: Command = {
  name: 'answer',
  takes: 'ID exists=REMOTE_ID|absent|later',
  purpose: 'Resolves a request: the row exists, does not exist, or is decided later.',
  parameters: {
    ID: 'Number of the request, from "questions".',
    'exists=REMOTE_ID': 'The row is on the service with this ID.',
    absent: 'The row is not on the service. The next sync creates it.',
    later: 'Keeps the request open.',
  },
  example: 'adslate answer 3 exists=904100200301',
  positionals: [2, 2],
  run: async (context) => {
    const [number = '', words = ''] = context.positionals;
    const questionId = Number(number);
    const exists = /^exists=(\d{1,19})$/.exec(words)?.[1];
    const answer = exists !== undefined ? { exists } : words === 'absent' || words === 'later' ? words : null;
    if (!Number.isInteger(questionId) || answer === null) {
      throw usageError('Run "adslate answer ID exists=REMOTE_ID", or use absent or later instead of exists=REMOTE_ID.');
    }
    const { client, workspaceId } = await context.atAccount();
    const { open } = await client.sync.answer({ workspaceId, questionId, answer });
    context.output.say(`Resolved. ${counted(open, 'unresolved request')} left.`);
    context.output.result({ open });
    return open > 0 ? EXIT_CODE.needsUser : EXIT_CODE.done;
  },
};

export const conflictCommands: readonly Command[] = [listCommand, resolveCommand, questionsCommand, answerCommand];
