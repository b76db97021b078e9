import type { machines } from '../../sandbox/states.ts';

/**
 * Every change of state that the service knows, written down from the document and not from the sandbox: the coverage
 * check holds the tables of the sandbox against this list, and walks and cases hold its behaviour against it.
 *
 * `document`: "States and transitions" or another section says so. `shapes`: the document leaves it open and our choice of
 * wire shapes fills it. `ours`: neither says; the README of the sandbox gives the reason.
 */
export interface DocumentMove {
  readonly machine: keyof typeof machines;
  readonly from: string;
  readonly to: string;
  readonly source: 'document' | 'shapes' | 'ours';
  /** Where it stands, or why it must be so. */
  readonly where: string;
}

const moves = (
  machine: DocumentMove['machine'],
  source: DocumentMove['source'],
  where: string,
  ...steps: readonly (readonly [from: string, to: string])[]
): readonly DocumentMove[] => steps.map(([from, to]) => ({ machine, from, to, source, where }));

const enabledAndDisabled = [
  ['enabled', 'disabled'],
  ['disabled', 'enabled'],
] as const;

/** What new rows begin as. */
const begins = (
  machine: DocumentMove['machine'],
  source: DocumentMove['source'],
  where: string,
  ...words: readonly string[]
): readonly DocumentMove[] => words.map((to) => ({ machine, from: '(new)', to, source, where }));

export const documentMoves: readonly DocumentMove[] = [
  ...begins('campaign', 'document', 'Campaign status: campaign creation', 'enabled'),
  ...begins('adGroup', 'document', 'POST /api/v1/adGroups: status', 'enabled', 'disabled'),
  ...begins('adItem', 'document', 'POST /api/v1/adItems: status', 'enabled', 'disabled'),
  ...begins('adItemReview', 'document', 'New or re-enabled ad item: pending', 'pending'),
  ...begins('keyword', 'shapes', 'state: the partner’s switch', 'enabled', 'paused'),
  ...begins('keywordReview', 'document', 'New or re-enabled keyword: pending', 'pending'),
  ...begins(
    'sbaProfile',
    'document',
    'the first profile created in a create request is enabled',
    'enabled',
    'disabled',
  ),
  ...begins('sbaProfileReview', 'document', 'SBA profile: pending, complete', 'pending'),
  ...begins('videoProfile', 'document', 'created enabled by default', 'enabled', 'disabled'),
  ...begins('videoProfileReview', 'document', 'created with review pending', 'pending'),
  ...begins('review', 'ours', 'the first of the values', 'pending'),
  ...begins('reviewComponent', 'ours', 'not decided yet', 'pending'),
  ...begins('media', 'shapes', 'availability', 'pending'),
  ...begins(
    'reportFile',
    'document',
    'returns a download URL or data; a job to poll is an extension',
    'done',
    'pending',
  ),
  ...begins('account', 'document', 'Item identifier migration: not migrated, migrated', '0', '1'),

  ...moves('campaign', 'document', 'Campaign status: new campaign', ['enabled', 'proposal'], ['proposal', 'enabled']),
  ...moves('campaign', 'document', 'Campaign status: auto-scheduling after review', ['enabled', 'scheduled']),
  ...moves('campaign', 'document', 'Campaign status: start date reached', ['scheduled', 'live']),
  ...moves('campaign', 'document', 'Campaign status: partner pauses, or profile rejected', ['live', 'paused']),
  ...moves('campaign', 'document', 'Campaign status: partner re-enables', ['paused', 'enabled']),
  ...moves('campaign', 'document', 'Campaign status: then rescheduled', ['enabled', 'rescheduled']),
  ...moves('campaign', 'document', 'Campaign status: then live', ['rescheduled', 'live']),
  ...moves('campaign', 'document', 'Campaign status: ends or is ended', ['live', 'completed']),
  ...moves('campaign', 'document', 'Campaign status: partner extends', ['completed', 'rescheduled']),
  ...moves(
    'campaign',
    'ours',
    'a profile rejected on the schedule: it must not go live',
    ['scheduled', 'proposal'],
    ['rescheduled', 'paused'],
  ),

  ...moves('adGroup', 'shapes', 'ad groups have a status; updating them is an extension', ...enabledAndDisabled),

  ...moves('adItem', 'document', 'PUT /api/v1/adItems: status values', ...enabledAndDisabled),
  ...moves('adItem', 'document', 'PUT /api/v1/adItems: status values', ['enabled', 'deleted'], ['disabled', 'deleted']),
  ...moves(
    'adItemReview',
    'document',
    'GET /api/v1/review: approved or rejected per component',
    ['pending', 'approved'],
    ['pending', 'rejected'],
  ),
  ...moves(
    'adItemReview',
    'document',
    'New or re-enabled ad item: pending',
    ['approved', 'pending'],
    ['rejected', 'pending'],
  ),
  ...moves(
    'adItemReview',
    'ours',
    'ad operations revise an outcome, as the document has it for profiles',
    ['approved', 'rejected'],
    ['rejected', 'approved'],
  ),

  ...moves('keyword', 'shapes', 'state: the partner’s switch', ['enabled', 'paused'], ['paused', 'enabled']),
  ...moves('keyword', 'shapes', 'state: the partner’s switch', ['enabled', 'archived'], ['paused', 'archived']),
  ...moves(
    'keywordReview',
    'document',
    'GET /api/v1/review: approved or rejected per component',
    ['pending', 'approved'],
    ['pending', 'rejected'],
  ),
  ...moves(
    'keywordReview',
    'document',
    'New or re-enabled keyword: pending',
    ['approved', 'pending'],
    ['rejected', 'pending'],
  ),
  ...moves(
    'keywordReview',
    'ours',
    'ad operations revise an outcome, as the document has it for profiles',
    ['approved', 'rejected'],
    ['rejected', 'approved'],
  ),

  ...moves('sbaProfile', 'document', 'PUT can set status to either value', ...enabledAndDisabled),
  ...moves('sbaProfileReview', 'shapes', 'complete, the reason telling the outcome', ['pending', 'complete']),
  ...moves('sbaProfileReview', 'shapes', 'a content or logo change sets pending', ['complete', 'pending']),

  ...moves('videoProfile', 'shapes', 'created enabled; updating is an extension', ...enabledAndDisabled),
  ...moves(
    'videoProfileReview',
    'document',
    'GET /api/v1/review: approved or rejected per component',
    ['pending', 'approved'],
    ['pending', 'rejected'],
  ),
  ...moves('videoProfileReview', 'document', 'Campaign status: review revised with profile rejected by ad operations', [
    'approved',
    'rejected',
  ]),
  ...moves(
    'videoProfileReview',
    'document',
    'Campaign status: pause, update the profile, get it reviewed; a rejected one must be changed and resubmitted',
    ['approved', 'pending'],
    ['rejected', 'pending'],
  ),
  ...moves('videoProfileReview', 'ours', 'ad operations revise an outcome the other way', ['rejected', 'approved']),

  ...moves(
    'review',
    'document',
    'Review status: cancellation requested',
    ['pending', 'cancelled'],
    ['in-progress', 'cancelled'],
  ),
  ...moves('review', 'ours', 'the values in the order in which they make sense', ['pending', 'in-progress']),
  ...moves(
    'review',
    'ours',
    'decided early or on time',
    ['pending', 'approved'],
    ['pending', 'rejected'],
    ['in-progress', 'approved'],
    ['in-progress', 'rejected'],
  ),
  ...moves(
    'reviewComponent',
    'document',
    'GET /api/v1/review: approved or rejected per component',
    ['pending', 'approved'],
    ['pending', 'rejected'],
  ),

  ...moves(
    'media',
    'shapes',
    'availability',
    ['pending', 'processing'],
    ['processing', 'available'],
    ['processing', 'failed'],
  ),
  ...moves(
    'media',
    'ours',
    'the retailer blocks a film, or lets it pass',
    ['available', 'failed'],
    ['failed', 'available'],
  ),
  ...moves('reportFile', 'shapes', 'jobStatus', ['pending', 'processing'], ['processing', 'done'], ['done', 'expired']),
  ...moves('account', 'document', 'Item identifier migration: not migrated, migrated', ['0', '1']),
];
