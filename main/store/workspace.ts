import type { BulkDone, BulkScope, BulkTool } from '../../shared/api/bulk.ts';
import type { ReadPriority } from '../../shared/api/operation.ts';
import { type RowRef, readableOf } from '../../shared/api/scalars.ts';
import { SavedView } from '../../shared/api/views.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Clock } from '../app/clock.ts';
import { systemUser } from '../app/system.ts';
import type { NoView } from './bulk/bulk-rows.ts';
import { createTaskFlags, type TaskFlag, type TaskFlags, type TaskOptions } from './bulk/task-flags.ts';
import type { OutboxClient } from './outbox/ops.ts';
import type { IssuesPage } from './reader/issues.ts';
import type { reads } from './reader/reads.ts';
import { metricKey, type WantedMetric, wantedMetrics } from './reader/row-metrics.ts';
import { runSafetyTask } from './safety/task.ts';
import type { StagedEdit, StagedOutcome, StaleStage } from './staged/stage-file.ts';
import { digestOfParts, type TeamSnapshot, type Whole } from './team/snapshot.ts';
import type { NotWritable, TellUnread, WarnedRow } from './types.ts';
import { createCallPriority } from './worker/call-priority.ts';
import { createReaderActivity, recordRead } from './worker/reader-activity.ts';
import { startThread, type ThreadClient } from './worker/start-thread.ts';
import type { MainCalls, OperationPath, ReaderCalls, WorkerSetup, WriterCalls } from './worker/thread-calls.ts';
import type { ApplyProblem } from './writer/apply-tool.ts';
import type { CommitListener } from './writer/create-store.ts';
import type { edits, writes } from './writer/writes.ts';

/** Starts the threads that answer the calls of a workspace, and those that copy it. */
interface WorkspaceThreads {
  readonly account: typeof startThread;
  readonly safety: typeof runSafetyTask;
}

const THREADS: WorkspaceThreads = { account: startThread, safety: runSafetyTask };

export interface OpenWorkspaceOptions {
  /** The database file; created if it does not exist. */
  readonly file: string;
  readonly profile: DeploymentSettings;
  readonly clock: Clock;
  /** Whether the account's item IDs have been migrated; null while unknown. */
  readonly migrated: boolean | null;
  /** The account is known to have a workspace: a missing or empty file is damage, not a new workspace. */
  readonly mustExist?: boolean;
  /** For a copy that is only viewed and may have a newer schema: the failure of every edit. */
  readonly viewing?: NotWritable;
  /** The threads of the program by default. */
  readonly threads?: WorkspaceThreads;
  /** Called after the workspace was closed. */
  readonly closed?: () => Promise<void>;
  /** Called after a thread has ended unexpectedly; the workspace is then closed and can be opened again. */
  readonly failed?: (why: string) => void;
}

// biome-ignore lint/suspicious/noExplicitAny: the context stays in the thread, whatever it is
type Operation<Args extends readonly unknown[], Answer> = (context: any, ...args: Args) => Answer;
/** A table of internal operations as called from the main thread. */
type Called<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Operation<infer Args, infer Answer>
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never;
};
/** Edits can also fail because of the disk. */
type CalledEdits<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Operation<infer Args, Result<infer Value, infer E>>
    ? (...args: Args) => Promise<Result<Value, E | NotWritable>>
    : never;
};

type Reads = Called<typeof reads>;
type Writes = Called<typeof writes>;
type Edits = CalledEdits<typeof edits>;

/**
 * One open workspace for the rest of main: operations by name, run by its two threads, and operations that need several
 * of them. Reads never wait for an edit; an edit is durable when its promise resolves.
 */
export interface Workspace extends Omit<Reads, 'openView'>, Edits, Writes {
  /**
   * Runs an operation of the contract in the writer thread; with `task` it reports progress and can be canceled.
   * Returns a `Result` with a declared failure of the operation, or `NotWritable`.
   */
  callWriter(path: OperationPath, input: unknown, task: TaskOptions | null): Promise<Result<unknown, unknown>>;
  /** Runs an operation of the contract in the reader thread; `signal` aborts it, such as an outdated preview. */
  callReader(
    path: OperationPath,
    input: unknown,
    how?: { readonly priority?: ReadPriority | null; readonly signal?: AbortSignal | undefined },
  ): Promise<Result<unknown, unknown>>;
  readonly outbox: OutboxClient;
  /** Passes metrics that are missing or outdated to the reader thread, which sorts rows. */
  keepMetrics(wanted: readonly WantedMetric[], metrics: MetricColumns): Promise<void>;
  openView(spec: ViewSpec, options?: OpeningOptions): Promise<Awaited<ReturnType<Reads['openView']>>>;
  savedViews(tellUnread?: TellUnread): Promise<SavedView[]>;
  /** Complete campaigns with all rows below them, by ID. */
  readTrees(which: 'all' | readonly RowId[]): Promise<readonly CampaignTree[]>;
  /**
   * Issues, most severe first; with `rule` only those of that rule. First runs the checks postponed by edits.
   *
   * @param metricRules IDs of rules with metrics whose rows have been found (`matchMetricRule`)
   */
  issues(
    from: number,
    count: number,
    campaignId: RowId | null,
    rule?: string | null,
    metricRules?: readonly string[],
  ): Promise<IssuesPage>;
  /** Campaigns with an issue of this rule, oldest first. First runs the checks postponed by edits. */
  campaignsWithIssue(rule: string): Promise<readonly RowId[]>;
  /** Rows with an error, which are not sent. First runs the checks postponed by edits. */
  rowsWithErrors(): Promise<readonly RowRef[]>;
  /** Changed rows with a warning, and the IDs of its rules. First runs the checks postponed by edits. */
  changesWithWarnings(): Promise<readonly WarnedRow[]>;
  /** Runs a bulk tool as one step; if canceled, it changes nothing. */
  applyTool(
    scope: BulkScope,
    tool: BulkTool,
    label: string,
    task: TaskOptions,
  ): Promise<Result<BulkDone, NoView | ApplyProblem | NotWritable>>;
  /** Applies an edit from a stage file, as one step; refused if the workspace has changed since. */
  applyStaged(edit: StagedEdit, task?: TaskOptions): Promise<Result<StagedOutcome, StaleStage | NotWritable>>;
  /** Copies the workspace to a file while it stays in use. The file appears only after the copy was verified. */
  backup(target: string): Promise<Result<null, NotWritable>>;
  /**
   * The team's data in parts of some hundred kilobytes, with its position in the log. Null without a team, while
   * service values are unshared or the log must be read, and if the log advances faster than the parts can be read.
   */
  teamSnapshot(): Promise<TeamSnapshot | null>;
  /**
   * Stores a snapshot of the team; unshared changes are kept. A new computer continues an interrupted snapshot, others
   * start again.
   *
   * @param partsFrom returns the parts from a number on
   * @returns false if the parts do not match the digest: nothing is shared until a complete snapshot was stored
   */
  teamTakeSnapshot(
    partsFrom: (no: number) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    of: Whole & { readonly digest: string },
  ): Promise<boolean>;
  /**
   * Called after every committed change with the new revision and the affected kinds. With `only`, just issues have
   * changed, which concerns only views of issues; such calls are limited to a few per second.
   */
  onChanged(listener: CommitListener): () => void;
  close(): Promise<void>;
}

export interface OpeningOptions {
  /** The rows to return at once; none by default. */
  readonly window?: { readonly from: number; readonly count: number };
  /** The metrics by which the view is sorted and filtered. */
  readonly metrics?: MetricColumns;
}

/** Metrics of the rows of a kind, which are stored in a separate file. */
export interface MetricColumns {
  /** A text that changes with the metrics. */
  version(): Promise<string>;
  /** One number per row by ID, NaN for a row without; null for unknown metrics. */
  read(wanted: WantedMetric): Promise<Float64Array | null>;
}

/** Opens a workspace in two worker threads, unless another process has it open. */
export async function openWorkspace(options: OpenWorkspaceOptions): Promise<Result<Workspace, NotWritable>> {
  const { file, profile, migrated, clock, threads = THREADS } = options;
  const { mustExist = false, viewing: refusal = null, closed = async () => undefined } = options;
  const activity = createReaderActivity();
  const setup = {
    file,
    profile,
    migrated,
    mustExist,
    viewing: refusal !== null,
    who: systemUser(),
    activity,
  };
  const listeners = new Set<CommitListener>();
  const taskFlags = createTaskFlags();
  const events: MainCalls = {
    progress: taskFlags.progress,
    changed: (...commit) => {
      for (const listener of listeners) listener(...commit);
    },
  };
  const life: Life = { isOpen: false, ending: null };
  const endBoth = async (): Promise<void> => {
    await Promise.all([writer.close(), reader.close()]);
  };
  const ended = (why: string) => {
    if (!life.isOpen) return;
    life.isOpen = false;
    // If one thread ends, the other is ended too, which closes their connections and releases the lock.
    life.ending = endBoth();
    void life.ending.then(() => options.failed?.(why));
  };
  // Both threads start at once; the reader connects after the writer has created or migrated the tables.
  const writer = threads.account<WriterCalls>('writer', setup, events, ended);
  const reader = threads.account<ReaderCalls>('reader', setup, {}, ended);
  try {
    const started = await writer.calls.start(clock.nowMs());
    if (!started.ok) return err(started.error);
    await reader.calls.start();
    life.isOpen = true;
  } finally {
    if (!life.isOpen) await endBoth();
  }
  return ok(
    workspaceOver({
      file,
      activity,
      writer,
      reader,
      listeners,
      taskFlags,
      clock,
      life,
      refusal,
      safety: threads.safety,
      closed,
    }),
  );
}

const NO_ROWS = { from: 0, count: 0 };

/** Priorities of internal reads; operations of the contract declare theirs. */
const PRIORITIES: { readonly [Name in keyof Reads]?: ReadPriority } = {
  openView: 'rows',
  readWindow: 'rows',
  summary: 'counts',
  viewTotals: 'counts',
};

/** The names of the tables' operations: the main thread can't read the tables, which are loaded only in the threads. */
const EDITS: { readonly [Name in keyof Edits]: true } = {
  apply: true,
  note: true,
  applyToolTo: true,
};
const WRITES: { readonly [Name in keyof Writes]: true } = {
  setServiceFields: true,
  setMeta: true,
  teamJoin: true,
  teamBlock: true,
  teamPeople: true,
  teamOffer: true,
  teamAnswer: true,
  teamFold: true,
  teamPulled: true,
  teamForget: true,
  teamPick: true,
  teamTakePart: true,
  teamTakenTo: true,
  teamLeave: true,
  markRows: true,
};

interface Life {
  isOpen: boolean;
  /** Set while the other thread is being ended after one has ended unexpectedly. */
  ending: Promise<void> | null;
}

interface Opened extends Pick<WorkerSetup, 'file' | 'activity'> {
  readonly writer: ThreadClient<WriterCalls>;
  readonly reader: ThreadClient<ReaderCalls>;
  readonly listeners: Set<CommitListener>;
  readonly taskFlags: TaskFlags;
  readonly clock: Clock;
  readonly life: Life;
  readonly refusal: NotWritable | null;
  readonly safety: WorkspaceThreads['safety'];
  readonly closed: () => Promise<void>;
}

function workspaceOver({
  file,
  activity,
  writer,
  reader,
  listeners,
  taskFlags,
  clock,
  life,
  refusal,
  safety,
  closed,
}: Opened): Workspace {
  const now = () => clock.nowMs();
  const priority = createCallPriority();
  /** Records a read when rows are requested, and again when they are sent, because then they are drawn. */
  const seen = async <T>(ask: () => Promise<T>): Promise<T> => {
    recordRead(activity);
    try {
      return await priority.rows(ask);
    } finally {
      recordRead(activity);
    }
  };
  const inOrder = <T>(is: ReadPriority | null, ask: () => Promise<T>): Promise<T> =>
    is === 'rows' ? seen(ask) : is === 'counts' ? priority.count(ask) : ask();
  // The types of the tables declare the results.
  const read = (name: keyof Reads, ...args: readonly unknown[]): Promise<never> =>
    inOrder(
      PRIORITIES[name] ?? null,
      async () => (await reader.calls.call(['reads', name], now(), args, null)) as never,
    );
  const write = async (area: string, name: string, ...args: readonly unknown[]): Promise<never> =>
    (await writer.calls.call([area, name], now(), args, null)) as never;
  /** Runs an edit; a workspace that is only viewed refuses it. */
  const edit = async (
    [area, name]: OperationPath,
    args: readonly unknown[],
    task: TaskOptions | null = null,
  ): Promise<never> => {
    if (refusal !== null) return err(refusal) as never;
    if (task === null) return write(area, name, ...args);
    return taskFlags.run(task, async (flag) => (await writer.calls.call([area, name], now(), args, flag)) as never);
  };
  const internal = (name: string) =>
    name in EDITS
      ? (...args: readonly unknown[]) => edit(['edits', name], args)
      : name in WRITES
        ? (...args: readonly unknown[]) => write('writes', name, ...args)
        : (...args: readonly unknown[]) => read(name as keyof Reads, ...args);
  const reads = byName<Reads>(
    (name) =>
      (...args) =>
        read(name as keyof Reads, ...args),
  );
  let closing: Promise<void> | null = null;
  /** The last backup: the file must not be closed during it, or its log would stay behind. */
  let copied: Promise<unknown> = Promise.resolve();
  const closeBoth = async (): Promise<void> => {
    listeners.clear();
    await Promise.allSettled([copied, priority.over()]);
    // Threads that end unexpectedly can't be told to close; until they have ended they hold the lock.
    if (!life.isOpen) return life.ending ?? undefined;
    life.isOpen = false;
    await reader.close();
    await writer.close();
  };
  const closeWhole = async (): Promise<void> => {
    try {
      await closeBoth();
    } finally {
      await closed();
    }
  };
  const keepMetrics: Workspace['keepMetrics'] = async (wanted, metrics) => {
    if (wanted.length === 0) return;
    const version = await metrics.version();
    for (const one of wanted) {
      const key = metricKey(one);
      if (await reads.hasMetric(key, version)) continue;
      const values = await metrics.read(one);
      if (values !== null) await reads.keepMetric(key, version, values);
    }
  };
  const own: Omit<Workspace, keyof (Omit<Reads, 'openView'> & Edits & Writes)> = {
    callWriter: (path, input, task) => edit(path, [input], task),
    callReader: (path, input, { priority: is = null, signal } = {}) =>
      inOrder(is, async () => {
        const ask = async (flag: TaskFlag | null) => (await reader.calls.call(path, now(), [input], flag)) as never;
        return signal === undefined ? ask(null) : taskFlags.run({ taskId: path.join('.'), signal }, ask);
      }),
    outbox: byName<OutboxClient>(
      (name) =>
        (...args) =>
          write('outbox', name, ...args),
    ),
    keepMetrics,
    openView: async (spec, { window = NO_ROWS, metrics } = {}) => {
      if (metrics !== undefined) await keepMetrics(wantedMetrics(spec), metrics);
      return reads.openView(spec, window);
    },
    savedViews: async (tellUnread) => {
      const { read, unread } = readableOf(SavedView, await reads.writtenViews());
      tellUnread?.(unread);
      return read;
    },
    readTrees: async (which) =>
      readTreesInChunks((ids) => reads.treesOf(ids), which === 'all' ? await reads.campaignIds('all') : which),
    issues: async (from, count, campaignId, rule = null, metricRules = []) => {
      await writer.calls.settleChecks(now());
      return reads.issuesNow(from, count, campaignId, rule, metricRules);
    },
    campaignsWithIssue: async (rule) => {
      await writer.calls.settleChecks(now());
      return reads.campaignsWithIssueNow(rule);
    },
    rowsWithErrors: async () => {
      await writer.calls.settleChecks(now());
      return reads.rowsWithErrorsNow();
    },
    changesWithWarnings: async () => {
      await writer.calls.settleChecks(now());
      return reads.changesWithWarningsNow();
    },
    applyTool: async (scope, tool, label, task) => {
      const rows = await reads.scopeRows(scope);
      return rows.ok ? edit(['edits', 'applyToolTo'], [rows.value, tool, label], task) : rows;
    },
    applyStaged: async (staged, task) => {
      if (refusal !== null) return err(refusal);
      if (task === undefined) return writer.calls.applyStaged(now(), staged, null);
      return taskFlags.run(task, (flag) => writer.calls.applyStaged(now(), staged, flag));
    },
    teamSnapshot: async () => {
      for (let tries = 0; tries < 5; tries++) {
        const parts: Uint8Array[] = [];
        const digests: string[] = [];
        let rows = 0;
        let part = await reads.teamSnapshotPart();
        const place = part?.place;
        for (; part !== null && part.place.seq === place?.seq; part = await reads.teamSnapshotPart(part.next)) {
          parts.push(part.bytes);
          digests.push(part.digest);
          rows += part.rows;
          if (part.next === null) return { place: part.place, parts, rows, digest: digestOfParts(digests) };
        }
        if (part === null) return null;
      }
      return null;
    },
    teamTakeSnapshot: async (partsFrom, { place, digest, lastPush }) => {
      const digests = [...(await reads.teamTakenParts(place))];
      for await (const bytes of partsFrom(digests.length)) {
        const taken = await write('writes', 'teamTakePart', bytes, digests.length, place);
        if (taken === null) return false;
        digests.push(taken);
      }
      if (digestOfParts(digests) !== digest) return false;
      await write('writes', 'teamTakenTo', { place, lastPush });
      return true;
    },
    backup: (target) => {
      const copying = safety('copy', { file, target });
      copied = Promise.allSettled([copied, copying]);
      return copying;
    },
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      closing ??= closeWhole();
      return closing;
    },
  };
  return byName<Workspace>((name) => internal(name), own);
}

/** An object with a method for every name, in addition to `own`. */
function byName<T extends object>(
  method: (name: string) => (...args: readonly unknown[]) => Promise<never>,
  own: Partial<T> = {},
): T {
  const methods: object = new Proxy<Record<string, unknown>>(
    { ...own },
    {
      get: (known, name) => {
        // `await` reads `then`.
        if (typeof name !== 'string' || name === 'then') return undefined;
        known[name] ??= method(name);
        return known[name];
      },
    },
  );
  return methods as T;
}

/**
 * Deserializing a message blocks the receiving thread: a few milliseconds for this many campaigns, seconds for a large
 * account.
 */
const CAMPAIGNS_A_MESSAGE = 25;

/**
 * Reads campaigns in several messages. Each campaign is consistent; edits may occur between two messages.
 *
 * @returns by ID, without missing ones
 */
export async function readTreesInChunks(
  read: (ids: readonly RowId[]) => Promise<readonly CampaignTree[]>,
  wanted: readonly RowId[],
): Promise<readonly CampaignTree[]> {
  const ids = [...new Set(wanted)].sort((a, b) => a - b);
  const trees: CampaignTree[] = [];
  for (let from = 0; from < ids.length; from += CAMPAIGNS_A_MESSAGE) {
    trees.push(...(await read(ids.slice(from, from + CAMPAIGNS_A_MESSAGE))));
  }
  return trees;
}
