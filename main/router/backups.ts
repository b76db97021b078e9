import type { RestoreRefused } from '../accounts/backup-service.ts';
import { type NotWritableError, notWritable, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const backupsRouter = ({ open, backups, accounts }: CoreParts) => ({
  list: os.backups.list.handler(({ input }) => backups.list(input.workspaceId)),
  make: os.backups.make.handler(async ({ input, errors }) => {
    const { safety } = await opened(open, input.workspaceId, errors);
    const made = await safety.backUp('by-hand');
    if (!made.ok) throw notWritable(made.error, errors.NOT_WRITABLE);
    const { id, reason, at, bytes } = made.value;
    return { backupId: id, reason, at, bytes };
  }),
  preview: os.backups.preview.handler(async ({ input, errors }) => {
    const preview = await backups.preview(input.workspaceId, input.backupId);
    if (preview.ok) return preview.value;
    throw refusal(preview.error, input, errors);
  }),
  restore: os.backups.restore.handler(async ({ input, errors }) => {
    const restored = await backups.restore(input.workspaceId, input.backupId);
    if (restored.ok) return restored.value;
    if (restored.error.kind === 'sync-running') throw errors.SYNC_RUNNING({ data: { runId: restored.error.runId } });
    throw refusal(restored.error, input, errors);
  }),
  salvage: os.backups.salvage.handler(async ({ input, errors }) => {
    const { workspaceId } = input;
    const isKnown = (await accounts.list()).some((account) => account.workspaceId === workspaceId);
    if (!isKnown) throw errors.NO_WORKSPACE({ data: { workspaceId } });
    const salvaged = await backups.salvage(workspaceId);
    if (!salvaged.ok) throw notWritable(salvaged.error, errors.NOT_WRITABLE);
    return salvaged.value;
  }),
  condition: os.backups.condition.handler(async ({ input, errors }) => {
    const { safety } = await opened(open, input.workspaceId, errors);
    return { writable: safety.viewOnly === null, notes: [...safety.notes()] };
  }),
  settle: os.backups.settle.handler(async ({ input, errors }) => {
    const { safety } = await opened(open, input.workspaceId, errors);
    if (input.this === 'copied') await accounts.change(input.workspaceId, { mode: 'read-only' });
    await safety.settleCopy();
    return {};
  }),
});

interface RestoreErrors {
  readonly NO_WORKSPACE: (facts: { data: { workspaceId: string } }) => Error;
  readonly NO_BACKUP: (facts: { data: { backupId: string } }) => Error;
  readonly NOT_WRITABLE: NotWritableError;
}

function refusal(
  problem: RestoreRefused,
  { workspaceId, backupId }: { readonly workspaceId: string; readonly backupId: string },
  errors: RestoreErrors,
): Error {
  switch (problem.kind) {
    case 'no-account':
      return errors.NO_WORKSPACE({ data: { workspaceId } });
    case 'not-writable':
      return notWritable(problem, errors.NOT_WRITABLE);
    default:
      return errors.NO_BACKUP({ data: { backupId } });
  }
}
