import type { SentRunView, TakeBack } from '../../../../shared/contract/take-back.ts';
import type { Command, Context } from '../command.ts';
import { EXIT, usageStop } from '../stop.ts';
import { counted } from '../table.ts';
import { cellWord, wordOf } from '../words.ts';
import { FOR_GOOD } from './plan-text.ts';

export const takeBackCommand: Command = {
  name: 'take-back',
  takes: '[RUN] [--stage] [--list]',
  summary:
    'Shows what would take the last sync back, or the sync RUN: earlier values, what is switched off, and what nothing takes back. --stage puts the earlier values into the drafts as one step; "adslate sync" then sends them. --list shows the syncs it knows.',
  options: { stage: { type: 'boolean' }, list: { type: 'boolean' } },
  positionals: { min: 0, max: 1 },
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const runs = await client.takeBack.runs({ workspaceId });
    if (context.flag('list')) return listRuns(context, runs);
    const runId = runOf(runs, context.positionals[0] ?? null);
    const preview = await client.takeBack.preview({ workspaceId, runId });
    show(context, preview);
    if (!context.flag('stage')) {
      if (preview.changes > 0)
        context.output.say('Nothing was changed. Add --stage to put these values into the drafts.');
      context.output.result(preview);
      return EXIT.done;
    }
    const { cells } = preview.changes === 0 ? { cells: 0 } : await client.takeBack.stage({ workspaceId, runId });
    context.output.say(`${counted(cells, 'value')} put back into the drafts. "adslate plan" shows what would be sent.`);
    context.output.result({ runId, cells, forGood: preview.forGood, changedSince: preview.changedSince });
    return EXIT.done;
  },
};

function listRuns({ output }: Context, runs: readonly SentRunView[]) {
  for (const { runId, at, elements } of runs) {
    output.say(`${new Date(at).toISOString()}  ${counted(elements, 'element')}  ${runId}`);
  }
  if (runs.length === 0) output.say('No sync has sent anything yet.');
  output.result({ runs: runs.map(({ runId, at, elements }) => ({ runId, at: new Date(at).toISOString(), elements })) });
  return EXIT.done;
}

/** A run may be named by the beginning of its id. */
function runOf(runs: readonly SentRunView[], named: string | null): string {
  const found = named === null ? runs.slice(0, 1) : runs.filter(({ runId }) => runId.startsWith(named));
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw usageStop(
      runs.length === 0
        ? 'No sync has sent anything yet.'
        : `There is no one sync "${named}". "adslate take-back --list" shows those it knows.`,
    );
  }
  return only.runId;
}

function show({ output }: Context, preview: TakeBack): void {
  const { firstChanges, firstForGood, firstChangedSince } = preview;
  for (const { kind, label, field, now, back } of firstChanges) {
    output.say(
      `back: ${wordOf(kind)} "${label}", ${field} ${cellWord(kind, field, now)} > ${cellWord(kind, field, back)}`,
    );
  }
  for (const { kind, label, field, now } of firstChangedSince) {
    output.say(`left: ${wordOf(kind)} "${label}", ${field} is ${cellWord(kind, field, now)} by now`);
  }
  for (const { kind, label, why } of firstForGood)
    output.say(`for good: ${wordOf(kind)} "${label}": ${FOR_GOOD[why] ?? why}`);
  output.say(
    `${counted(preview.changes, 'value')} can be put back, ${preview.changedSince} changed since, ${preview.forGood} for good.`,
  );
}
