import { startExchangeThread } from '../files/spreadsheet/exchange-thread.ts';
import { startServiceThread } from '../practice/practice-service.ts';
import { runSafetyTask } from '../store/safety/task.ts';
import { startThread } from '../store/worker/start-thread.ts';

/**
 * Starts what works in threads of its own: what answers for an open account, an import or export, the service of a practice
 * account, and a copy, comparison or recovery of a workspace. Tests that are not about threads bring others, which do the same
 * work over the same messages in the thread of the test and spare the 0.1 s of CPU that each costs to start.
 */
export const THREADS = {
  account: startThread,
  exchange: startExchangeThread,
  practice: startServiceThread,
  safety: runSafetyTask,
};

export type Threads = Readonly<typeof THREADS>;
