import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { reads } from '../operations.ts';
import { openReader } from '../reader/context.ts';
import { readerOperations } from '../reader/operations.ts';
import { type MainCalls, operationAt, type ReaderCalls, type WorkerSetup, type WriterCalls } from './thread-calls.ts';
import { createWriter } from './writer.ts';

const OPERATIONS = { ...readerOperations, reads };

/** Answers the calls that only look, on a connection of its own that never waits for the writer. */
function createReader(setup: WorkerSetup): ReaderCalls {
  let open: ReturnType<typeof openReader> | null = null;
  return {
    start: () => {
      open = openReader(setup);
    },
    call: (path, nowMs, args) => {
      if (open === null) throw new Error('the reader was asked before it was started');
      return operationAt(OPERATIONS, path)({ ...open, nowMs }, ...args);
    },
    close: () => {
      open?.db.close();
      open = null;
    },
  };
}

/** Where both worker threads of a workspace start: one to write, one to read. */
function answer(port: NonNullable<typeof parentPort>): void {
  const setup: WorkerSetup = workerData;
  const channel = {
    post: (message: unknown) => port.postMessage(message),
    on: (listener: (message: unknown) => void) => port.on('message', listener),
    timeout: -1,
    eventNames: ['changed', 'progress'] satisfies (keyof MainCalls)[],
  };
  if (setup.role === 'reader') {
    createBirpc<object, ReaderCalls>(endingWith(createReader(setup), port), { ...channel, eventNames: [] });
    return;
  }
  const writer = createWriter(setup, {
    changed: (revision, kinds, only) => void main.changed(revision, kinds, only),
    progress: (jobId, done, total) => void main.progress(jobId, done, total),
  });
  const calls: WriterCalls = endingWith(writer, port);
  const main = createBirpc<MainCalls, WriterCalls>(calls, channel);
}

/** A closed thread waits for nothing any more and ends by itself, once its last answer has left. */
function endingWith<Calls extends { close(): unknown }>(calls: Calls, port: NonNullable<typeof parentPort>): Calls {
  const close = async (): Promise<void> => {
    try {
      await calls.close();
    } finally {
      setImmediate(() => port.unref());
    }
  };
  return { ...calls, close };
}

if (parentPort !== null) answer(parentPort);
