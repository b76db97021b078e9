import { SavedView } from '../../shared/contract/views.ts';
import type { DeploymentProfile } from '../../shared/profile/profile.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Clock } from '../clock.ts';
import { systemUser } from '../system-user.ts';
import { createJobs, type Jobs } from './bulk/jobs.ts';
import type { OutboxClient } from './outbox/ops.ts';
import type { NotWritable, Workspace } from './port.ts';
import { sortedFigures } from './reader/row-figures.ts';
import { runSafetyTask } from './safety/task.ts';
import { treesInSlices } from './trees-in-slices.ts';
import { createGlances, glance } from './worker/glances.ts';
import { createLanes } from './worker/lanes.ts';
import type { MainCalls, ReaderCalls, WorkerSetup, WriterCalls } from './worker/protocol.ts';
import { startThread, type Thread } from './worker/thread.ts';
import type { CommitListener } from './writer/create-store.ts';

export interface OpenWorkspaceOptions {
  /** The database file; it is made when it is not there. */
  readonly file: string;
  readonly workspaceId: string;
  readonly profile: DeploymentProfile;
  readonly clock: Clock;
  /** Whether the account's item ids have been migrated; null while unknown. */
  readonly migrated: boolean | null;
  /** The account is known to have a workspace: a missing or empty file is damage, not a new one. */
  readonly mustExist?: boolean;
  /** On whose behalf edits are made, for the log; the user of the system unless it is said. */
  readonly who?: string;
  /** For a copy that is looked at and nothing else: it may be of a newer schema. */
  readonly viewing?: boolean;
  /** Called when a thread has ended by itself; the workspace is closed by then and can be opened again. */
  readonly failed?: (why: string) => void;
}

/** Opens a workspace in two worker threads, and only if nobody else has it open. */
export async function openWorkspace(options: OpenWorkspaceOptions): Promise<Result<Workspace, NotWritable>> {
  const { file, workspaceId, profile, migrated, clock } = options;
  const { mustExist = false, viewing = false, who = systemUser() } = options;
  const glances = createGlances();
  const setup = { file, workspaceId, profile, migrated, mustExist, viewing, who, glances };
  const listeners = new Set<CommitListener>();
  const jobs = createJobs();
  const events: MainCalls = {
    progress: jobs.progress,
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
    // Half a workspace is none: with the threads go their connections and the lock.
    life.ending = endBoth();
    void life.ending.then(() => options.failed?.(why));
  };
  // Both threads load at once; the reader connects when the writer has made or migrated the tables.
  const writer = startThread<WriterCalls>({ ...setup, role: 'writer' }, events, ended);
  const reader = startThread<ReaderCalls>({ ...setup, role: 'reader' }, {}, ended);
  try {
    const started = await writer.calls.start(clock.nowMs());
    if (!started.ok) return err(started.error);
    await reader.calls.start();
    life.isOpen = true;
  } finally {
    if (!life.isOpen) await endBoth();
  }
  return ok(workspaceOver({ file, glances, writer, reader, listeners, jobs, clock, life }));
}

const NO_ROWS = { from: 0, count: 0 };

interface Life {
  isOpen: boolean;
  /** Under way once a thread has ended by itself and took the other along. */
  ending: Promise<void> | null;
}

interface Opened extends Pick<WorkerSetup, 'file' | 'glances'> {
  readonly writer: Thread<WriterCalls>;
  readonly reader: Thread<ReaderCalls>;
  readonly listeners: Set<CommitListener>;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly life: Life;
}

function workspaceOver({ file, glances, writer, reader, listeners, jobs, clock, life }: Opened): Workspace {
  const [write, read] = [writer.calls, reader.calls];
  const now = () => clock.nowMs();
  const lanes = createLanes();
  /** Once when rows are asked for and once when they leave, for then they are drawn. */
  const seen = async <T>(ask: () => Promise<T>): Promise<T> => {
    glance(glances);
    try {
      return await lanes.rows(ask);
    } finally {
      glance(glances);
    }
  };
  let closing: Promise<void> | null = null;
  /** The last backup: the file may not close under it, or its log would stay behind. */
  let copied: Promise<unknown> = Promise.resolve();
  const closeBoth = async (): Promise<void> => {
    listeners.clear();
    await Promise.allSettled([copied, lanes.over()]);
    // Threads that have ended by themselves cannot be asked to close, only waited for: until then they hold the lock.
    if (!life.isOpen) return life.ending ?? undefined;
    life.isOpen = false;
    await reader.close();
    await writer.close();
  };
  return {
    summary: () => lanes.count(() => read.summary()),
    openView: async (spec, { window = NO_ROWS, figures } = {}) => {
      const missing = sortedFigures(spec).length === 0 ? [] : await read.missingFigures(spec);
      for (const figure of missing) {
        const column = await figures?.(figure);
        if (column !== undefined && column !== null) await read.keepFigures(spec, figure, column);
      }
      return seen(() => read.openView(spec, window));
    },
    readWindow: (viewId, from, count) => seen(() => read.readWindow(viewId, from, count)),
    viewPlace: (viewId, id) => read.viewPlace(viewId, id),
    viewText: (viewId, from, count, wish) => read.viewText(viewId, from, count, wish),
    closeView: (viewId) => read.closeView(viewId),
    rowDetail: (ref) => read.rowDetail(now(), ref),
    rowFindings: (kind, ids) => lanes.count(() => read.rowFindings(now(), kind, ids)),
    readRow: (ref) => read.readRow(ref),
    campaignIds: (which) => read.campaignIds(which),
    readTrees: async (which) =>
      treesInSlices((ids) => read.readTrees(ids), typeof which === 'string' ? await read.campaignIds(which) : which),
    readMedia: () => read.readMedia(),
    readSubtrees: async (scope, limit) => {
      const rows = await read.scopeRows(scope);
      return rows.ok ? read.readSubtrees(rows.value, limit) : rows;
    },
    findings: async (from, count, campaignId, rule = null) => {
      await write.settleChecks(now());
      return read.findings(now(), from, count, campaignId, rule);
    },
    rowsWithErrors: async () => {
      await write.settleChecks(now());
      return read.rowsWithErrors();
    },
    changes: (from, count, words = '', lane = null) => read.changes(from, count, words, lane),
    history: (from, count, words = '') => read.history(from, count, words),
    apply: (edit) => write.apply(now(), edit),
    applyStaged: (edit) => write.applyStaged(now(), edit),
    revert: (rows, field) => write.revert(now(), rows, field),
    hold: (rows, held) => write.hold(now(), rows, held),
    previewTool: async (scope, tool, count) => {
      const rows = await read.scopeRows(scope);
      return rows.ok ? read.previewTool(rows.value, tool, count) : rows;
    },
    applyTool: (scope, tool, label, job) =>
      jobs.run(job, async (flag) => {
        const rows = await read.scopeRows(scope);
        return rows.ok ? write.applyTool(now(), rows.value, tool, label, flag) : rows;
      }),
    previewPaste: (paste, from, count) => read.previewPaste(paste, from, count),
    applyPaste: (paste, skip, label, job) => jobs.run(job, (flag) => write.applyPaste(now(), paste, skip, label, flag)),
    viewCounts: (kind, campaignId) => lanes.count(() => read.viewCounts(kind, campaignId)),
    duplicates: (search) => read.duplicates(search),
    rejections: (from, count, words) => read.rejections(from, count, words),
    viewTotals: (viewId) => lanes.count(async () => read.viewTotals(viewId)),
    viewGroups: (viewId, from, count) => read.viewGroups(viewId, from, count),
    known: (from, count, words) => read.known(from, count, words),
    campaignsHere: (ids) => read.campaignsHere(ids),
    savedViews: async () => (await read.savedViews()).map((saved) => SavedView.parse(saved)),
    labels: () => read.labels(),
    labelled: () => read.labelled(),
    comments: (ref, resolved) => read.comments(ref, resolved),
    note: (command) => write.note(now(), command),
    log: (from, count, filter) => read.log(from, count, filter),
    compare: (before, after, campaignId, from, count) => read.compare(before, after, campaignId, from, count),
    restore: (to, scope, label) => write.restore(now(), to, scope, label),
    cancelJob: (jobId) => jobs.cancel(jobId),
    undo: () => write.step(now(), 'undo'),
    redo: () => write.step(now(), 'redo'),
    mergeRemote: (rows) => write.mergeRemote(now(), rows),
    setServiceFields: (updates) => write.setServiceFields(now(), updates),
    getMeta: (key) => read.getMeta(key),
    setMeta: (key, value) => write.setMeta(now(), key, value),
    outbox: outboxClient((name, args) => write.outbox(now(), name, args)),
    editMark: () => read.editMark(),
    verify: () => read.verify(),
    backup: (target) => {
      const copying = runSafetyTask('copy', { file, target });
      copied = Promise.allSettled([copied, copying]);
      return copying;
    },
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      closing ??= closeBoth();
      return closing;
    },
  };
}

/** Any operation of the outbox as a call; the names are those of `outboxOps`, checked where they run. */
function outboxClient(call: (name: string, args: unknown) => Promise<unknown>): OutboxClient {
  const client: unknown = new Proxy(
    {},
    {
      get: (_target, name) =>
        typeof name === 'string' && name !== 'then' ? (args: unknown) => call(name, args) : undefined,
    },
  );
  return client as OutboxClient;
}
