import { randomUUID } from 'node:crypto';
import type { AcceptedIds, IdScan, FoundItem as Item } from '../../shared/api/items.ts';
import { fileError } from '../../shared/media/file-refusal.ts';
import { fieldNames } from '../../shared/model/fields.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { textKey } from '../../shared/model/text.ts';
import { fail, ok } from '../../shared/result.ts';
import { printSearch } from '../../shared/search/query.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import {
  accountIdFormat,
  type IdLocation,
  mappingRows,
  readSheetIds,
  scanIds,
  writeRepairedSheet,
} from '../files/item-ids/scan-item-ids.ts';
import type { KnownItem } from '../files/pictures/pictures.ts';
import { writeSheet } from '../files/spreadsheet/csv.ts';
import { CALENDAR_AHEAD_KEY } from '../store/rows/rule-settings.ts';
import { noGrant, readFailed, resolveGrant } from './failures.ts';
import { campaignIdeas } from './keyword-ideas.ts';
import type { MainOperations, RouterContext } from './router.ts';

/** Operations on catalog items, and on item IDs that a spreadsheet has damaged. */
export const itemOperations = (parts: RouterContext): Pick<MainOperations, 'items' | 'itemIds'> => ({
  items: {
    search: async ({ account }, { ids, text }) => {
      // The service accepts exactly one of the two (document, "POST /api/v1/itemSearch").
      const found = await searchItems(account, ids !== null && ids.length > 0 ? { ids } : { text: text ?? '' });
      return found.ok ? found : readFailed(found.error);
    },
    find: async ({ account }, { text }) => {
      const ids = /^(?:prod)?\d{6,}$/.test(text) ? [text] : null;
      const found = await searchItems(account, ids === null ? { text } : { ids });
      return ok({ isOffline: !found.ok, items: found.ok ? found.value : await seenItems(account, text) });
    },
    get: async ({ account }, { itemId }) => {
      const known = await account.pictures.item(itemId);
      if (known !== null) return ok({ itemId, name: known.name, pageUrl: known.pageUrl });
      const found = await searchItems(account, { ids: [itemId] });
      const item = found.ok ? knownItems(found.value).find((one) => one.itemId === itemId) : undefined;
      return ok(item === undefined ? null : { itemId, name: item.name, pageUrl: item.pageUrl });
    },
    ideas: ({ account }, { campaignId }) => campaignIdeas(account, campaignId),
    confirm: async ({ account }) => {
      const confirmed = await (await account.sync()).confirmItems();
      return confirmed.ok ? confirmed : readFailed(confirmed.error);
    },
  },
  itemIds: idOperations(parts),
});

/** Maximum number of items from earlier searches. */
const SEEN_MAX = 50;
const [ITEM_ID, ITEM_NAME] = (['itemId', 'itemName'] as const).map((field) => fieldNames('adItem').indexOf(field));

/** Items of earlier searches and of the account's rows whose name or ID contains each word. */
async function seenItems({ pictures, workspace }: ActiveAccount, text: string): Promise<readonly Item[]> {
  const words = textKey(text).split(' ');
  const seen = new Map<string, Item>();
  for (const item of await pictures.itemsWith(words, SEEN_MAX)) {
    seen.set(item.itemId, { ...item, suggestedBidCents: item.suggestedBidCents ?? null, variants: [] });
  }
  const parts = words.map((word) => ({
    is: 'or' as const,
    parts: ['itemName', 'itemId'].map((field) => ({ is: 'contains' as const, field, text: word })),
  }));
  const filter = printSearch({ is: 'and', parts }, 'adItem');
  const opened = await workspace.openView({ kind: 'adItem', filter, sort: [], campaignId: null, only: 'all' });
  const page = opened.ok ? await workspace.readWindow(opened.value.viewId, 0, SEEN_MAX) : null;
  if (opened.ok) await workspace.closeView(opened.value.viewId);
  for (const { cells } of page?.rows ?? []) {
    const itemId = String(cells[ITEM_ID ?? 0] ?? '');
    const name = String(cells[ITEM_NAME ?? 0] ?? '');
    if (itemId === '' || seen.has(itemId)) continue;
    seen.set(itemId, { itemId, name, suggestedBidCents: null, imageUrl: null, pageUrl: null, variants: [] });
  }
  return [...seen.values()].slice(0, SEEN_MAX);
}

/** Searches items and stores the results. */
async function searchItems({ sync, pictures }: ActiveAccount, wanted: Parameters<PartnerApi['searchItems']>[0]) {
  const answer = await (await sync()).searchItems(wanted);
  if (!answer.ok) return answer;
  const found = answer.value.filter(({ verdict }) => verdict === 'found').map(({ verdict: _, ...item }) => item);
  await pictures.noteItems(knownItems(found));
  return ok(found);
}

/** The stored part of a search: items and their variants, which have the page of their item. */
const knownItems = (found: readonly Item[]): readonly KnownItem[] =>
  found.flatMap(({ variants, ...item }) => {
    const { pageUrl, suggestedBidCents } = item;
    return [...variants.map((variant) => ({ ...variant, pageUrl, suggestedBidCents })), item];
  });

/** The last scans of an account, of which one that was begun earlier may end later, are stored for their files. */
const SCANS_KEPT = 3;

/** A scan, stored for its report and its repaired spreadsheet. */
interface Kept {
  readonly scan: IdScan;
  /** The scanned spreadsheet; null for the drafts. */
  readonly grant: string | null;
}

function idOperations({ grants, exports, options }: RouterContext): MainOperations['itemIds'] {
  const kept = new Map<WorkspaceId, readonly Kept[]>();
  const find = (workspaceId: WorkspaceId, scanId: string): Kept | null => {
    return kept.get(workspaceId)?.find(({ scan }) => scan.scanId === scanId) ?? null;
  };
  const todayOf = async ({ workspace, profile }: ActiveAccount): Promise<string> => {
    const aheadMs = Number((await workspace.getMeta(CALENDAR_AHEAD_KEY)) ?? '0');
    return dateInZone(options.clock.nowMs() + aheadMs, profile.business.zone);
  };
  return {
    scan: async ({ account }, { workspaceId, grant }) => {
      const file = grant === null ? null : await resolveGrant(grants, grant);
      if (file !== null && !file.ok) return file;
      const provenance = await account.workspace.outbox.itemProvenance();
      const places: IdLocation[] = [];
      if (file === null) {
        for (const { id, itemId, name, campaign } of provenance.drafts) {
          places.push({ text: itemId, id, line: null, campaign, name });
        }
      } else {
        const read = await readSheetIds(file.value.path);
        if (!read.ok) return fileError(file.value.fileName, read.error);
        for (const { text, line, campaign } of read.value) places.push({ text, id: null, line, campaign, name: null });
      }
      const sync = await account.sync();
      const { cutover } = account.profile.migration;
      const form = accountIdFormat(account.migrated, provenance, await todayOf(account), cutover);
      const scanned = await scanIds(places, provenance, form, (wanted) => sync.searchItems(wanted));
      const fileName = file?.value.fileName ?? null;
      const scan = { scanId: randomUUID(), fileName, ...scanned, damaged: [...scanned.damaged] };
      kept.set(workspaceId, [{ scan, grant }, ...(kept.get(workspaceId) ?? [])].slice(0, SCANS_KEPT));
      return ok(scan);
    },
    repair: async ({ account: { workspace } }, { accepted }) => {
      const byId = new Map(accepted.map(({ from, to }) => [from, to]));
      const { drafts } = await workspace.outbox.itemProvenance();
      const updates = drafts.flatMap(({ id, itemId }) => {
        const value = byId.get(itemId);
        return value === undefined ? [] : [{ kind: 'adItem' as const, id, field: 'itemId', value }];
      });
      if (updates.length === 0) return fail('NOTHING_TO_DO', {});
      const done = await workspace.apply({ label: 'Replace damaged item IDs', source: 'user', updates });
      return done.ok ? ok({ revision: done.value.revision, rows: updates.length }) : done;
    },
    report: async (_context, { workspaceId, scanId, accepted }) => {
      const known = find(workspaceId, scanId);
      if (known === null) return noGrant(scanId);
      const rows = mappingRows(known.scan.damaged, accepted);
      const file = { contentType: 'text/csv', fileName: 'item-ids.csv', workspaceId };
      return exports.save(file, writeSheet(rows), rows.length - 1);
    },
    repairFile: async (_context, { workspaceId, scanId, accepted }) => {
      const known = find(workspaceId, scanId);
      if (known === null || known.grant === null) return noGrant(scanId);
      const sheet = await resolveGrant(grants, known.grant);
      if (!sheet.ok) return sheet;
      const { fileName } = sheet.value;
      const base = fileName.replace(/\.[^.]*$/, '');
      const file = { contentType: 'text/csv', fileName: `${base}-repaired.csv`, workspaceId };
      return exports.write(file, async (path) => {
        const repaired = await writeRepairedSheet(sheet.value.path, path, replacing(accepted));
        return repaired.ok ? repaired : fileError(fileName, repaired.error);
      });
    },
  };
}

function replacing(accepted: AcceptedIds): (text: string) => string | null {
  const byId = new Map(accepted.map(({ from, to }) => [from, to]));
  return (text) => byId.get(text) ?? null;
}
