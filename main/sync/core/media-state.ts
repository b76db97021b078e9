import type { Cell } from '../../../shared/model/field-types.ts';
import type { Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import type { CellUpdate } from '../../workspace/port.ts';
import { readAgain } from './again.ts';
import { mediaRow, remoteIdOf, valuesOf } from './books.ts';
import { isOver, type RoundContext, stopFor } from './context.ts';
import { tell, tx, type Work } from './effects.ts';

/** Asks what became of the uploads that the service is still working on, or forgot to tell us about. */
export function* pollMedia(ctx: RoundContext, rows: readonly Row<'media'>[]): Work<void> {
  const waiting = rows.filter(
    (row) => row.remoteId !== null && row.values.mediaState !== 'available' && row.values.mediaState !== 'failed',
  );
  if (waiting.length === 0 || isOver(ctx)) return;
  const [only] = waiting;
  const asked = waiting.length === 1 && only !== undefined ? only.remoteId : null;
  const list = yield* readAgain(ctx, 'list media', (ports) => ports.api.media(asked));
  if (!list.ok) return stopFor(ctx, list.error);
  const updates: CellUpdate[] = [];
  for (const row of waiting) {
    const record = list.value.find(({ remoteId }) => remoteId === remoteIdOf(ctx, 'media', row.id));
    if (record === undefined || record.state === null) continue;
    const reason = record.state === 'failed' ? record.reason : null;
    for (const [field, value] of Object.entries({ mediaState: record.state, stateReason: reason })) {
      if (valuesOf(row)[field] !== value) updates.push({ kind: 'media', id: row.id, field, value });
    }
  }
  if (updates.length > 0) yield* tx('media state', (ports) => ports.workspace.setServiceFields(updates));
}

/** Writes what became of a file's upload, and tells the user when it failed. */
export function* setMedia(ctx: RoundContext, id: RowId, fields: Readonly<Record<string, Cell>>): Work<void> {
  const updates = Object.entries(fields).map(([field, value]) => ({ kind: 'media', id, field, value }) as const);
  yield* tx('media state', (ports) => ports.workspace.setServiceFields(updates));
  if (fields['mediaState'] === 'failed') {
    const reason = String(fields['stateReason'] ?? '');
    const name = mediaRow(ctx, id)?.values.mediaName ?? `file ${id}`;
    yield* tell({
      type: 'notice',
      workspaceId: ctx.workspaceId,
      severity: 'error',
      message: `"${name}" was not uploaded. ${reason}`,
      params: { mediaId: id, reason },
    });
  }
}
