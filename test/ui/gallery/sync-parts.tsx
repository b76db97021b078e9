import { FileCard } from '../../../renderer/screens/media/FileCard.tsx';
import { Progress } from '../../../renderer/screens/sync/Progress.tsx';
import { Report } from '../../../renderer/screens/sync/Report.tsx';
import type { SyncProgress } from '../../../renderer/store/progress-slice.ts';
import type { AddedFile } from '../../../shared/contract/files.ts';
import type { SyncReport } from '../../../shared/contract/sync.ts';
import { asRowId, asWorkspaceId } from '../../../shared/model/scalars.ts';
import { each, type Part } from './part.ts';

const PHASES: Readonly<Record<SyncProgress['phase'], number>> = {
  resolving: 0,
  pulling: 0,
  planning: 0,
  uploading: 12,
  sending: 12,
  'reading-back': 12,
  submitting: 12,
  waiting: 12,
  done: 12,
};
const progress = (phase: SyncProgress['phase'], retryAt: number | null = null) => (
  <Progress
    progress={{
      type: 'sync.progress',
      workspaceId: asWorkspaceId('gallery'),
      runId: 'run',
      phase,
      batchesDone: Math.floor(PHASES[phase] / 2),
      batchesTotal: PHASES[phase],
      elementsDone: 40,
      elementsRefused: 0,
      elementsInDoubt: 0,
      retryAt,
    }}
  />
);

const REPORT: SyncReport = {
  runId: 'run',
  state: 'finished',
  stoppedBy: null,
  requests: 12,
  done: 240,
  refused: [],
  inDoubt: 0,
  questions: 0,
  untouched: 0,
  uploads: 1,
  failedUploads: [],
  unreadable: [],
  reviews: 2,
  live: 3,
  inReview: 2,
};
type Cause = NonNullable<SyncReport['stoppedBy']>['cause'];
const CAUSES: Readonly<Record<Cause, true>> = {
  unreachable: true,
  credentials: true,
  disk: true,
  defect: true,
  service: true,
  'rate-limited': true,
  security: true,
  'plan-changed': true,
  deadline: true,
};
const STATES: Readonly<Record<SyncReport['state'], true>> = {
  running: true,
  finished: true,
  cancelled: true,
  paused: true,
  stopped: true,
};

const added = (known: boolean): AddedFile => ({
  outcome: 'added',
  fileName: 'spot.mp4',
  mediaId: asRowId(9),
  mediaType: 'video',
  known,
});

const card = (result: AddedFile | null) => (
  <FileCard file={new File([''], 'spot.mp4')} result={result} onFit={() => {}} />
);

/** What tells of work under way and of what came of it. */
export const SYNC_PARTS: readonly Part[] = [
  {
    name: 'Progress',
    states: {
      ...each(PHASES, (phase) => progress(phase)),
      'service is busy': progress('waiting', Date.UTC(2030, 5, 1, 12, 30)),
    },
  },
  {
    name: 'Report',
    states: {
      ...each(STATES, (state) => <Report report={{ ...REPORT, state }} />),
      ...each(CAUSES, (cause) => (
        <Report report={{ ...REPORT, state: 'stopped', untouched: 30, stoppedBy: { cause, detail: '' } }} />
      )),
      'needs you': (
        <Report
          report={{
            ...REPORT,
            inDoubt: 1,
            questions: 1,
            refused: [{ kind: 'keyword', id: asRowId(4), label: 'kettle', message: 'The bid is below the minimum.' }],
          }}
        />
      ),
    },
  },
  {
    name: 'FileCard',
    states: {
      checking: card(null),
      added: card(added(false)),
      'known already': card(added(true)),
      refused: (
        <FileCard
          file={new File([''], 'notes.txt')}
          onFit={() => {}}
          result={{ outcome: 'refused', fileName: 'notes.txt', reason: 'unknown-type', params: {} }}
        />
      ),
    },
  },
];
