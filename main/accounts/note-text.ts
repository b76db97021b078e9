import type { OpeningNote } from '../../shared/contract/backups.ts';
import type { NotWritable } from '../workspace/types.ts';

/** The sentence for something that was found when a workspace was opened: what it is, and the next step. */
export function noteText({ what, backupAt, setAside }: OpeningNote): string {
  const from = backupAt === null ? '' : ` of ${new Date(backupAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const aside = setAside === null ? '' : ` The file that was there is in ${setAside} of the account's folder.`;
  switch (what) {
    case 'restored-after-damage':
      return `The workspace was damaged. The backup${from} has taken its place; look whether something after it is missing.${aside}`;
    case 'restored':
      return `The backup was put back.${aside} Sync asks about everything that was sent after it.`;
    case 'salvaged':
      return `What could be read of the damaged workspace is in a new one.${aside} Refresh before you sync.`;
    case 'view-only':
      return 'The workspace cannot be written just now: look and export as you like; nothing is changed or sent.';
    case 'older-state':
      return 'An older state of the workspace lies here than the one that was closed last. Refresh before you sync.';
    case 'other-file':
      return 'Another workspace lies here than the one that was closed last. Check that it is the one you mean.';
    case 'copied':
      return 'This folder is a copy, and the one it was copied from is still there. Say which of the two goes on; until then nothing is sent.';
  }
}

export const backupFailedText = ({ why }: NotWritable): string =>
  why === 'disk-full'
    ? 'No backup could be made: the disk is full. Free some space.'
    : 'No backup could be made. Check that the folder of backups can be written.';

export const WORKSPACE_FAILED_TEXT =
  'Reading or writing the workspace failed and was started anew. What was confirmed is there; repeat the last step if it is missing.';
