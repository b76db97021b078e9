import { accountStatusContract, accountsContract, secretsContract, uploadHostsContract } from './accounts.ts';
import { appContract, newsContract, practiceContract, tasksContract } from './app.ts';
import { backupsContract } from './backups.ts';
import { bulkContract, copyAcrossContract, pasteContract } from './bulk.ts';
import { knownContract, launchContract, swapsContract, templatesContract } from './campaigns.ts';
import { exchangeContract, mediaContract } from './files.ts';
import { historyContract } from './history.ts';
import { idsContract, itemsContract, picturesContract } from './items.ts';
import { notesContract } from './notes.ts';
import { reportsContract } from './reports.ts';
import { answersContract, requestsContract } from './requests.ts';
import { afterReviewContract, rejectionsContract, reviewContract } from './reviews.ts';
import { rulesContract } from './rules.ts';
import { conflictPolicyContract, rollbackContract, syncContract, waitingContract } from './sync.ts';
import { viewsContract } from './views.ts';
import { workspaceContract } from './workspace.ts';

/**
 * Everything a window or the command line may ask of main, in one tree. Types, run-time checks, typed errors,
 * the event stream and both transports come from here; secrets, paths, URLs to fetch and SQL never cross it.
 */
export const contract = {
  app: appContract,
  tasks: tasksContract,
  accounts: accountsContract,
  secrets: secretsContract,
  backups: backupsContract,
  workspace: workspaceContract,
  rules: rulesContract,
  templates: templatesContract,
  bulk: bulkContract,
  copyAcross: copyAcrossContract,
  paste: pasteContract,
  history: historyContract,
  views: viewsContract,
  notes: notesContract,
  news: newsContract,
  media: mediaContract,
  exchange: exchangeContract,
  sync: syncContract,
  conflictPolicy: conflictPolicyContract,
  standing: accountStatusContract,
  waiting: waitingContract,
  requests: requestsContract,
  answers: answersContract,
  takeBack: rollbackContract,
  uploadHosts: uploadHostsContract,
  review: reviewContract,
  afterReview: afterReviewContract,
  launch: launchContract,
  verdicts: rejectionsContract,
  swaps: swapsContract,
  items: itemsContract,
  pictures: picturesContract,
  ids: idsContract,
  known: knownContract,
  reports: reportsContract,
  practice: practiceContract,
};
export type Contract = typeof contract;
