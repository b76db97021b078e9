import { PendingSign } from '../../../renderer/screens/frame/PendingSign.tsx';
import { PendingSync } from '../../../renderer/screens/sync/PendingSync.tsx';
import { SendTimes } from '../../../renderer/screens/sync/SendTimes.tsx';
import { MomentInput } from '../../../renderer/ui/MomentInput.tsx';
import type { PendingSyncView } from '../../../shared/contract/sync.ts';
import { os } from './answers.ts';
import { NOON, WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged } from './Stage.tsx';

const ALL = {
  since: NOON,
  deadline: null,
  left: 12,
  leftThen: 12,
  cause: null,
  nextAt: null,
  problem: null,
  health: null,
};
const VIEWS: Readonly<Record<string, PendingSyncView>> = {
  paused: { ...ALL, state: 'paused' },
  'paused by a closed window, edited since': {
    ...ALL,
    state: 'paused',
    left: 15,
    problem: 'Adslate was closed while it ran',
  },
  waiting: {
    ...ALL,
    state: 'waiting',
    cause: 'unreachable',
    problem: 'connect ECONNREFUSED',
    nextAt: NOON + 240_000,
    deadline: NOON + 3_600_000,
  },
  scheduled: { ...ALL, state: 'scheduled', nextAt: NOON + 60_000, health: { since: null, minutes: 5 } },
  'scheduled, healthy so far': {
    ...ALL,
    state: 'scheduled',
    nextAt: NOON + 60_000,
    health: { since: NOON, minutes: 5 },
  },
};
const answered = (view: PendingSyncView) => ({ answers: { sync: { pending: os.sync.pending.handler(() => view) } } });

/** Syncs that do not go at once. */
export const PENDING_PARTS: readonly Part[] = [
  {
    name: 'PendingSync',
    states: each(VIEWS, (key) =>
      staged(answered(VIEWS[key] ?? { ...ALL, state: 'paused' }), <PendingSync workspaceId={WORKSPACE} />),
    ),
  },
  {
    name: 'PendingSign',
    states: each(VIEWS, (key) =>
      staged(answered(VIEWS[key] ?? { ...ALL, state: 'paused' }), <PendingSign workspaceId={WORKSPACE} />),
    ),
  },
  {
    name: 'SendTimes',
    states: {
      'no deadline': staged({}, <SendTimes deadline={null} onDeadline={() => {}} onSchedule={() => {}} />),
    },
  },
  {
    name: 'MomentInput',
    states: {
      empty: staged({}, <MomentInput label="Deadline" help="Nothing is sent after this time." onChange={() => {}} />),
    },
  },
];
