import type { AppEvent } from '../../shared/contract/app.ts';
import type { OpeningNote } from '../../shared/contract/backups.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { Clock } from '../clock.ts';
import type { NotWritable } from '../workspace/types.ts';
import { backUpInto, backupsFolder, type MadeBackup } from './backup-folder.ts';
import { type BackupKeeper, createBackupKeeper } from './backup-keeper.ts';
import type { BackupReason } from './backup-retention.ts';
import { backupFailedText, noteText } from './note-text.ts';
import type { SafelyOpened } from './open-safely.ts';
import type { Openings } from './openings.ts';

/** What keeps the data of one open workspace safe, and what was found when it was opened. */
export interface WorkspaceSafety {
  readonly viewOnly: NotWritable | null;
  notes(): readonly OpeningNote[];
  backUp(reason: BackupReason, spared?: string): Promise<Result<MadeBackup, NotWritable>>;
  /** A backup before something is sent; none when nothing was edited since the last one. */
  backUpBeforeSync(): Promise<Result<unknown, NotWritable>>;
  /** Why nothing may be sent, or null. */
  reasonNotToSend(): NotWritable | null;
  /** The user has said which of two copies this is. */
  settleCopy(): Promise<void>;
  readonly keeper: BackupKeeper;
}

export async function watchWorkspace(deps: {
  readonly opened: SafelyOpened;
  readonly workspaceId: WorkspaceId;
  readonly folder: string;
  readonly clock: Clock;
  readonly openings: Openings;
  readonly emit: (event: AppEvent) => void;
  /** What whoever put another file in the place of this one has to say about it. */
  readonly expected: () => OpeningNote | null;
}): Promise<WorkspaceSafety> {
  const { opened, workspaceId, folder, clock, openings } = deps;
  const { workspace, viewOnly } = opened;
  const found = [...opened.notes];
  if (viewOnly === null) {
    const recognised = await openings.note(workspaceId, workspace, folder);
    const expected = deps.expected();
    if (expected !== null) {
      found.push(expected);
    } else if (recognised !== 'as-left' && found.length === 0) {
      found.push({ what: recognised, detail: '', backupAt: null, setAside: null });
    }
  }
  const tell = (severity: 'warning' | 'error', message: string, params: Record<string, string | number | null>) =>
    deps.emit({ type: 'notice', workspaceId, severity, message, params });
  for (const note of found) tell('warning', noteText(note), { ...note });

  /** What users had written when the last backup began; a sync writes as well, and that is no reason for one. */
  let saved: string | null = null;
  const backUp: WorkspaceSafety['backUp'] = async (reason, spared) => {
    const mark = await workspace.editMark();
    const made = await backUpInto(backupsFolder(folder), workspace, reason, clock.nowMs(), spared);
    if (made.ok) saved = mark;
    return made;
  };
  return {
    viewOnly,
    notes: () => found,
    backUp,
    backUpBeforeSync: async () => ((await workspace.editMark()) === saved ? ok(null) : backUp('before-sync')),
    reasonNotToSend: () => {
      if (viewOnly !== null) return viewOnly;
      if (!found.some(({ what }) => what === 'copied')) return null;
      return { kind: 'not-writable', why: 'copied', detail: 'the folder it was copied from is still there' };
    },
    settleCopy: async () => {
      await openings.settle(workspace, folder);
      const at = found.findIndex(({ what }) => what === 'copied');
      if (at !== -1) found.splice(at, 1);
    },
    keeper: createBackupKeeper({
      workspace,
      clock,
      backUp: () => backUp('timed'),
      failed: (problem) =>
        tell('error', backupFailedText(problem), { what: 'backup-failed', why: problem.why, detail: problem.detail }),
    }),
  };
}
