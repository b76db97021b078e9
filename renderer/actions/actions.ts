import { type AccountActions, accountActions } from './account-actions.ts';
import { type AfterSyncActions, afterSyncActions } from './after-sync-actions.ts';
import { type BackupActions, backupActions } from './backup-actions.ts';
import { type BulkActions, bulkActions } from './bulk-actions.ts';
import { type CheckActions, checkActions } from './check-actions.ts';
import type { Doing } from './doing.ts';
import { type FileActions, fileActions } from './file-actions.ts';
import { type HistoryActions, historyActions } from './history-actions.ts';
import { type ItemActions, itemActions } from './item-actions.ts';
import { type KnownActions, knownActions } from './known-actions.ts';
import { type NoteActions, noteActions } from './note-actions.ts';
import { type ReportActions, reportActions } from './report-actions.ts';
import { type RowActions, rowActions } from './row-actions.ts';
import { type RuleActions, ruleActions } from './rule-actions.ts';
import { type SecretActions, secretActions } from './secret-actions.ts';
import { type SwapActions, swapActions } from './swap-actions.ts';
import { type SyncActions, syncActions } from './sync-actions.ts';
import { type TemplateActions, templateActions } from './template-actions.ts';

/** What the user can do, each of it one call away for buttons, menus, shortcuts and the palette alike. */
export type Actions = RowActions &
  NoteActions &
  BulkActions &
  FileActions &
  SyncActions &
  SwapActions &
  AfterSyncActions &
  AccountActions &
  SecretActions &
  BackupActions &
  CheckActions &
  HistoryActions &
  RuleActions &
  ItemActions &
  KnownActions &
  ReportActions &
  TemplateActions;

export const createActions = (doing: Doing): Actions => ({
  ...rowActions(doing),
  ...bulkActions(doing),
  ...noteActions(doing),
  ...fileActions(doing),
  ...syncActions(doing),
  ...swapActions(doing),
  ...afterSyncActions(doing),
  ...accountActions(doing),
  ...secretActions(doing),
  ...backupActions(doing),
  ...checkActions(doing),
  ...historyActions(doing),
  ...ruleActions(doing),
  ...itemActions(doing),
  ...knownActions(doing),
  ...reportActions(doing),
  ...templateActions(doing),
});
