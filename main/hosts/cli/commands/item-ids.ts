import { resolve } from 'node:path';
import type { AcceptedIds, DamagedItemId, IdScan } from '../../../../shared/api/items.ts';
import { writeFileAtomic } from '../../../app/atomic-write.ts';
import { mappingRows, writeRepairedSheet } from '../../../files/item-ids/scan-item-ids.ts';
import { writeSheet } from '../../../files/spreadsheet/csv.ts';
import { readSheet } from '../../../files/spreadsheet/read-sheet.ts';
import { EXIT_CODE, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { unreadableFile, writeOutputFile } from '../named-file.ts';
import { counted } from '../output.ts';

const scanCommand: Command = {
  name: 'item-ids check',
  takes: '[FILE]',
  purpose: 'Finds damaged item IDs in unsynced rows or a spreadsheet, with suggestions.',
  parameters: {
    FILE: 'Spreadsheet to check. Without it, the unsynced rows are checked.',
    '--report FILE': 'Writes the damaged IDs and the suggested ones as CSV.',
    '--repair FILE': 'Writes a copy of the spreadsheet with the suggested IDs.',
    '--force': 'Replaces existing files.',
  },
  example: 'adslate item-ids check items.csv --repair items-repaired.csv',
  positionals: [0, 1],
  run: async (context) => {
    const [path] = context.positionals;
    const repairTo = context.text('repair');
    if (repairTo !== null && path === undefined)
      throw usageError('--repair needs a spreadsheet. Run "adslate item-ids check FILE --repair FILE".');
    const scan = await scanOf(context, path ?? null);
    const accepted = proposedOf(scan);
    context.output.say(scan.damaged.map(lineOf));
    if (scan.notSearched !== null) {
      context.output.say(
        `Item search is not available (${scan.notSearched}), so suggestions are from this account only.`,
      );
    }
    context.output.say(
      `${counted(scan.ids, 'item ID')} checked: ${scan.damaged.length} damaged, ${accepted.length} with a suggestion.`,
    );
    const reportTo = context.text('report');
    if (reportTo !== null) {
      const mapping = writeSheet(mappingRows(scan.damaged, accepted));
      await writeOutputFile(context, resolve(reportTo), (file) => writeFileAtomic(file, mapping));
      context.output.say(`Wrote the damaged and suggested IDs to ${reportTo}.`);
    }
    if (repairTo !== null && path !== undefined) await repair(context, path, repairTo, accepted);
    context.output.result({ ids: scan.ids, damaged: scan.damaged, notSearched: scan.notSearched });
    return scan.damaged.length > 0 ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

const applyCommand: Command = {
  name: 'item-ids repair',
  purpose: 'Replaces damaged item IDs in unsynced rows, as one undoable step.',
  parameters: { '--map FILE': 'Uses the IDs of a file from "item-ids check --report".' },
  example: 'adslate item-ids repair --map mapping.csv',
  run: async (context) => {
    const file = context.text('map');
    const accepted = file === null ? proposedOf(await scanOf(context, null)) : await mappingFrom(file);
    const { client, workspaceId } = await context.atAccount();
    const { rows } =
      accepted.length === 0 ? { rows: 0 } : await client.itemIds.repair({ workspaceId, accepted: [...accepted] });
    context.output.say(`${counted(rows, 'row')} changed.`);
    context.output.result({ rows });
  },
};

async function scanOf(context: Context, path: string | null): Promise<IdScan> {
  const { client, workspaceId } = await context.atAccount();
  if (path === null) return client.itemIds.scan({ workspaceId });
  const granted = await (await context.core()).grants.grantPath(path);
  if (!granted.ok) throw unreadableFile(path, granted.error.data);
  return client.itemIds.scan({ workspaceId, grant: granted.value.grant });
}

const proposedOf = ({ damaged }: IdScan): AcceptedIds =>
  damaged.flatMap(({ itemId, proposed }) => (proposed === null ? [] : [{ from: itemId, to: proposed }]));

function lineOf({ itemId, damage, rows, candidates, proposed }: DamagedItemId): string {
  const meant = candidates.find((candidate) => candidate.itemId === proposed);
  const name = meant?.name ? ` "${meant.name}"` : '';
  const others = candidates.map((candidate) => candidate.itemId).join(', ');
  const means =
    meant !== undefined ? `${meant.itemId}${name} (${meant.source})` : others === '' ? 'nothing found' : others;
  const which = meant === undefined && others !== '' ? 'one of ' : '';
  return `${itemId} (${damage}, ${counted(rows, 'row')}): ${which}${means}`;
}

async function repair(context: Context, path: string, target: string, accepted: AcceptedIds): Promise<void> {
  const byId = new Map(accepted.map(({ from, to }) => [from, to]));
  const repaired = await writeOutputFile(context, resolve(target), (file) =>
    writeRepairedSheet(resolve(path), file, (text) => byId.get(text) ?? null),
  );
  if (!repaired.ok) throw unreadableFile(path, repaired.error);
  context.output.say(
    `Wrote ${target} with ${counted(repaired.value, 'ID')} replaced. Open it only with the ID columns as text.`,
  );
}

/** A mapping as `item-ids check --report` writes it: the first column is replaced by the fifth, where that is filled in. */
async function mappingFrom(path: string): Promise<AcceptedIds> {
  const read = await readSheet(resolve(path));
  if (!read.ok) {
    const isMissing = read.error.params['code'] === 'ENOENT';
    throw isMissing
      ? usageError(`File ${path} not found. Run "adslate item-ids check --report FILE" to write one.`)
      : unreadableFile(path, read.error);
  }
  const [header = [], ...rows] = read.value;
  const from = header.indexOf('Item id');
  const to = header.indexOf('Replaced by');
  if (from < 0 || to < 0)
    throw usageError(
      `${path} has no columns "Item id" and "Replaced by". Use a file from "adslate item-ids check --report".`,
    );
  return rows.flatMap((cells) => {
    const [old, next] = [cells[from] ?? '', (cells[to] ?? '').trim()];
    return old === '' || next === '' ? [] : [{ from: old, to: next }];
  });
}

const itemsSearch: Command = {
  name: 'items search',
  takes: 'TEXT',
  purpose: "Searches the retailer's catalog for items and their variants.",
  parameters: { TEXT: 'Words to search for.' },
  example: 'adslate items search "coffee maker"',
  positionals: [1, 20],
  run: async (context) => {
    const text = context.positionals.join(' ').trim();
    if (text === '' || text.length > 200) throw usageError('The search text must have 1 to 200 characters.');
    return report(context, { text, ids: null });
  },
};

const itemsGet: Command = {
  name: 'items get',
  takes: 'ID...',
  purpose: 'Finds items in the catalog by their exact IDs.',
  parameters: { ID: 'Item ID, exactly as written. A missing ID gives exit code 1.' },
  example: 'adslate items get 0799650557',
  positionals: [1, 200],
  run: (context) => report(context, { text: null, ids: [...context.positionals] }),
};

type Wanted = { readonly text: string; readonly ids: null } | { readonly text: null; readonly ids: string[] };

async function report(context: Context, wanted: Wanted) {
  const { client, workspaceId } = await context.atAccount();
  const items = await client.items.search({ workspaceId, ...wanted });
  const there = new Set(items.map(({ itemId }) => itemId));
  const notFound = (wanted.ids ?? []).filter((id) => !there.has(id));
  const { output } = context;
  const lines = items.flatMap((item) => [
    [item.itemId, item.name, bidText(item.suggestedBidCents), item.pageUrl ?? ''],
    ...item.variants.map(({ itemId, name }) => [itemId, `  ${name}`, '', '']),
  ]);
  output.table(['Item ID', 'Name', 'Suggested bid', 'Page'], lines, 'No items found.');
  output.say(notFound.map((id) => `${id}: not found among the items that this account can advertise.`));
  output.result({ items, notFound });
  return notFound.length > 0 ? EXIT_CODE.refused : EXIT_CODE.done;
}

const bidText = (cents: number | null): string => (cents === null ? '' : (cents / 100).toFixed(2));

export const itemCommands: readonly Command[] = [itemsSearch, itemsGet, scanCommand, applyCommand];
