import { accountStatusContract, accountsContract, credentialsContract, uploadHostsContract } from './accounts.ts';
import { appContract, notificationsContract, practiceContract, tasksContract } from './app.ts';
import { backupsContract } from './backups.ts';
import { bulkContract, copyToAccountContract, pasteContract } from './bulk.ts';
import { bannerSwapsContract, campaignIdsContract, launchContract, templatesContract } from './campaigns.ts';
import { checklistContract } from './checklist.ts';
import { compareContract } from './compare.ts';
import { exchangeContract, mediaContract } from './files.ts';
import { historyContract } from './history.ts';
import { itemIdsContract, itemsContract, picturesContract } from './items.ts';
import { metricsContract } from './metrics.ts';
import { notesContract } from './notes.ts';
import { inboxContract, overviewContract } from './overview.ts';
import { reportsContract } from './reports.ts';
import { requestsContract, responsesContract } from './requests.ts';
import { afterReviewContract, rejectionsContract, reviewContract } from './reviews.ts';
import { rulesContract } from './rules.ts';
import { storyboardContract } from './storyboard.ts';
import { suggestionsContract } from './suggestions.ts';
import { conflictPolicyContract, pendingContract, rollbackContract, syncContract } from './sync.ts';
import { teamContract } from './team.ts';
import { viewsContract } from './views.ts';
import { watchedFolderContract } from './watched-folder.ts';
import { workspaceContract } from './workspace.ts';

/**
 * All operations of main for windows and the command line, in one tree. Types, run-time checks, typed errors, the
 * event stream and both transports derive from it; secrets, paths, URLs to fetch and SQL never cross it.
 */
export const contract = {
  app: appContract,
  tasks: tasksContract,
  accounts: accountsContract,
  credentials: credentialsContract,
  checklist: checklistContract,
  backups: backupsContract,
  workspace: workspaceContract,
  rules: rulesContract,
  templates: templatesContract,
  bulk: bulkContract,
  copyToAccount: copyToAccountContract,
  paste: pasteContract,
  history: historyContract,
  compare: compareContract,
  storyboard: storyboardContract,
  views: viewsContract,
  notes: notesContract,
  notifications: notificationsContract,
  media: mediaContract,
  watchedFolder: watchedFolderContract,
  exchange: exchangeContract,
  sync: syncContract,
  conflictPolicy: conflictPolicyContract,
  accountStatus: accountStatusContract,
  pending: pendingContract,
  requests: requestsContract,
  responses: responsesContract,
  rollback: rollbackContract,
  uploadHosts: uploadHostsContract,
  review: reviewContract,
  afterReview: afterReviewContract,
  launch: launchContract,
  rejections: rejectionsContract,
  bannerSwaps: bannerSwapsContract,
  items: itemsContract,
  pictures: picturesContract,
  itemIds: itemIdsContract,
  campaignIds: campaignIdsContract,
  reports: reportsContract,
  suggestions: suggestionsContract,
  metrics: metricsContract,
  overview: overviewContract,
  inbox: inboxContract,
  practice: practiceContract,
  team: teamContract,
};
export type Contract = typeof contract;
