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
import { badFile, granted } from './granted.ts';
import { notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

/** What is kept of the last scan of an account, for its report and its mended sheet. */
interface Kept {
  readonly scan: IdScan;
  /** The sheet that was looked through; null for the drafts. */
  readonly grant: string | null;
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
      const file = input.grant === null ? null : await granted(grants, input.grant, errors);
      const provenance = await account.workspace.outbox.itemProvenance();
      const places: IdPlace[] = [];
      if (file === null) {
        for (const { id, itemId, name, campaign } of provenance.drafts) {
          places.push({ text: itemId, id, line: null, campaign, name });
        }
      } else {
        const read = await readSheetIds(file.path);
        if (!read.ok) throw badFile(file.fileName, read.error, errors.BAD_FILE);
        for (const { text, line, campaign } of read.value) places.push({ text, id: null, line, campaign, name: null });
      }
      const sync = await account.sync();
      const { cutover } = account.profile.migration;
      const form = idForm(account.migrated, provenance, await todayOf(account), cutover);
      const scanned = await scanIds(places, provenance, form, (wanted) => sync.searchItems(wanted));
      const fileName = file?.fileName ?? null;
      const scan = { scanId: randomUUID(), fileName, ...scanned, damaged: [...scanned.damaged] };
      kept.set(input.workspaceId, { scan, grant: input.grant });
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
      return exports.write(async (path) => {
        await writeFile(path, writeSheet(rows), { mode: 0o600 });
        const file = { path, contentType: 'text/csv', fileName: 'item-ids.csv', workspaceId: input.workspaceId };
        return exports.offer(file, rows.length - 1);
      });
    }),
    mend: os.ids.mend.handler(async ({ input, errors }) => {
      await opened(open, input.workspaceId, errors);
      const known = find(input.workspaceId, input.scanId);
      if (known === null || known.grant === null) throw errors.NO_GRANT({ data: { grant: input.scanId } });
      const sheet = await granted(grants, known.grant, errors);
      return exports.write(async (path) => {
        const mended = await writeMended(sheet.path, path, replacing(input.accepted));
        if (!mended.ok) throw badFile(sheet.fileName, mended.error, errors.BAD_FILE);
        const base = sheet.fileName.replace(/\.[^.]*$/, '');
        const file = { path, contentType: 'text/csv', fileName: `${base}-mended.csv`, workspaceId: input.workspaceId };
        return exports.offer(file, mended.value);
      });
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
