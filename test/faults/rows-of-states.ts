import { type FaultRow, row } from './fault-row.ts';

const STATES = 'test/sync/campaign-state.test.ts';
const STEPS = 'test/shared/offered-steps.test.ts';

/** What goes wrong when nobody says in which state a campaign is. */
export const STATE_ROWS: readonly FaultRow[] = [
  row(
    'ST1',
    'machine',
    'a service that lists no campaigns',
    'each campaign shows the state the service has, estimated and marked so',
    'test/walks/states.test.ts',
    'with documented calls only the state that is shown',
  ),
  row(
    'ST2',
    'machine',
    'a status that was read before a write, a review or a day of the calendar changed it',
    'it is no report any more: the state is estimated until the next read',
    STATES,
    'from draft to extended',
  ),
  row(
    'ST3',
    'machine',
    'an edit that a live campaign forbids, while live is only an estimate',
    'a warning; the edit is sent',
    'test/shared/campaign-state.test.ts',
    'an estimated live state warns',
  ),
  row(
    'ST4',
    'machine',
    'an approved campaign that stays paused because a review had rejected its profile',
    'enabling it again is a step of its own; without a call for it the step names the console',
    STATES,
    'with documented calls only somebody in the console is told to enable it',
  ),
  row(
    'ST5',
    'machine',
    'a next step that a sync would leave out',
    'it is not offered; what stands in its way is',
    STEPS,
    'carrying out any step that is offered changes the plan',
  ),
  row(
    'ST6',
    'file',
    'a private key that is encrypted, with the passphrase missing, wrong or unreadable',
    'refused with the cause before anything is stored; the passphrase is read from its file and never kept',
    'test/cli/service.test.ts',
    'an encrypted key is opened by the passphrase of a file',
  ),
];
