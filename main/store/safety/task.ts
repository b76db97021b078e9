import type { Result } from '../../../shared/result.ts';
import { runInWorker, workerEntry } from '../../app/workers.ts';
import type { NotWritable } from '../types.ts';
import type { Comparison } from './compare.ts';
import type { RecoveredData } from './recover-data.ts';

/** Tasks of the safety thread with their answers. It has its own connections, so it blocks neither reads nor edits. */
export interface SafetyTasks {
  /** Copies an open workspace to `target`. The copy is verified before it gets its name. */
  readonly copy: {
    readonly order: { readonly file: string; readonly target: string };
    readonly answer: Result<null, NotWritable>;
  };
  readonly compare: {
    readonly order: { readonly file: string; readonly other: string; readonly examples: number };
    readonly answer: Result<Comparison, NotWritable>;
  };
  readonly recover: {
    readonly order: { readonly damaged: string; readonly target: string };
    readonly answer: Result<RecoveredData, NotWritable>;
  };
}

export type SafetyOrder = {
  [Name in keyof SafetyTasks]: { readonly task: Name; readonly order: SafetyTasks[Name]['order'] };
}[keyof SafetyTasks];

export const runSafetyTask = <Name extends keyof SafetyTasks>(
  task: Name,
  order: SafetyTasks[Name]['order'],
): Promise<SafetyTasks[Name]['answer']> =>
  runInWorker<SafetyTasks[Name]['answer']>(workerEntry('safety'), { task, order });
