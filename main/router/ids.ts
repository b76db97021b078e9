import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { AcceptedIds, IdScan } from '../../shared/contract/ids.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { writeSheet } from '../exchange/write-sheet.ts';
import { mappingRows } from '../ids/mapping-report.ts';
import { type IdPlace, idForm, scanIds } from '../ids/scan-ids.ts';
import { readSheetIds, writeMended } from '../ids/sheet-ids.ts';
import type { OpenAccount } from '../open-accounts.ts';
import { CALENDAR_AHEAD_KEY } from '../workspace/rows/standards.ts';
import { notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

/** What is kept of the last scan of an account, for its report and its mended sheet. */
interface Kept {
  readonly scan: IdScan;
  readonly path: string | null;
}

export const idsRouter = ({ open, grants, exports, options }: CoreParts) => {
  const kept = new Map<WorkspaceId, Kept>();
  const find = (workspaceId: WorkspaceId, scanId: string): Kept | null => {
    const known = kept.get(workspaceId);
    return known?.scan.scanId === scanId ? known : null;
  };

  return {
    scan: os.ids.scan.handler(async ({ input, errors }) => {
      const account = await opened(open, input.workspaceId, errors);
      const file = input.grant === null ? null : await grants.resolve(input.grant);
      if (input.grant !== null && file === null) throw errors.NO_GRANT({ data: { grant: input.grant } });
      if (file !== null && !file.ok) {
        const reason = file.error.kind === 'unreadable' ? 'cannot-read' : file.error.kind;
        const params: Record<string, string> = file.error.kind === 'unreadable' ? { code: file.error.code } : {};
        throw errors.BAD_FILE({ data: { fileName: file.error.fileName, reason, params } });
      }
      const provenance = await account.workspace.outbox.itemProvenance();
      const places: IdPlace[] = [];
      if (file === null) {
        for (const { id, itemId, name, campaign } of provenance.drafts) {
          places.push({ text: itemId, id, line: null, campaign, name });
        }
      } else {
        const read = await readSheetIds(file.value.path);
        if (!read.ok) {
          const { reason, params } = read.error;
          throw errors.BAD_FILE({ data: { fileName: file.value.fileName, reason, params: { ...params } } });
        }
        for (const { text, line, campaign } of read.value) places.push({ text, id: null, line, campaign, name: null });
      }
      const sync = await account.sync();
      const { cutover } = account.profile.migration;
      const form = idForm(account.migrated, provenance, await todayOf(account), cutover);
      const scanned = await scanIds(places, provenance, form, (wanted) => sync.searchItems(wanted));
      const fileName = file === null ? null : file.value.fileName;
      const scan = { scanId: randomUUID(), fileName, ...scanned, damaged: [...scanned.damaged] };
      kept.set(input.workspaceId, { scan, path: file === null ? null : file.value.path });
      return scan;
    }),
    apply: os.ids.apply.handler(async ({ input, errors }) => {
      const { workspace } = await opened(open, input.workspaceId, errors);
      const byId = new Map(input.accepted.map(({ from, to }) => [from, to]));
      const { drafts } = await workspace.outbox.itemProvenance();
      const updates = drafts.flatMap(({ id, itemId }) => {
        const value = byId.get(itemId);
        return value === undefined ? [] : [{ kind: 'adItem' as const, id, field: 'itemId', value }];
      });
      if (updates.length === 0) throw errors.NOTHING_TO_DO({ data: {} });
      const done = await workspace.apply({ label: 'Replace damaged item ids', source: 'user', updates });
      if (done.ok) return { revision: done.value.revision, rows: updates.length };
      if (done.error.kind === 'not-writable') throw notWritable(done.error, errors.NOT_WRITABLE);
      // Rows that were drafts a moment ago and are sent or gone by now.
      throw errors.NOTHING_TO_DO({ data: {} });
    }),
    report: os.ids.report.handler(async ({ input, errors }) => {
      await opened(open, input.workspaceId, errors);
      const known = find(input.workspaceId, input.scanId);
      if (known === null) throw errors.NO_GRANT({ data: { grant: input.scanId } });
      const rows = mappingRows(known.scan.damaged, input.accepted);
      const path = await exports.place();
      await writeFile(path, writeSheet(rows), { mode: 0o600 });
      const file = { path, contentType: 'text/csv', fileName: 'item-ids.csv', workspaceId: input.workspaceId };
      return exports.offer(file, rows.length - 1);
    }),
    mend: os.ids.mend.handler(async ({ input, errors }) => {
      await opened(open, input.workspaceId, errors);
      const known = find(input.workspaceId, input.scanId);
      if (known === null || known.path === null) throw errors.NO_GRANT({ data: { grant: input.scanId } });
      const path = await exports.place();
      const mended = await writeMended(known.path, path, replacing(input.accepted));
      if (!mended.ok) {
        const { reason, params } = mended.error;
        throw errors.BAD_FILE({ data: { fileName: known.scan.fileName ?? '', reason, params: { ...params } } });
      }
      const base = (known.scan.fileName ?? 'sheet').replace(/\.[^.]*$/, '');
      const file = { path, contentType: 'text/csv', fileName: `${base}-mended.csv`, workspaceId: input.workspaceId };
      return exports.offer(file, mended.value);
    }),
  };

  async function todayOf({ workspace, profile }: OpenAccount): Promise<string> {
    const aheadMs = Number((await workspace.getMeta(CALENDAR_AHEAD_KEY)) ?? '0');
    return dateInZone(options.clock.nowMs() + aheadMs, profile.business.zone);
  }
};

function replacing(accepted: AcceptedIds): (text: string) => string | null {
  const byId = new Map(accepted.map(({ from, to }) => [from, to]));
  return (text) => byId.get(text) ?? null;
}
