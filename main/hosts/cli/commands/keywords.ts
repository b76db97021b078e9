import { EXIT_CODE, usageError } from '../cli-error.ts';
import type { Command } from '../command.ts';
import { counted, formatCellValue } from '../output.ts';
import { campaignIdsOf } from './plan.ts';

/** Lines for people; `--json` has all. */
const SHOWN = 50;

const overlapCommand: Command = {
  name: 'keywords overlap',
  purpose: 'Lists campaigns that have the same enabled keyword with the same match type.',
  parameters: { '--campaign NAME': 'Two campaigns, separated by a comma: lists the keywords that both have.' },
  example: 'adslate keywords overlap --campaign "Spring sale,Summer sale"',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const ids = await campaignIdsOf(context);
    const { output } = context;
    if (ids !== null) {
      const [one, other] = ids;
      if (one === undefined || other === undefined || ids.length > 2)
        throw usageError('--campaign needs two campaigns here, separated by a comma.');
      const { keywords, more } = await client.views.sharedKeywords({ workspaceId, campaignIds: [one, other] });
      output.say(keywords.map(({ text, matchType }) => `${text}  ${matchType}`));
      output.say(`${counted(keywords.length + more, 'shared keyword')}.`);
      const shared = keywords.map(({ text, matchType, rows }) => ({
        text,
        matchType,
        bids: rows.map(({ bid }) => bid),
      }));
      output.result({ keywords: shared, more });
      return EXIT_CODE.done;
    }
    const { shown, pairs, keywords, campaigns, distinctMax } = await client.views.keywordOverlap({ workspaceId });
    const list = pairs
      .flatMap((low, at) =>
        at % 3 === 0 ? [{ one: shown[low], other: shown[pairs[at + 1] ?? 0], count: pairs[at + 2] ?? 0 }] : [],
      )
      .map(({ one, other, count }) => ({ campaigns: [one?.name ?? '', other?.name ?? ''], shared: count }))
      .toSorted((a, b) => b.shared - a.shared);
    output.say(
      list
        .slice(0, SHOWN)
        .map(
          ({ campaigns: names, shared }) =>
            `${counted(shared, 'keyword')}  ${names.map((name) => `"${name}"`).join(' and ')}`,
        ),
    );
    if (list.length > SHOWN) output.say(`and ${counted(list.length - SHOWN, 'more pair')}. Add --json to list all.`);
    output.say(`${counted(campaigns, 'campaign')} share ${counted(keywords, 'keyword')}.`);
    if (campaigns > shown.length) output.say(`Only the ${shown.length} that share most are listed.`);
    output.result({
      keywords,
      campaigns,
      distinctMax,
      shown: shown.map(({ name, shared, distinct }) => ({ campaign: name, shared, distinct })),
      pairs: list,
    });
    return EXIT_CODE.done;
  },
};

const spreadCommand: Command = {
  name: 'keywords spread',
  purpose: 'Divides the keywords of a full campaign over it and new ones.',
  parameters: { '--campaign NAME': 'The campaign.' },
  example: 'adslate keywords spread --campaign "Spring sale"',
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const [campaignId, ...further] = (await campaignIdsOf(context)) ?? [];
    if (campaignId === undefined || further.length > 0) throw usageError('--campaign needs one campaign.');
    const done = await client.bulk.spreadKeywords({ workspaceId, campaignIds: [campaignId] });
    const { moved, paused, campaignId: added, campaigns, dailyBudget: dailyBudgetCents } = done;
    const { workspace } = await context.account();
    const [tree] = await workspace.readTrees([added]);
    const name = tree?.campaign.values.name ?? '';
    const others = campaigns === 1 ? '' : ` and ${counted(campaigns - 1, 'more campaign')}`;
    context.output.say(`${counted(moved, 'keyword')} moved to "${name}"${others}, ${paused} paused.`);
    const budget = formatCellValue('campaign', 'dailyBudget', dailyBudgetCents);
    context.output.say(`This adds ${budget} to the total daily budget.`);
    context.output.result({ campaign: name, moved, paused, dailyBudgetCents });
    return EXIT_CODE.done;
  },
};

export const keywordCommands: readonly Command[] = [overlapCommand, spreadCommand];
