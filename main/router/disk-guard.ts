import { ORPCError } from '@orpc/server';
import { z } from 'zod';
import { WorkspaceIdSchema } from '../../shared/contract/scalars.ts';
import { DamagedAccounts } from '../accounts/registry.ts';
import type { DataFolder } from '../data-folder.ts';
import type { OpenAccounts } from '../open-accounts.ts';
import { notWritableFrom } from '../workspace/not-writable.ts';
import type { NotWritable } from '../workspace/port.ts';
import { type NotWritableError, notWritable } from './opening.ts';

/**
 * Operations that put something into the account beyond an edit, which the workspace itself refuses. Where the account can
 * only be looked at they would write into the copy that is looked at, and what was said to be done would be gone.
 */
const WRITING: ReadonlySet<string> = new Set([
  'answers.keep',
  'backups.make',
  'backups.settle',
  'conflictPolicy.set',
  'ids.apply',
  'known.add',
  'media.add',
  'news.clear',
  'practice.advance',
  'practice.decide',
  'practice.state',
  'reports.giveUp',
  'reports.look',
  'reports.remove',
  'reports.request',
  'review.cancel',
  'review.submit',
  'rules.mute',
  'rules.remove',
  'rules.save',
  'swaps.begin',
  'swaps.end',
  'swaps.keep',
  'sync.answer',
  'sync.refresh',
  'sync.resolve',
  'sync.run',
  'takeBack.stage',
  'templates.remove',
  'templates.save',
  'uploadHosts.answer',
  'uploadHosts.forget',
]);
/** A practice account has its service in the data folder as well: there nobody answers either. */
const ASKING: ReadonlySet<string> = new Set(['items.confirm', 'items.search', 'review.poll']);

const WithinAccount = z.object({ workspaceId: WorkspaceIdSchema });

/** @returns what to call with an operation's name, its input and error makers, and the rest of the way to its answer */
export type DiskGuard = <T>(call: GuardedCall, next: () => T | PromiseLike<T>) => Promise<T>;

interface GuardedCall {
  readonly path: readonly string[];
  readonly input: unknown;
  readonly errors: object;
}

/**
 * Stands before every operation and says what the disk is to blame for as NOT_WRITABLE, never as a service that cannot be
 * reached and never as a defect: a data folder that is gone, one that can only be read, a disk that is full.
 */
export const createDiskGuard =
  (folder: Pick<DataFolder, 'problem'>, open: OpenAccounts): DiskGuard =>
  async ({ path, input, errors }, next) => {
    const operation = path.join('.');
    const before = folder.problem() ?? (await reasonNotTo(operation, input, open));
    if (before !== null) refuse(before, errors);
    try {
      return await next();
    } catch (error) {
      // One of the operation's own errors says more than the disk does.
      if (error instanceof ORPCError && error.defined) throw error;
      const problem = folder.problem() ?? damagedList(error) ?? notWritableFrom(error);
      if (problem !== null) refuse(problem, errors);
      throw error;
    }
  };

/** Throws for an operation that declares it; those that do not need no disk, and go on. */
function refuse(problem: NotWritable, errors: object): void {
  if ('NOT_WRITABLE' in errors) throw notWritable(problem, errors.NOT_WRITABLE as NotWritableError);
}

async function reasonNotTo(operation: string, input: unknown, open: OpenAccounts): Promise<NotWritable | null> {
  if (!WRITING.has(operation) && !ASKING.has(operation)) return null;
  const wanted = WithinAccount.safeParse(input);
  if (!wanted.success) return null;
  const account = await open.get(wanted.data.workspaceId);
  // Why it cannot be opened is for the operation to say.
  if (!account.ok || (ASKING.has(operation) && account.value.practice === null)) return null;
  return account.value.safety.viewOnly;
}

const damagedList = (error: unknown): NotWritable | null =>
  error instanceof DamagedAccounts ? { kind: 'not-writable', why: 'damaged', detail: error.detail } : null;
