import { z } from 'zod';
import { readPolicy } from '../merge/conflict-policy.ts';
import { accountStatusContract } from './account-status.ts';
import { accountsContract } from './accounts.ts';
import { afterReviewContract } from './after-review.ts';
import { appContract, practiceContract, tasksContract } from './app.ts';
import { backupsContract } from './backups.ts';
import { bulkContract } from './bulk.ts';
import { knownContract } from './campaign-ids.ts';
import { copyAcrossContract } from './copy-across.ts';
import { secretsContract } from './credentials.ts';
import { exchangeContract } from './exchange.ts';
import { mediaContract } from './files.ts';
import { historyContract } from './history.ts';
import { idsContract } from './ids.ts';
import { launchContract } from './launch.ts';
import { notesContract } from './notes.ts';
import { newsContract } from './notifications.ts';
import { operation } from './operation.ts';
import { pasteContract } from './paste.ts';
import { waitingContract } from './pending.ts';
import { picturesContract } from './pictures.ts';
import { rejectionsContract } from './rejections.ts';
import { reportsContract } from './reports.ts';
import { requestsContract } from './requests.ts';
import { answersContract } from './responses.ts';
import { rollbackContract } from './rollback.ts';
import { rulesContract } from './rules.ts';
import { swapsContract } from './swaps.ts';
import { reviewContract, syncContract } from './sync.ts';
import { templatesContract } from './templates.ts';
import { uploadHostsContract } from './upload-hosts.ts';
import { viewsContract } from './views.ts';
import { workspaceContract } from './workspace.ts';

const PolicyText = z
  .string()
  .max(2000)
  .refine((text) => readPolicy(text).ok, 'not a policy');

const kept = z.strictObject({ text: z.string() });

/** Which side counts in conflicts of this account (`shared/merge/conflict-policy.ts`); an empty text asks each time. */
const conflictPolicyContract = {
  get: operation({ runs: 'main', output: kept }),
  /** Used from the next read of the service on; conflicts that are open stay the user's. */
  set: operation({ runs: 'main', access: 'write', input: { text: PolicyText }, output: kept }),
};

const itemsContract = {
  /** Item search of the service, by text or by ids (document, "POST /api/v1/itemSearch"). */
  search: operation({
    runs: 'main',
    access: 'ask',
    input: {
      text: z.string().max(200).nullable(),
      ids: z.array(z.string().max(40)).max(200).nullable(),
    },
    output: z.array(
      z.strictObject({
        itemId: z.string(),
        name: z.string(),
        suggestedBidCents: z.int().nullable(),
        imageUrl: z.string().nullable(),
        pageUrl: z.string().nullable(),
        /** Sizes, colors and the like, each an item of its own that can be added. */
        variants: z.array(z.strictObject({ itemId: z.string(), name: z.string(), imageUrl: z.string().nullable() })),
      }),
    ),
    errors: ['UNREACHABLE', 'SERVICE_ANSWERED', 'BAD_CREDENTIALS'],
  }),
  /**
   * What the catalog says of one item: from the last search that showed it, else asked now. Null when it says nothing, or
   * cannot be asked.
   */
  about: operation({
    runs: 'main',
    input: { itemId: z.string().min(1).max(40) },
    output: z.strictObject({ itemId: z.string(), name: z.string(), pageUrl: z.string().nullable() }).nullable(),
  }),
  /**
   * Looks up the new items that no search has confirmed: from sheets, typed, or refused before. What is said of them
   * turns up among the findings; `refused` are the ids that cannot be added. A sync does the same before it sends.
   */
  confirm: operation({
    runs: 'main',
    access: 'ask',
    output: z.strictObject({ asked: z.int(), found: z.int(), refused: z.array(z.string()) }),
    errors: ['UNREACHABLE', 'SERVICE_ANSWERED', 'BAD_CREDENTIALS'],
  }),
};

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
