import { type AccountActions, accountActions } from './account-actions.ts';
import { type BackupActions, backupActions } from './backup-actions.ts';
import { type BulkActions, bulkActions } from './bulk-actions.ts';
import { type CheckActions, checkActions } from './check-actions.ts';
import type { ActionContext } from './doing.ts';
import { type FileActions, fileActions } from './file-actions.ts';
import { type HistoryActions, historyActions } from './history-actions.ts';
import { type ItemActions, itemActions } from './item-actions.ts';
import { type NoteActions, noteActions } from './note-actions.ts';
import { type ReportActions, reportActions } from './report-actions.ts';
import { type RowActions, rowActions } from './row-actions.ts';
import { type SyncActions, syncActions } from './sync-actions.ts';

/**
 * What the user can do, each of it one call away for buttons, menus, shortcuts and the palette alike. What is done in one
 * dialog alone comes with the dialog (`useActions`).
 */
export type Actions = RowActions &
  NoteActions &
  BulkActions &
  FileActions &
  SyncActions &
  AccountActions &
  BackupActions &
  CheckActions &
  HistoryActions &
  ItemActions &
  ReportActions;

export const createActions = (doing: ActionContext): Actions => ({
  ...rowActions(doing),
  ...bulkActions(doing),
  ...noteActions(doing),
  ...fileActions(doing),
  ...syncActions(doing),
  ...accountActions(doing),
  ...backupActions(doing),
  ...checkActions(doing),
  ...historyActions(doing),
  ...itemActions(doing),
  ...reportActions(doing),
});
