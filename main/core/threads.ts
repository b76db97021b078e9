import { startExchangeThread } from '../files/spreadsheet/exchange-thread.ts';
import { startServiceThread } from '../practice/practice-service.ts';
import { runSafetyTask } from '../store/safety/task.ts';
import { startThread } from '../store/worker/start-thread.ts';

/**
 * Starts worker threads: those of an open account, an import or export, a practice service, and a copy, comparison or
 * recovery of a workspace. Tests that are not about threads pass others, which run the same code with the same
 * messages in the thread of the test and save the 0.1 s of CPU of each start.
 */
export const THREADS = {
  account: startThread,
  exchange: startExchangeThread,
  practice: startServiceThread,
  safety: runSafetyTask,
};

export type Threads = Readonly<typeof THREADS>;
