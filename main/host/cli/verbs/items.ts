import type { Command, Context } from '../command.ts';
import { EXIT, usageStop } from '../stop.ts';
import { table } from '../table.ts';

const itemsSearch: Command = {
  name: 'items search',
  takes: 'TEXT',
  summary: "Searches the retailer's catalog for items and their variants.",
  options: {},
  positionals: { min: 1, max: 20 },
  run: async (context) => {
    const text = context.positionals.join(' ').trim();
    if (text === '' || text.length > 200) throw usageStop('Write 1 to 200 characters to search for.');
    return report(context, { text, ids: null });
  },
};

const itemsGet: Command = {
  name: 'items get',
  takes: 'ID...',
  summary: 'Looks items up by their IDs, exactly as they are written.',
  options: {},
  positionals: { min: 1, max: 200 },
  run: (context) => report(context, { text: null, ids: [...context.positionals] }),
};

type Wanted = { readonly text: string; readonly ids: null } | { readonly text: null; readonly ids: string[] };

async function report(context: Context, wanted: Wanted) {
  const { client, workspaceId } = await context.atAccount();
  const items = await client.items.search({ workspaceId, ...wanted });
  const there = new Set(items.map(({ itemId }) => itemId));
  const notFound = (wanted.ids ?? []).filter((id) => !there.has(id));
  const { output } = context;
  if (items.length === 0) output.say('No items found.');
  else {
    const lines = items.flatMap((item) => [
      [item.itemId, item.name, bidText(item.suggestedBidCents), item.pageUrl ?? ''],
      ...item.variants.map(({ itemId, name }) => [itemId, `  ${name}`, '', '']),
    ]);
    for (const line of table(['Item ID', 'Name', 'Suggested bid', 'Page'], lines)) output.say(line);
  }
  for (const id of notFound) output.say(`${id}: the catalog has no such item that this account can advertise.`);
  output.result({ items, notFound });
  return notFound.length > 0 ? EXIT.refused : EXIT.done;
}

const bidText = (cents: number | null): string => (cents === null ? '' : (cents / 100).toFixed(2));

export const itemCommands: readonly Command[] = [itemsSearch, itemsGet];
