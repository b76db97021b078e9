import { implement, type Router } from '@orpc/server';
import type { AppEvent } from '../../shared/api/app.ts';
import { type Contract, contract } from '../../shared/api/contract.ts';
import type { Failure, Implementations, OperationMeta } from '../../shared/api/operation.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { err, type Result } from '../../shared/result.ts';
import { READ_ONLY } from '../accounts/account-record.ts';
import type { AccountService } from '../accounts/account-service.ts';
import type { BackupService } from '../accounts/backup-service.ts';
import { DamagedAccounts } from '../accounts/registry.ts';
import type { DataFolder } from '../app/data-folder.ts';
import type { AppEvents } from '../app/events.ts';
import type { Updates } from '../app/host-ports.ts';
import type { ActiveAccount, ActiveAccounts } from '../core/active-accounts.ts';
import type { CoreOptions } from '../core/core-options.ts';
import type { OwnFileGrants, Previews } from '../files/media/file-grants.ts';
import type { Prober } from '../files/probe/prober.ts';
import type { SheetExchange } from '../files/spreadsheet/exchange.ts';
import type { ExportFiles } from '../files/spreadsheet/export-files.ts';
import { notWritable, notWritableFrom } from '../store/not-writable.ts';
import type { NotWritable } from '../store/types.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import type { TeamSetup } from '../team/session-types.ts';
import type { Task, Tasks } from './tasks.ts';

/** Typed by the contract, since the combined type of all its handlers is too long to be written out. */
export type CoreRouter = Router<Contract, Record<never, never>>;

/** The context of an operation without an open account. */
export interface AppContext {
  /** The calling page, if a host serves several. */
  readonly page: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The context of an operation on an open account. */
export interface MainContext {
  readonly account: ActiveAccount;
  /** Null for an operation that is not declared as a task. */
  readonly task: Task | null;
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal | undefined;
}

export type AppOperations = Implementations<Contract, 'app', AppContext>;
export type MainOperations = Implementations<Contract, 'main', MainContext>;

export interface RouterDeps {
  readonly folder: Pick<DataFolder, 'problem'>;
  readonly open: ActiveAccounts;
  readonly accounts: Pick<AccountService, 'isReadOnly'>;
  readonly tasks: Tasks;
  readonly emit: (event: AppEvent) => void;
  readonly app: AppOperations;
  readonly main: MainOperations;
}

/** A call with validated input; operations on accounts have the account's ID in it. */
interface Call {
  readonly input: { readonly workspaceId: WorkspaceId; readonly taskId?: string };
  readonly context: { readonly page?: number };
  readonly signal: AbortSignal | undefined;
  readonly errors: Readonly<Record<string, (facts: { readonly data: unknown }) => Error>>;
}

type Answer = Result<unknown, Failure>;
type Implementation = (context: unknown, input: unknown) => Answer | Promise<Answer>;
type Tree = { readonly [name: string]: Tree | Declared };
interface Declared {
  readonly '~orpc': { readonly meta: OperationMeta; readonly errorMap: object };
}

/** The used part of oRPC's implementer, which has the same tree of names as the contract. */
interface Implementer {
  handler(answer: (call: Call) => Promise<unknown>): unknown;
}

const isDeclared = (found: Tree | Declared): found is Declared => '~orpc' in found;

/**
 * Derives the handlers of all operations from their declarations:
 *
 *   validated input --> data folder available --> account opened --> access allowed --> run where declared
 *       --> answer, or the declared error of the failure's code
 *
 * After an operation declared as `announced`, every window gets `settings.changed` with its area.
 */
export function createRouter(deps: RouterDeps): CoreRouter {
  const derive = (declared: Tree, implementer: Implementer, path: readonly string[]): object =>
    Object.fromEntries(
      Object.entries(declared).map(([name, found]) => {
        const at = [...path, name];
        const own: Implementer = Reflect.get(implementer, name);
        return [name, isDeclared(found) ? own.handler(handlerOf(deps, found, at)) : derive(found, own, at)];
      }),
    );
  // One loop for operations of all types; each type is checked where the operation is implemented.
  const operations: unknown = contract;
  const implementer: unknown = implement(contract);
  return derive(operations as Tree, implementer as Implementer, []) as CoreRouter;
}

function handlerOf(deps: RouterDeps, { '~orpc': { meta, errorMap } }: Declared, path: readonly string[]) {
  const run = runnerOf(deps, meta, path, 'CANCELLED' in errorMap);
  const answer = 'NOT_WRITABLE' in errorMap ? (call: Call) => guarded(deps.folder, () => run(call)) : run;
  return async (call: Call): Promise<unknown> => {
    const answered = await answer(call);
    // After a failure too, since part of the work may be done.
    if (meta.announced)
      deps.emit({ type: 'settings.changed', workspaceId: call.input.workspaceId, area: path[0] ?? '' });
    if (answered.ok) return answered.value;
    const { code, data } = answered.error;
    const make = call.errors[code];
    if (make === undefined) throw new Error(`${path.join('.')} failed with ${code}, which it does not declare`);
    throw make({ data });
  };
}

/** Builds the call of an operation in its thread, including the checks before it. */
function runnerOf(
  { open, accounts, tasks, app, main }: RouterDeps,
  { runs, priority, access, task: name }: OperationMeta,
  path: readonly string[],
  canCancel: boolean,
): (call: Call) => Promise<Answer> {
  if (runs === 'app') {
    const implementation = implementationAt(app, path);
    return async ({ input, context, signal }) => implementation({ page: context.page, signal }, input);
  }
  const implementation = runs === 'main' ? implementationAt(main, path) : null;
  const [area = '', operation = ''] = path;
  const run = async (account: ActiveAccount, input: unknown, task: Task | null, signal: Call['signal']) => {
    if (implementation !== null) return implementation({ account, task, signal }, input);
    const { workspace } = account;
    const answer =
      runs === 'reader'
        ? await workspace.callReader([area, operation], input, { priority, signal: canCancel ? signal : undefined })
        : await workspace.callWriter([area, operation], input, task);
    return answer as Answer;
  };
  return async ({ input, signal }) => {
    const { workspaceId } = input;
    const account = await open.get(workspaceId);
    if (!account.ok) return account;
    const refusal = await refusalOf(access, account.value, () => accounts.isReadOnly(workspaceId));
    if (refusal !== null) return err(refusal);
    if (name === null) return run(account.value, input, null, signal);
    const order = { id: input.taskId, workspaceId, name, canCancel, signal };
    const done = await tasks.run(order, (task) => run(account.value, input, task, task.signal));
    return done.ok ? done.value : done;
  };
}

/** Why the account does not allow an operation, or null. */
async function refusalOf(
  access: OperationMeta['access'],
  { safety, practice }: ActiveAccount,
  isReadOnly: () => Promise<boolean>,
): Promise<NotWritable | null> {
  if (access === null || (access === 'ask' && practice === null)) return null;
  // A read-only copy refuses writes: they would be lost when the copy is closed.
  if (safety.viewOnly !== null) return safety.viewOnly;
  return access === 'send' && (await isReadOnly()) ? READ_ONLY : null;
}

/**
 * Reports disk problems as such, not as an unreachable service and not as a defect: a missing or read-only data folder,
 * or a full disk.
 */
async function guarded(folder: Pick<DataFolder, 'problem'>, run: () => Promise<Answer>): Promise<Answer> {
  const before = folder.problem();
  if (before !== null) return err(before);
  try {
    return await run();
  } catch (error) {
    const problem = folder.problem() ?? problemIn(error);
    if (problem === null) throw error;
    return err(problem);
  }
}

function problemIn(error: unknown): NotWritable | null {
  if (error instanceof DamagedAccounts) return notWritable('damaged', error.detail);
  // The account was set up again or restored from a backup during the call; the caller repeats it.
  if (error instanceof WorkspaceClosed) return notWritable('failed', error.message);
  return notWritableFrom(error);
}

/** The function at a path of a tree of implementations; the type of the tree guarantees that it exists. */
function implementationAt(tree: object, path: readonly string[]): Implementation {
  let found: unknown = tree;
  for (const name of path) found = Reflect.get(Object(found), name);
  if (typeof found !== 'function') throw new Error(`${path.join('.')} is not implemented`);
  return found as Implementation;
}

/** The dependencies of operations that run in main. */
export interface RouterContext {
  readonly options: CoreOptions;
  readonly events: AppEvents;
  readonly grants: OwnFileGrants;
  readonly previews: Previews;
  readonly prober: Prober;
  readonly accounts: AccountService;
  readonly open: ActiveAccounts;
  readonly exchange: SheetExchange;
  readonly exports: ExportFiles;
  readonly backups: BackupService;
  readonly tasks: Tasks;
  /** Creates and joins teams; loaded by the first call. */
  readonly teams: () => Promise<TeamSetup>;
  readonly updates: Updates | null;
}
