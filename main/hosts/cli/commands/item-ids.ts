import { resolve } from 'node:path';
import type { AcceptedIds, DamagedItemId, IdScan } from '../../../../shared/api/items.ts';
import { writeFileAtomic } from '../../../app/atomic-write.ts';
import { mappingRows, writeRepairedSheet } from '../../../files/item-ids/scan-item-ids.ts';
import { grantRefusal } from '../../../files/media/add-media.ts';
import { writeSheet } from '../../../files/spreadsheet/csv.ts';
import { readSheet } from '../../../files/spreadsheet/read-sheet.ts';
import { EXIT_CODE, usageError } from '../cli-error.ts';
import type { Command, Context } from '../command.ts';
import { unreadableFile, writeOutputFile } from '../named-file.ts';
import { counted } from '../output.ts';

const scanCommand: Command = {
  name: 'ids scan',
  takes: '[SHEET] [--report FILE] [--mend FILE] [--force]',
  summary:
    'Looks for item ids that a spreadsheet program or the migration has spoiled, in the rows still to be sent or in a sheet, and asks the item search which were meant. --report writes the mapping as CSV; --mend writes the sheet anew with the proposed ids in it.',
  positionals: [0, 1],
  run: async (context) => {
    const [path] = context.positionals;
    const mendTo = context.text('mend');
    if (mendTo !== null && path === undefined)
      throw usageError('--mend needs a sheet: adslate ids scan SHEET --mend FILE.');
    const scan = await scanOf(context, path ?? null);
    const accepted = proposedOf(scan);
    context.output.say(scan.damaged.map(lineOf));
    if (scan.notSearched !== null) {
      context.output.say(
        `The item search could not be asked (${scan.notSearched}); only what the account knows was used.`,
      );
    }
    context.output.say(
      `${counted(scan.ids, 'item id')} looked at, ${scan.damaged.length} damaged, ${accepted.length} with a proposal.`,
    );
    const reportTo = context.text('report');
    if (reportTo !== null) {
      const mapping = writeSheet(mappingRows(scan.damaged, accepted));
      await writeOutputFile(context, resolve(reportTo), (file) => writeFileAtomic(file, mapping));
      context.output.say(`Wrote the mapping to ${reportTo}.`);
    }
    if (mendTo !== null && path !== undefined) await mend(context, path, mendTo, accepted);
    context.output.result({ ids: scan.ids, damaged: scan.damaged, notSearched: scan.notSearched });
    return scan.damaged.length > 0 ? EXIT_CODE.refused : EXIT_CODE.done;
  },
};

const applyCommand: Command = {
  name: 'ids apply',
  takes: '[--map FILE]',
  summary:
    'Puts the proposed item ids into the rows still to be sent, as one step that can be undone. --map FILE takes them from a mapping that "ids scan --report" wrote, corrected by hand if need be.',
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
  if (!granted.ok) throw unreadableFile(path, grantRefusal(granted.error));
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

async function mend(context: Context, path: string, target: string, accepted: AcceptedIds): Promise<void> {
  const byId = new Map(accepted.map(({ from, to }) => [from, to]));
  const mended = await writeOutputFile(context, resolve(target), (file) =>
    writeRepairedSheet(resolve(path), file, (text) => byId.get(text) ?? null),
  );
  if (!mended.ok) throw unreadableFile(path, mended.error);
  context.output.say(`Wrote ${target} with ${counted(mended.value, 'id')} replaced. Import it as text.`);
}

/** A mapping as `ids scan --report` writes it: the first column is replaced by the fifth, where that is filled in. */
async function mappingFrom(path: string): Promise<AcceptedIds> {
  const read = await readSheet(resolve(path));
  if (!read.ok) {
    const isMissing = read.error.params['code'] === 'ENOENT';
    throw isMissing
      ? usageError(`There is no mapping in ${path}. "adslate ids scan --report FILE" writes one.`)
      : unreadableFile(path, read.error);
  }
  const [header = [], ...rows] = read.value;
  const from = header.findIndex((cell) => cell.replace(/^\uFEFF/, '') === 'Item id');
  const to = header.indexOf('Replaced by');
  if (from < 0 || to < 0) throw usageError(`${path} has no columns "Item id" and "Replaced by".`);
  return rows.flatMap((cells) => {
    const [old, next] = [cells[from] ?? '', (cells[to] ?? '').trim()];
    return old === '' || next === '' ? [] : [{ from: old, to: next }];
  });
}

const itemsSearch: Command = {
  name: 'items search',
  takes: 'TEXT',
  summary: "Searches the retailer's catalog for items and their variants.",
  positionals: [1, 20],
  run: async (context) => {
    const text = context.positionals.join(' ').trim();
    if (text === '' || text.length > 200) throw usageError('Write 1 to 200 characters to search for.');
    return report(context, { text, ids: null });
  },
};

const itemsGet: Command = {
  name: 'items get',
  takes: 'ID...',
  summary: 'Looks items up by their IDs, exactly as they are written.',
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
  output.say(notFound.map((id) => `${id}: the catalog has no such item that this account can advertise.`));
  output.result({ items, notFound });
  return notFound.length > 0 ? EXIT_CODE.refused : EXIT_CODE.done;
}

const bidText = (cents: number | null): string => (cents === null ? '' : (cents / 100).toFixed(2));

export const itemCommands: readonly Command[] = [itemsSearch, itemsGet, scanCommand, applyCommand];
