import type { Outdated } from '../../../../shared/contract/outdated.ts';
import type { Unreadable } from '../../../../shared/contract/sync.ts';
import { CAMPAIGN_OPTION, campaignIdsOf } from '../campaigns.ts';
import type { Command, Context } from '../command.ts';
import { EXIT, usageStop } from '../stop.ts';
import { counted } from '../table.ts';
import { wordOf } from '../words.ts';

const HOURS_MAX = 8760;

export const refreshCommand: Command = {
  name: 'refresh',
  takes: '[--outdated HOURS | --campaign NAME]',
  summary:
    'Reads everything readable from the service and merges it; what you changed here stays. --outdated HOURS reads only campaigns that were not read for so long, with unsent changes, under review, with a video in work, or with the label "Keep fresh", and says first how many. --campaign NAME reads these.',
  options: { outdated: { type: 'string' }, ...CAMPAIGN_OPTION },
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const outdatedAfterHours = hoursOf(context);
    const campaignIds = await campaignIdsOf(context);
    if (outdatedAfterHours !== null && campaignIds !== null) {
      throw usageStop('Choose one: --outdated HOURS or --campaign NAME.');
    }
    const outdated =
      outdatedAfterHours === null ? null : await client.sync.outdated({ workspaceId, hours: outdatedAfterHours });
    if (outdated !== null) context.output.say(outdatedText(outdated));
    const read = await client.sync.refresh({ workspaceId, campaignIds, outdatedAfterHours });
    const { revision, gone, unreadable, notRead } = read;
    const summary = await client.workspace.summary({ workspaceId });
    const rows = Object.values(summary.rows).reduce((sum, count) => sum + count, 0);
    context.output.say(
      `Refreshed: ${counted(rows, 'row')}, ${summary.changed} changed here, ${counted(summary.conflicts, 'conflict')}.`,
    );
    for (const { kind, label, asked } of gone) {
      const next = asked
        ? '"adslate conflicts" lists it; "adslate resolve" creates it again (mine) or drops it here too (theirs)'
        : 'refresh again in two minutes or later; if it is still missing, it becomes a conflict that you settle';
      context.output.say(`gone: ${wordOf(kind)} "${label}" is no longer listed by the service: ${next}.`);
    }
    sayUnreadable(context, unreadable);
    for (const { call, label, status, message } of notRead) {
      context.output.say(
        `not read: "${label}": the service answered ${call} with status ${status}: ${message}. What is here of it stays as it was.`,
      );
    }
    const { changed, conflicts } = summary;
    context.output.result({
      revision,
      rows: summary.rows,
      changed,
      conflicts,
      gone: gone.map(({ kind, id, label, asked }) => ({ type: wordOf(kind), id, label, asked })),
      unreadable: unreadableJson(unreadable),
      notRead,
      ...(outdated && { outdated }),
    });
    if (conflicts > 0) return EXIT.needsUser;
    return gone.length + unreadable.length + notRead.length > 0 ? EXIT.refused : EXIT.done;
  },
};

/** One line for each value of the service that its field cannot have. */
export function sayUnreadable(context: Context, unreadable: readonly Unreadable[]): void {
  for (const { kind, label, field, value } of unreadable) {
    const what =
      field === null
        ? `a row of type ${wordOf(kind)} in "${label}" has no usable id: ${value}`
        : `${wordOf(kind)} "${label}" has ${value} as its ${field}`;
    context.output.say(`unreadable: ${what}. The row keeps its values here; the others were read.`);
  }
}

export const unreadableJson = (unreadable: readonly Unreadable[]) =>
  unreadable.map(({ kind, id, label, field, value }) => ({ type: wordOf(kind), id, label, field, value }));

function hoursOf(context: Context): number | null {
  const text = context.text('outdated');
  if (text === null) return null;
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : HOURS_MAX + 1;
  if (hours > HOURS_MAX) throw usageStop(`--outdated takes hours, a whole number from 0 to ${HOURS_MAX}.`);
  return hours;
}

function outdatedText({ campaigns, all, why }: Outdated): string {
  const reasons = [
    [why.old, 'not read for so long'],
    [why.touched, 'with unsent changes'],
    [why.inReview, 'under review'],
    [why.processing, 'with a video in work'],
    [why.keptFresh, 'kept fresh'],
  ] as const;
  const said = reasons.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return `${campaigns} of ${counted(all, 'campaign')} may be out of date${said.length === 0 ? '' : `: ${said.join(', ')}`}.`;
}
