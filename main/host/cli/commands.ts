import type { Command } from './command.ts';
import { accountCommands, deploymentCommand, credentialCommands } from './verbs/accounts.ts';
import { responsesCommand, requestsCommand } from './verbs/answers.ts';
import { backupCommands } from './verbs/backup.ts';
import { checkCommand, ruleCommands } from './verbs/check.ts';
import { conflictCommands, questionCommands } from './verbs/conflicts.ts';
import { exportCommand } from './verbs/export.ts';
import { itemIdCommands, itemCommands } from './verbs/ids.ts';
import { importCommand } from './verbs/import.ts';
import { campaignsCommand, campaignCommands } from './verbs/known.ts';
import { mediaCommands, mediaHostsCommand } from './verbs/media.ts';
import { planCommand, planReplayCommand, rollbackCommand } from './verbs/plan.ts';
import { practiceCommands } from './verbs/practice.ts';
import { reportCommands } from './verbs/report.ts';
import { reviewCommands } from './verbs/review.ts';
import { refreshCommand, statusCommand, supportCommand, pendingCommand } from './verbs/status.ts';
import { syncCommand } from './verbs/sync.ts';

/** Every verb, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...accountCommands,
  ...credentialCommands,
  deploymentCommand,
  refreshCommand,
  importCommand,
  exportCommand,
  ...mediaCommands,
  ...itemCommands,
  ...itemIdCommands,
  ...campaignCommands,
  campaignsCommand,
  checkCommand,
  ...ruleCommands,
  planCommand,
  planReplayCommand,
  syncCommand,
  pendingCommand,
  statusCommand,
  rollbackCommand,
  mediaHostsCommand,
  requestsCommand,
  responsesCommand,
  ...reviewCommands,
  ...questionCommands,
  ...conflictCommands,
  ...reportCommands,
  ...backupCommands,
  ...practiceCommands,
  supportCommand,
];
