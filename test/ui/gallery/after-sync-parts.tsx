import { Meaning, NextStep, RefusalCard } from '../../../renderer/screens/refusals/RefusalCard.tsx';
import { RefusalGroups } from '../../../renderer/screens/refusals/RefusalGroups.tsx';
import { Conflicts } from '../../../renderer/screens/sync/Conflicts.tsx';
import { OpenQuestions } from '../../../renderer/screens/sync/OpenQuestions.tsx';
import { PlanChanges } from '../../../renderer/screens/sync/PlanChanges.tsx';
import { PlanSheet } from '../../../renderer/screens/sync/PlanSheet.tsx';
import { Reviews } from '../../../renderer/screens/sync/Reviews.tsx';
import { RunPlanDialog } from '../../../renderer/screens/sync/RunPlanDialog.tsx';
import { SavePlan } from '../../../renderer/screens/sync/SavePlan.tsx';
import { SyncDialog } from '../../../renderer/screens/sync/SyncDialog.tsx';
import { SyncRunPage } from '../../../renderer/screens/sync/SyncRun.tsx';
import { TakeBackDialog } from '../../../renderer/screens/sync/TakeBackDialog.tsx';
import { UploadHosts } from '../../../renderer/screens/sync/UploadHosts.tsx';
import { WaitingList } from '../../../renderer/screens/sync/WaitingList.tsx';
import type { PlanChanges as Changes } from '../../../shared/contract/plan-changes.ts';
import type { Conflict, OpenedPlan, PlanView, Question, Review, SyncReport } from '../../../shared/contract/sync.ts';
import type { TakeBack } from '../../../shared/contract/take-back.ts';
import type { UploadHost } from '../../../shared/contract/upload-hosts.ts';
import { WAIT_REASONS } from '../../../shared/contract/waiting.ts';
import { asRowId } from '../../../shared/model/scalars.ts';
import { never, os } from './answers.ts';
import { ACCOUNT, NOON, WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged } from './Stage.tsx';

const PLAN: PlanView = {
  planId: 'plan-1',
  requests: 3,
  uploads: [{ mediaId: asRowId(41), file: 'kettle-spot.mp4', bytes: 2_400_000 }],
  leftOut: [],
  added: [],
  elements: 40,
  creates: 30,
  updates: 10,
  held: 0,
  reviews: 2,
  budgetLeft: 2960,
  waitsHours: 0,
  errors: 0,
};
const leftOut = [
  { reason: 'has-errors', rows: 2, first: [{ kind: 'keyword' as const, id: asRowId(7), label: 'kettle' }] },
  { reason: 'held', rows: 1, first: [] },
];
const sheet = (part: Partial<PlanView>) =>
  staged({}, <PlanSheet workspaceId={WORKSPACE} plan={{ ...PLAN, ...part }} />);

const question: Question = {
  id: 1,
  kind: 'keyword',
  rowId: asRowId(7),
  what: 'keyword "kettle" in Kettles',
  sentAt: NOON,
  correlationId: 'c0ffee-1',
  absentFrom: 0,
  answers: ['exists', 'absent', 'later'],
};
const conflict: Conflict = {
  ref: { kind: 'keyword', id: asRowId(7) },
  label: 'kettle',
  at: NOON,
  field: 'bid',
  base: 150,
  mine: 165,
  theirs: 140,
};
const review = (status: string, reason: string | null): Review => ({
  campaignId: asRowId(2),
  adGroupId: asRowId(3),
  campaign: 'Kettles',
  reviewId: status,
  status,
  components: [
    { type: 'headline', id: '9', label: 'Soft on hands', status: reason === null ? 'approved' : 'rejected', reason },
  ],
});

const host = (state: UploadHost['state'], shown = 'files.example.net'): UploadHost => ({
  host: 'files.example.net',
  shown,
  state,
  askedAt: NOON,
  answeredAt: state === 'asked' ? null : NOON,
  files: [{ name: 'kettle-spot.mp4', bytes: 2_400_000 }],
});
const HOSTS = { asked: true, allowed: true, refused: true } as const;
const hosts = (list: UploadHost[]) =>
  staged(
    { answers: { uploadHosts: { list: os.uploadHosts.list.handler(() => list) } } },
    <UploadHosts workspaceId={WORKSPACE} />,
  );

const waits = {
  waiting: {
    list: os.waiting.list.handler(() =>
      WAIT_REASONS.map((reason, i) => ({
        reason,
        until: (['time', 'sync', 'user'] as const)[i % 3] ?? 'time',
        elements: i + 1,
        first: [{ kind: 'keyword' as const, id: asRowId(7), label: 'kettle' }],
        nextAt: i % 3 === 0 ? NOON : null,
      })),
    ),
  },
};

const line = { kind: 'keyword' as const, id: asRowId(7), label: 'kettle', campaign: 'Kettles' };
const BACK: TakeBack = {
  run: { runId: 'run-1', at: NOON, elements: 12 },
  changes: 1,
  firstChanges: [{ ...line, field: 'bid', now: 165, back: 150 }],
  forGood: 1,
  firstForGood: [{ ...line, why: 'created' }],
  changedSince: 1,
  firstChangedSince: [{ ...line, field: 'bid', sent: 165, now: 170 }],
};
const runs = { runs: os.takeBack.runs.handler(() => [BACK.run]) };
const refusedRow = { kind: 'keyword', id: asRowId(7), campaignId: asRowId(2), remoteId: '7001' } as const;
const KNOWN = 'Bid should be higher than : 1.50';
const UNKNOWN = 'E-4711';
const refusal = (message: string, correlationId: string | null = 'c0ffee-1') => ({
  message,
  correlationId,
  at: NOON,
  request: 'PUT /api/v1/keywords',
});
const refusedLine = (id: number, message: string) => ({
  kind: 'keyword' as const,
  id: asRowId(id),
  label: `kettle ${id}`,
  message,
});
const many = Array.from({ length: 8 }, (_, i) => refusedLine(i + 1, KNOWN));

const takeBack = <TakeBackDialog workspaceId={WORKSPACE} />;
const sync = <SyncDialog account={ACCOUNT} />;
const planFile = new File(['adslate-plan 1'], 'spring.adslate-plan');
const CHANGED: Changes = {
  lines: [
    {
      sign: '-',
      line: 'keyword/7 (bid) {"keywordId":3300007,"bid":1.65}',
      kind: 'keyword',
      id: asRowId(7),
      label: 'kettle, exact',
    },
    {
      sign: '+',
      line: 'keyword/7 (bid) {"keywordId":3300007,"bid":1.85}',
      kind: 'keyword',
      id: asRowId(7),
      label: 'kettle, exact',
    },
    { sign: '+', line: '3 PUT /api/v1/adItems adItem update campaign -', kind: null, id: null, label: null },
  ],
  more: 12,
};
const STOPPED: SyncReport = {
  runId: 'run',
  state: 'stopped',
  stoppedBy: { cause: 'plan-changed', detail: '', changed: CHANGED },
  requests: 0,
  done: 0,
  refused: [],
  inDoubt: 0,
  questions: 0,
  untouched: 0,
  uploads: 0,
  failedUploads: [],
  unreadable: [],
  reviews: 0,
  live: 0,
  inReview: 0,
};
const opened = (part: Partial<OpenedPlan>) => ({
  sync: {
    openPlan: os.sync.openPlan.handler(() => ({
      fileName: planFile.name,
      draftsOf: new Date(NOON).toISOString(),
      submit: true,
      campaigns: 2,
      rows: null,
      plan: PLAN,
      changed: { lines: [], more: 0 },
      ...part,
    })),
  },
});
const plan = (part: Partial<PlanView>) => ({ sync: { plan: os.sync.plan.handler(() => ({ ...PLAN, ...part })) } });

/** What a sync shows before it begins and what it leaves behind. */
export const AFTER_SYNC_PARTS: readonly Part[] = [
  {
    name: 'SyncDialog',
    isWide: true,
    states: {
      reading: staged({ answers: { sync: { plan: os.sync.plan.handler(never) } } }, sync),
      planned: staged({ answers: plan({}) }, sync),
      'nothing to send': staged(
        { answers: plan({ requests: 0, uploads: [], elements: 0, creates: 0, updates: 0 }) },
        sync,
      ),
    },
  },
  {
    name: 'RunPlanDialog',
    isWide: true,
    states: {
      'no file yet': staged({}, <RunPlanDialog account={ACCOUNT} file={null} />),
      'as it was saved': staged({ answers: opened({}) }, <RunPlanDialog account={ACCOUNT} file={planFile} />),
      'changed since': staged(
        { answers: opened({ changed: CHANGED }) },
        <RunPlanDialog account={ACCOUNT} file={planFile} />,
      ),
    },
  },
  {
    name: 'SyncRunPage',
    isWide: true,
    states: {
      'under way': staged({}, <SyncRunPage workspaceId={WORKSPACE} report={null} />),
      'another plan by now': staged({}, <SyncRunPage workspaceId={WORKSPACE} report={STOPPED} />),
    },
  },
  {
    name: 'PlanChanges',
    states: { some: staged({}, <PlanChanges changed={CHANGED} />) },
  },
  {
    name: 'PlanSheet',
    isWide: true,
    states: {
      sound: sheet({}),
      'some rows only': sheet({
        added: [{ reason: 'parent', rows: 1, first: [{ kind: 'adGroup', id: asRowId(5), label: 'Kettle group' }] }],
        leftOut: [{ reason: 'not-chosen', rows: 12, first: [] }],
      }),
      'rows stay here': sheet({ leftOut, errors: 2, held: 1 }),
      'more than an hour allows': sheet({ waitsHours: 3, budgetLeft: 0 }),
    },
  },
  { name: 'SavePlan', states: { ready: staged({}, <SavePlan plan={PLAN} />) } },
  {
    name: 'RefusalCard',
    states: {
      explained: staged({}, <RefusalCard row={refusedRow} refusal={refusal(KNOWN)} />),
      'not known': staged({}, <RefusalCard row={refusedRow} refusal={refusal(UNKNOWN)} />),
      'never sent': staged({}, <RefusalCard row={refusedRow} refusal={refusal(KNOWN, null)} />),
    },
  },
  { name: 'Meaning', states: { known: <Meaning message={KNOWN} />, 'not known': <Meaning message={UNKNOWN} /> } },
  { name: 'NextStep', states: { known: staged({}, <NextStep row={refusedRow} refusal={refusal(KNOWN)} />) } },
  {
    name: 'RefusalGroups',
    states: {
      one: staged({}, <RefusalGroups refused={[refusedLine(7, UNKNOWN)]} />),
      'many of a kind': staged({}, <RefusalGroups refused={many} />),
    },
  },
  { name: 'OpenQuestions', states: { one: staged({}, <OpenQuestions questions={[question]} />) } },
  {
    name: 'Conflicts',
    states: {
      'a field': staged({}, <Conflicts workspaceId={WORKSPACE} conflicts={[conflict]} />),
      'a row that is gone': staged(
        {},
        <Conflicts
          workspaceId={WORKSPACE}
          conflicts={[{ ...conflict, field: null, base: null, mine: null, theirs: null }]}
        />,
      ),
    },
  },
  {
    name: 'Reviews',
    states: {
      some: staged(
        {},
        <Reviews reviews={[review('pending', null), review('rejected', 'The headline promises a price.')]} />,
      ),
    },
  },
  {
    name: 'UploadHosts',
    states: {
      ...each(HOSTS, (state) => hosts([host(state)])),
      'a name in another script': hosts([host('asked', 'filеs.example.net')]),
    },
  },
  {
    name: 'WaitingList',
    isWide: true,
    states: { 'every reason': staged({ answers: waits }, <WaitingList workspaceId={WORKSPACE} />) },
  },
  {
    name: 'TakeBackDialog',
    isWide: true,
    states: {
      'nothing was sent': staged({}, takeBack),
      'something of everything': staged(
        { answers: { takeBack: { ...runs, preview: os.takeBack.preview.handler(() => BACK) } } },
        takeBack,
      ),
      'gone by now': staged({ answers: { takeBack: runs } }, takeBack),
    },
  },
];
