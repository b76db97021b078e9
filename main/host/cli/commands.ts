import type { Command } from './command.ts';
import { accountCommands, profileCommand, secretsCommands } from './verbs/accounts.ts';
import { answersCommand, ledgerCommand } from './verbs/answers.ts';
import { backupCommands } from './verbs/backup.ts';
import { checkCommand, ruleCommands } from './verbs/check.ts';
import { conflictCommands, questionCommands } from './verbs/conflicts.ts';
import { exportCommand } from './verbs/export.ts';
import { idCommands, itemCommands } from './verbs/ids.ts';
import { importCommand } from './verbs/import.ts';
import { campaignsCommand, knownCommands } from './verbs/known.ts';
import { mediaCommands, uploadHostsCommand } from './verbs/media.ts';
import { planCommand, planReplayCommand, takeBackCommand } from './verbs/plan.ts';
import { practiceCommands } from './verbs/practice.ts';
import { reportCommands } from './verbs/report.ts';
import { reviewCommands } from './verbs/review.ts';
import { refreshCommand, statusCommand, supportCommand, waitingCommand } from './verbs/status.ts';
import { syncCommand } from './verbs/sync.ts';

/** Every verb, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...accountCommands,
  ...secretsCommands,
  profileCommand,
  refreshCommand,
  importCommand,
  exportCommand,
  ...mediaCommands,
  ...itemCommands,
  ...idCommands,
  ...knownCommands,
  campaignsCommand,
  checkCommand,
  ...ruleCommands,
  planCommand,
  planReplayCommand,
  syncCommand,
  waitingCommand,
  statusCommand,
  takeBackCommand,
  uploadHostsCommand,
  ledgerCommand,
  answersCommand,
  ...reviewCommands,
  ...questionCommands,
  ...conflictCommands,
  ...reportCommands,
  ...backupCommands,
  ...practiceCommands,
  supportCommand,
];
