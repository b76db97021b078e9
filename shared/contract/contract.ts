import { accountsContract } from './accounts.ts';
import { afterReviewContract } from './after-review.ts';
import { answersContract } from './answers.ts';
import { appContract, practiceContract, tasksContract } from './app.ts';
import { backupsContract } from './backups.ts';
import { bulkContract } from './bulk.ts';
import { conflictPolicyContract } from './conflict-policy.ts';
import { copyAcrossContract } from './copy-across.ts';
import { exchangeContract } from './exchange.ts';
import { mediaContract } from './files.ts';
import { historyContract } from './history.ts';
import { idsContract } from './ids.ts';
import { itemsContract } from './items.ts';
import { knownContract } from './known.ts';
import { launchContract } from './launch.ts';
import { newsContract } from './news.ts';
import { notesContract } from './notes.ts';
import { pasteContract } from './paste.ts';
import { picturesContract } from './pictures.ts';
import { reportsContract } from './reports.ts';
import { requestsContract } from './requests.ts';
import { rulesContract } from './rules.ts';
import { secretsContract } from './secrets.ts';
import { accountStatusContract } from './standing.ts';
import { swapsContract } from './swaps.ts';
import { reviewContract, syncContract } from './sync.ts';
import { rollbackContract } from './take-back.ts';
import { templatesContract } from './templates.ts';
import { uploadHostsContract } from './upload-hosts.ts';
import { rejectionsContract } from './verdicts.ts';
import { viewsContract } from './views.ts';
import { waitingContract } from './waiting.ts';
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
