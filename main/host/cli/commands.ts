import type { Command } from './command.ts';
import { accountCommands } from './verbs/accounts.ts';
import { answersCommand } from './verbs/answers.ts';
import { backupCommands } from './verbs/backup.ts';
import { campaignsCommand } from './verbs/campaigns.ts';
import { checkCommand } from './verbs/check.ts';
import { conflictCommands } from './verbs/conflicts.ts';
import { exportCommand } from './verbs/export.ts';
import { idCommands } from './verbs/ids.ts';
import { importCommand } from './verbs/import.ts';
import { itemCommands } from './verbs/items.ts';
import { knownCommands } from './verbs/known.ts';
import { ledgerCommand } from './verbs/ledger.ts';
import { mediaCommands } from './verbs/media.ts';
import { planCommand } from './verbs/plan.ts';
import { planReplayCommand } from './verbs/plan-replay.ts';
import { practiceCommands } from './verbs/practice.ts';
import { profileCommand } from './verbs/profile.ts';
import { questionCommands } from './verbs/questions.ts';
import { refreshCommand } from './verbs/refresh.ts';
import { reportCommands } from './verbs/report.ts';
import { reviewCommands } from './verbs/review.ts';
import { ruleCommands } from './verbs/rules.ts';
import { secretsCommands } from './verbs/secrets.ts';
import { statusCommand } from './verbs/status.ts';
import { supportCommand } from './verbs/support.ts';
import { syncCommand } from './verbs/sync.ts';
import { takeBackCommand } from './verbs/take-back.ts';
import { uploadHostsCommand } from './verbs/upload-hosts.ts';
import { waitingCommand } from './verbs/waiting.ts';

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
