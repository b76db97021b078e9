import type { FileRefusal } from '../../../../shared/media/file-refusal.ts';
import { memo } from '../../../../shared/memo.ts';
import type { AnyValues } from '../../../../shared/model/fields.ts';
import type { RowId } from '../../../../shared/model/scalars.ts';
import { ok, type Result } from '../../../../shared/result.ts';
import type { Target } from '../../../../shared/spreadsheet/sheet-changes.ts';
import { asNumber, type Db } from '../../../store/db/db.ts';
import { openDb } from '../../../store/db/open-db.ts';
import { currentRevision } from '../../../store/rows/revision.ts';
import { tableOf } from '../../../store/schema/tables.ts';
import { createStage } from '../../../store/staged/stage-file.ts';
import type { ChangeSink } from './collect-changes.ts';
import type { ImportSession, TellShare } from './import-session.ts';
import type { RowSelection } from './line-outcomes.ts';

/** A cell that attaches a library file: to the row of a line, or within the library itself. */
export interface FileCell {
  readonly line: number;
  readonly kind: 'sbaProfile' | 'videoProfile' | 'media';
  /** The row of the library; null for the row of the line, which may be a new one. */
  readonly id: RowId | null;
  readonly field: 'logo' | 'video' | 'caption' | 'mediaName';
  readonly value: RowId | string | null;
}

/** The part of a preview to apply. */
export interface StageOrder {
  readonly database: string;
  readonly stage: string;
  readonly rows: RowSelection;
  /** Files that are in the library by now, for the rows that name them. */
  readonly attached: readonly FileCell[];
}

export interface Staged {
  /** The revision it was worked out for. */
  readonly revision: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Rows to create or delete, cells to set and notes to add. */
  readonly size: number;
}

/** Computes the import for the present workspace, into a file that the writer reads. */
export async function stageImport(
  session: ImportSession,
  order: StageOrder,
  tellShare: TellShare,
): Promise<Result<Staged, FileRefusal>> {
  const db = openDb(order.database, { readOnly: true });
  try {
    db.exec('PRAGMA cache_size = -8192; BEGIN');
    const revision = currentRevision(db);
    let stage = createStage(order.stage);
    let refs = parentRefs(db);
    const files = new Map<number, FileCell[]>();
    for (const cell of order.attached) files.set(cell.line, [...(files.get(cell.line) ?? []), cell]);
    let size = 0;
    const sink: ChangeSink = {
      begin: () => {
        if (size === 0) return;
        stage.end();
        stage = createStage(order.stage);
        refs = parentRefs(db);
        size = 0;
      },
      create: ({ at, row }) => {
        size++;
        const place = refs.of(row.kind, row.parent, at);
        const own = (files.get(row.line) ?? []).filter(({ kind }) => kind === row.kind);
        const values: AnyValues =
          own.length === 0 ? row.values : { ...row.values, ...Object.fromEntries(own.map((c) => [c.field, c.value])) };
        stage.create({ at, kind: row.kind, values, line: row.line, ...place });
      },
      update: ({ kind, id, field, value, line }) => {
        size++;
        stage.update(kind, id, field, value, line);
      },
      remove: ({ kind, id, line }) => {
        size++;
        stage.remove(kind, id, line);
      },
      notes: ({ kind, row, notes }) => {
        size++;
        stage.note(kind, refOf(row), notes);
      },
      files: ({ line, row, kind, inConflict }) => {
        if (inConflict === true) return;
        for (const cell of files.get(line) ?? []) {
          // A new row has its files already; the video's own cells belong to a row of the library.
          const id = cell.kind === 'media' ? cell.id : 'id' in row && cell.kind === kind ? row.id : null;
          if (id === null) continue;
          size++;
          stage.update(cell.kind, id, cell.field, cell.value, line);
        }
      },
    };
    const counts = await session.carry(db, order.rows, sink, tellShare);
    stage.end();
    return counts.ok ? ok({ revision, ...counts.value, size }) : counts;
  } finally {
    db.close();
  }
}

/** A row as the stage names it: an id, or -(n + 1) for the n-th new row. */
const refOf = (target: Target): number => ('id' in target ? target.id : -(target.at + 1));

/** The parents of new rows as the stage names them. */
function parentRefs(db: Db) {
  const campaignOfNew = new Map<number, number | null>();
  const campaignOfKnown = memo((id: RowId) =>
    asNumber(db.get('SELECT campaign_id FROM ad_group WHERE id = ?', id)?.[0]),
  );
  const campaignOf = (group: Target): number | null =>
    'at' in group ? (campaignOfNew.get(group.at) ?? null) : campaignOfKnown(group.id);
  return {
    of: (kind: Parameters<typeof tableOf>[0], parent: Target | null, at: number) => {
      if (parent === null) return { campaign: null, adGroup: null };
      if (tableOf(kind).parent === 'campaign') {
        if (kind === 'adGroup') campaignOfNew.set(at, refOf(parent));
        return { campaign: refOf(parent), adGroup: null };
      }
      return { campaign: campaignOf(parent), adGroup: refOf(parent) };
    },
  };
}
