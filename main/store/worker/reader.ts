import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { taskOf } from '../bulk/task-flags.ts';
import { openReader } from '../reader/context.ts';
import { readerOperations } from '../reader/operations.ts';
import { reads } from '../reader/reads.ts';
import { answerCalls, endingWith, operationAt, type ReaderCalls, type WorkerSetup } from './thread-calls.ts';

const OPERATIONS = { ...readerOperations, reads };

/** Answers the calls that only read, on its own connection, which never waits for the writer. */
function createReader(setup: WorkerSetup): ReaderCalls {
  let open: ReturnType<typeof openReader> | null = null;
  return {
    start: () => {
      open = openReader(setup);
    },
    call: (path, nowMs, args, flag) => {
      if (open === null) throw new Error('the reader was asked before it was started');
      const isCancelled = flag === null ? () => false : taskOf(flag, () => undefined).isCancelled;
      return operationAt(OPERATIONS, path)({ ...open, nowMs, isCancelled }, ...args);
    },
    close: () => {
      open?.db.close();
      open = null;
    },
  };
}

/** Answers calls on the port of the reader thread. */
export function answerReads(port: MessagePort, setup: WorkerSetup): void {
  answerCalls<object, ReaderCalls>(port, endingWith(createReader(setup), port));
}

if (parentPort !== null) answerReads(parentPort, workerData as WorkerSetup);
