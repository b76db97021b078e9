import type { machines } from '../../sandbox/states.ts';

/**
 * Every change of state that the service knows, written down from the document and not from the sandbox: the coverage
 * check holds the tables of the sandbox against this list, and walks and cases hold its behaviour against it.
 *
 * `document`: "States and transitions" or another section says so. `shapes`: the document leaves it open and our choice of
 * wire shapes fills it. `ours`: neither says; the README of the sandbox gives the reason.
 */
interface DocumentMove {
  readonly machine: keyof typeof machines;
  readonly from: string;
  readonly to: string;
  readonly source: 'document' | 'shapes' | 'ours';
  /** Where it stands, or why it must be so. */
  readonly where: string;
}

type Row = readonly [source: DocumentMove['source'], where: string, ...steps: readonly `${string}>${string}`[]];

/** The review of a part that is pending again whenever it is enabled. */
const reviewOfPart = (pending: string): readonly Row[] => [
  ['document', pending, '(new)>pending'],
  ['document', 'GET /api/v1/review: approved or rejected per component', 'pending>approved', 'pending>rejected'],
  ['document', pending, 'approved>pending', 'rejected>pending'],
  [
    'ours',
    'ad operations revise an outcome, as the document has it for profiles',
    'approved>rejected',
    'rejected>approved',
  ],
];

/** By machine; a new row comes from "(new)". */
const MOVES: Readonly<Record<DocumentMove['machine'], readonly Row[]>> = {
  campaign: [
    ['document', 'Campaign status: campaign creation', '(new)>enabled'],
    ['document', 'Campaign status: new campaign', 'enabled>proposal', 'proposal>enabled'],
    ['document', 'Campaign status: auto-scheduling after review', 'enabled>scheduled'],
    ['document', 'Campaign status: start date reached', 'scheduled>live'],
    ['document', 'Campaign status: partner pauses, or profile rejected', 'live>paused'],
    ['document', 'Campaign status: partner re-enables', 'paused>enabled'],
    ['document', 'Campaign status: then rescheduled', 'enabled>rescheduled'],
    ['document', 'Campaign status: then live', 'rescheduled>live'],
    ['document', 'Campaign status: ends or is ended', 'live>completed'],
    ['document', 'Campaign status: partner extends', 'completed>rescheduled'],
    ['ours', 'a profile rejected on the schedule: it must not go live', 'scheduled>proposal', 'rescheduled>paused'],
  ],
  adGroup: [
    ['document', 'POST /api/v1/adGroups: status', '(new)>enabled', '(new)>disabled'],
    ['shapes', 'ad groups have a status; updating them is an extension', 'enabled>disabled', 'disabled>enabled'],
  ],
  adItem: [
    ['document', 'POST /api/v1/adItems: status', '(new)>enabled', '(new)>disabled'],
    [
      'document',
      'PUT /api/v1/adItems: status values',
      'enabled>disabled',
      'disabled>enabled',
      'enabled>deleted',
      'disabled>deleted',
    ],
  ],
  adItemReview: reviewOfPart('New or re-enabled ad item: pending'),
  keyword: [
    ['shapes', 'state: the partner’s switch', '(new)>enabled', '(new)>paused'],
    [
      'shapes',
      'state: the partner’s switch',
      'enabled>paused',
      'paused>enabled',
      'enabled>archived',
      'paused>archived',
    ],
  ],
  keywordReview: reviewOfPart('New or re-enabled keyword: pending'),
  sbaProfile: [
    ['document', 'the first profile created in a create request is enabled', '(new)>enabled', '(new)>disabled'],
    ['document', 'PUT can set status to either value', 'enabled>disabled', 'disabled>enabled'],
  ],
  sbaProfileReview: [
    ['document', 'SBA profile: pending, complete', '(new)>pending'],
    ['shapes', 'complete, the reason telling the outcome', 'pending>complete'],
    ['shapes', 'a content or logo change sets pending', 'complete>pending'],
  ],
  videoProfile: [
    ['document', 'created enabled by default', '(new)>enabled', '(new)>disabled'],
    ['shapes', 'created enabled; updating is an extension', 'enabled>disabled', 'disabled>enabled'],
  ],
  videoProfileReview: [
    ['document', 'created with review pending', '(new)>pending'],
    ['document', 'GET /api/v1/review: approved or rejected per component', 'pending>approved', 'pending>rejected'],
    ['document', 'Campaign status: review revised with profile rejected by ad operations', 'approved>rejected'],
    [
      'document',
      'Campaign status: pause, update the profile, get it reviewed; a rejected one must be changed and resubmitted',
      'approved>pending',
      'rejected>pending',
    ],
    ['ours', 'ad operations revise an outcome the other way', 'rejected>approved'],
  ],
  review: [
    ['ours', 'the first of the values', '(new)>pending'],
    ['document', 'Review status: cancellation requested', 'pending>cancelled', 'in-progress>cancelled'],
    ['ours', 'the values in the order in which they make sense', 'pending>in-progress'],
    [
      'ours',
      'decided early or on time',
      'pending>approved',
      'pending>rejected',
      'in-progress>approved',
      'in-progress>rejected',
    ],
  ],
  reviewComponent: [
    ['ours', 'not decided yet', '(new)>pending'],
    ['document', 'GET /api/v1/review: approved or rejected per component', 'pending>approved', 'pending>rejected'],
  ],
  media: [
    ['shapes', 'availability', '(new)>pending'],
    ['shapes', 'availability', 'pending>processing', 'processing>available', 'processing>failed'],
    ['ours', 'the retailer blocks a film, or lets it pass', 'available>failed', 'failed>available'],
  ],
  reportFile: [
    ['document', 'returns a download URL or data; a job to poll is an extension', '(new)>done', '(new)>pending'],
    ['shapes', 'jobStatus', 'pending>processing', 'processing>done', 'done>expired'],
  ],
  account: [
    ['document', 'Item identifier migration: not migrated, migrated', '(new)>0', '(new)>1'],
    ['document', 'Item identifier migration: not migrated, migrated', '0>1'],
  ],
};

const entries = Object.entries(MOVES) as readonly (readonly [DocumentMove['machine'], readonly Row[]])[];
export const documentMoves: readonly DocumentMove[] = entries.flatMap(([machine, rows]) =>
  rows.flatMap(([source, where, ...steps]) =>
    steps.map((step) => {
      const [from = '', to = ''] = step.split('>');
      return { machine, from, to, source, where };
    }),
  ),
);
