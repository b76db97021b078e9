import type { AppEvent } from '../../shared/api/app.ts';
import { type Checklist, ChecklistText, type KeptChecklist } from '../../shared/api/checklist.ts';
import { CHECKLIST_STEPS, type ChecklistStep } from '../../shared/api/choices.ts';
import type { SyncReport } from '../../shared/api/sync.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import { notWritableFrom } from '../store/not-writable.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import type { Workspace } from '../store/workspace.ts';

/**
 * The first steps of a sample account. Events complete them, and they stay completed:
 *
 *   overview  a window has shown it
 *   error     no row has an error in a campaign of the sample: those of imported campaigns do not count
 *   bids      three bids are higher than at first
 *   item      a new ad item came from item search
 *   sync      a sync ended, and nothing of it failed
 *   live      a campaign is live that was not at first
 *
 * Stored in the workspace file, so that backups include it.
 */
interface ChecklistDeps {
  readonly workspaceId: WorkspaceId;
  readonly workspace: Workspace;
  /** The report of the last sync; null before the first. */
  readonly report: () => Promise<SyncReport | null>;
  readonly emit: (event: AppEvent) => void;
}

const KEY = 'checklist';
const BIDS = 3;

export function createChecklist({ workspaceId, workspace, report, emit }: ChecklistDeps) {
  const inTurn = createSerialQueue();
  let kept: KeptChecklist | null | undefined;
  /** A check is queued that has not begun, so it will cover what happens now. */
  let isDue = false;
  const read = async (): Promise<KeptChecklist | null> => {
    if (kept === undefined) {
      const text = await workspace.getMeta(KEY);
      kept = text === null ? null : (ChecklistText.safeParse(text).data ?? null);
    }
    return kept;
  };
  const write = async (next: KeptChecklist): Promise<void> => {
    await workspace.setMeta(KEY, JSON.stringify(next));
    kept = next;
    emit({ type: 'settings.changed', workspaceId, area: KEY });
  };
  const complete = async (steps: readonly ChecklistStep[]): Promise<void> => {
    const now = await read();
    if (now === null || steps.every((step) => now.done.includes(step))) return;
    await write({ ...now, done: CHECKLIST_STEPS.filter((step) => now.done.includes(step) || steps.includes(step)) });
  };

  const look = async (): Promise<void> => {
    isDue = false;
    const now = await read();
    if (now === null || now.done.length === CHECKLIST_STEPS.length) return;
    const isOpen = (step: ChecklistStep): boolean => !now.done.includes(step);
    const trees = isOpen('bids') || isOpen('live') ? await workspace.readTrees(now.campaigns) : [];
    const seen: readonly (readonly [ChecklistStep, () => boolean | Promise<boolean>])[] = [
      ['error', () => hasNoErrors(workspace, now.campaigns)],
      ['bids', () => raisedIn(trees, now.bids) >= BIDS],
      ['item', () => hasSearchedItem(workspace)],
      ['sync', async () => isClean(await report())],
      [
        'live',
        () => trees.some(({ campaign }) => isLive(campaign.values.campaignState) && !now.live.includes(campaign.id)),
      ],
    ];
    const done: ChecklistStep[] = [];
    for (const [step, isTrue] of seen) if (isOpen(step) && (await isTrue())) done.push(step);
    await complete(done);
  };

  const shown = async (): Promise<Checklist | null> => {
    const now = await read();
    return now === null ? null : { done: now.done, closed: now.closed };
  };
  return {
    /** Stores the present state, against which the steps are measured. */
    begin: () =>
      inTurn(async () => {
        const trees = await workspace.readTrees('all');
        await write({
          done: [],
          closed: false,
          bids: Object.fromEntries(trees.flatMap(bidsIn)),
          campaigns: trees.map(({ campaign }) => campaign.id),
          live: trees.flatMap(({ campaign }) => (isLive(campaign.values.campaignState) ? [campaign.id] : [])),
        });
      }),
    get: shown,
    seeOverview: async () => {
      await inTurn(() => complete(['overview']));
      return shown();
    },
    setClosed: async (closed: boolean) => {
      await inTurn(async () => {
        const now = await read();
        if (now !== null && now.closed !== closed) await write({ ...now, closed });
      });
      return shown();
    },
    hear: (event: AppEvent): void => {
      const isOver = event.type === 'sync.progress' && event.phase === 'done';
      if (isDue || kept === null || (event.type !== 'workspace.changed' && !isOver)) return;
      isDue = true;
      inTurn(look).catch((error: unknown) => {
        // The next change checks again; a full disk and a closing account are reported elsewhere.
        if (!(error instanceof WorkspaceClosed) && notWritableFrom(error) === null) throw error;
      });
    },
    /** Resolves when no check is queued or running. */
    idle: () => inTurn(async () => undefined),
  };
}

const isLive = (state: string | null): boolean => state === 'live';

const bidsIn = ({ adItems, keywords }: CampaignTree): readonly (readonly [string, number])[] =>
  [...adItems, ...keywords].map((row) => [`${row.kind}/${row.id}`, row.values.bid ?? 0] as const);

const raisedIn = (trees: readonly CampaignTree[], before: KeptChecklist['bids']): number =>
  trees.flatMap(bidsIn).filter(([row, bid]) => bid > (before[row] ?? bid)).length;

async function hasNoErrors(workspace: Workspace, campaigns: KeptChecklist['campaigns']): Promise<boolean> {
  if ((await workspace.summary()).issues.error === 0) return true;
  for (const id of campaigns) if ((await workspace.issues(0, 0, id)).counts.error > 0) return false;
  return true;
}

async function hasSearchedItem(workspace: Workspace): Promise<boolean> {
  const view = { kind: 'adItem', filter: 'itemIdSource:search', campaignId: null, only: 'all' } as const;
  const opened = await workspace.openView({ ...view, sort: [] });
  if (!opened.ok) return false;
  await workspace.closeView(opened.value.viewId);
  return opened.value.length > 0;
}

const isClean = (report: SyncReport | null): boolean =>
  report?.state === 'finished' &&
  report.stoppedBy === null &&
  report.done > 0 &&
  report.refused.length + report.inDoubt + report.questions + report.failedUploads.length === 0;
