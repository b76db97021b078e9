import { parentPort, workerData } from 'node:worker_threads';
import { err, type Result } from '../../../shared/result.ts';
import { backUp } from '../backup.ts';
import { notWritableOrThrow } from '../not-writable.ts';
import type { NotWritable } from '../types.ts';
import { compareFiles } from './compare.ts';
import { recoverData } from './recover-data.ts';
import type { SafetyOrder } from './task.ts';

/** Entry point of the safety thread: it runs one task and ends. */
function carryOut(work: SafetyOrder): Promise<Result<unknown, NotWritable>> | Result<unknown, NotWritable> {
  switch (work.task) {
    case 'copy':
      return backUp(work.order.file, work.order.target);
    case 'compare':
      return compareFiles(work.order);
    case 'recover':
      return recoverData(work.order.damaged, work.order.target);
  }
}

export async function answerSafetyTask(work: SafetyOrder): Promise<Result<unknown, NotWritable>> {
  try {
    return await carryOut(work);
  } catch (error) {
    return err(notWritableOrThrow(error));
  }
}

if (parentPort !== null) parentPort.postMessage(await answerSafetyTask(workerData as SafetyOrder));
