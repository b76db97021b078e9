import type { AfterReview } from '../../shared/contract/after-review.ts';
import type { AppEvent } from '../../shared/contract/app.ts';
import type { Review } from '../../shared/contract/sync.ts';
import { createTurns } from '../../shared/in-turn.ts';
import { type FIELDS, fieldNames } from '../../shared/model/fields.ts';
import type { DeskEvent, Events } from '../data/events.ts';
import { firstRows } from '../data/row-questions.ts';
import { enAfterReview } from '../messages/en-after-review.ts';
import { enNews } from '../messages/en-news.ts';
import { enPendingSync } from '../messages/en-pending-sync.ts';
import type { News, NewsPlace } from '../store/news-slice.ts';
import type { Client } from '../transport/connection.ts';

type Entry = Omit<News, 'id'>;
type Tell = (entry: Entry) => void;

/** Changes come in streams; what they amount to is looked at when they have rested for this long. */
const REST_MS = 1000;

/**
 * Makes news of what main announces: ends of syncs and notices as they come; decided reviews and finished videos by
 * comparing what main says now with what it said before.
 *
 *   account shown ------------------------------------> read: where things stand is no news
 *   workspace.changed (ad groups, media) --rested--> read --> differs from before --> news
 *
 * @param openWorkspace the account on screen
 * @param onOpened tells of each account that comes on screen, until what it answers is called
 * @returns a function that ends it
 */
export function watchNews(
  client: Client,
  events: Events,
  deps: {
    readonly tell: Tell;
    readonly openWorkspace: () => string | null;
    readonly onOpened: (listener: (workspaceId: string) => void) => () => void;
    readonly nowMs: () => number;
  },
): () => void {
  const reviews = createWatch((workspaceId) => reviewStates(client, workspaceId));
  const files = createWatch((workspaceId) => fileStates(client, workspaceId));
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** Edits that were kept for after a review which is over now. */
  async function keptFor(workspaceId: string, over: ReadonlySet<string>): Promise<readonly AfterReview[]> {
    if (over.size === 0) return [];
    const kept = await client.afterReview.list({ workspaceId });
    return kept.filter(({ state, campaignId }) => state === 'free' && over.has(String(campaignId)));
  }

  async function look(workspaceId: string): Promise<void> {
    const entry = (text: string, tone: News['tone'], place: NewsPlace): void =>
      deps.tell({ at: deps.nowMs(), workspaceId, tone, text, place });
    const decided = await reviews.changes(workspaceId);
    const over = new Set(decided.filter(({ state }) => OVER.has(state)).map(({ campaignId }) => campaignId ?? ''));
    for (const { state, name, detail } of decided) {
      if (state === 'approved') entry(enNews.approved(name), 'good', 'reviews');
      if (state === 'rejected') entry(enNews.rejected(name, Number(detail)), 'bad', 'reviews');
      if (state === 'cancelled') entry(enNews.cancelled(name), 'plain', 'reviews');
    }
    for (const { campaign, rows } of await keptFor(workspaceId, over)) {
      entry(enAfterReview.news(campaign, rows), 'plain', 'changes');
    }
    for (const { state, name, detail } of await files.changes(workspaceId)) {
      if (state === 'available') entry(enNews.ready(name), 'good', 'media');
      if (state === 'failed') entry(enNews.failed(name, detail), 'bad', 'media');
    }
  }

  const inTurn = createTurns();
  function lookNow(workspaceId: string): void {
    timers.delete(workspaceId);
    // Main may be away or the account gone: the next change leads to the next look.
    inTurn(() => look(workspaceId)).catch(() => timers.delete(workspaceId));
  }
  function lookSoon(workspaceId: string): void {
    clearTimeout(timers.get(workspaceId));
    timers.set(
      workspaceId,
      setTimeout(() => lookNow(workspaceId), REST_MS),
    );
  }
  // Before anything can change there: what the first look finds is taken for what was there all along.
  const stopOpened = deps.onOpened(lookNow);

  const stop = events.on((event: DeskEvent) => {
    if (event.type === 'sync.progress' && event.phase === 'done') deps.tell(syncEnd(event, deps.nowMs()));
    if (event.type === 'notice') deps.tell(noticeOf(event, deps.nowMs()));
    if (event.type === 'report.job' && event.isNews) {
      const { at, workspaceId, state, text } = event;
      deps.tell({ at, workspaceId, tone: state === 'ready' ? 'good' : 'bad', text, place: 'reports' });
    }
    if (event.type === 'access.refused') {
      const { workspaceId } = event;
      deps.tell({ at: deps.nowMs(), workspaceId, tone: 'bad', text: enNews.refused, place: 'access' });
    }
    if (
      event.type === 'workspace.changed' &&
      event.only === undefined &&
      event.kinds.some((kind) => kind === 'adGroup' || kind === 'media')
    ) {
      lookSoon(event.workspaceId);
    }
    if (event.type === 'accounts.changed' || event.type === 'reconnected') {
      const open = deps.openWorkspace();
      if (open !== null) lookSoon(open);
    }
  });
  return () => {
    stop();
    stopOpened();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

const OVER: ReadonlySet<string> = new Set(['approved', 'rejected', 'cancelled']);

interface Known {
  /** Where it is about one. */
  readonly campaignId?: string;
  readonly state: string;
  readonly name: string;
  readonly detail: string;
}

/** Remembers states by account. The first answer is where things stand; later ones are compared with it. */
function createWatch(read: (workspaceId: string) => Promise<ReadonlyMap<string, Known>>): {
  changes(workspaceId: string): Promise<readonly Known[]>;
} {
  const before = new Map<string, ReadonlyMap<string, Known>>();
  return {
    changes: async (workspaceId) => {
      const now = await read(workspaceId);
      const known = before.get(workspaceId);
      before.set(workspaceId, now);
      if (known === undefined) return [];
      return [...now].flatMap(([id, each]) => (known.get(id)?.state === each.state ? [] : [each]));
    },
  };
}

async function reviewStates(client: Client, workspaceId: string): Promise<ReadonlyMap<string, Known>> {
  const list = await client.review.list({ workspaceId });
  const reasons = (review: Review): number => review.components.filter(({ reason }) => reason !== null).length;
  return new Map(
    list.map((review) => [
      String(review.adGroupId),
      {
        campaignId: String(review.campaignId),
        state: review.status,
        name: review.campaign,
        detail: String(reasons(review)),
      },
    ]),
  );
}

const MEDIA_FIELDS = fieldNames('media');
const at = (field: keyof (typeof FIELDS)['media']): number => MEDIA_FIELDS.indexOf(field);

async function fileStates(client: Client, workspaceId: string): Promise<ReadonlyMap<string, Known>> {
  const rows = await firstRows(workspaceId, 'media', null).read(client);
  const text = (cell: unknown): string => (typeof cell === 'string' ? cell : '');
  return new Map(
    rows.map(({ id, cells }) => [
      String(id),
      {
        state: text(cells[at('mediaState')]),
        name: text(cells[at('mediaName')]),
        detail: text(cells[at('stateReason')]),
      },
    ]),
  );
}

const syncEnd = (event: Extract<AppEvent, { type: 'sync.progress' }>, nowMs: number): Entry => {
  const { workspaceId, elementsDone, elementsRefused, elementsInDoubt, ended } = event;
  const tone = elementsRefused + elementsInDoubt === 0 && ended === undefined ? 'good' : 'bad';
  return {
    at: nowMs,
    workspaceId,
    tone,
    text:
      ended === undefined
        ? enNews.sync(elementsDone, elementsRefused, elementsInDoubt)
        : enPendingSync.news[ended](elementsDone),
    place: 'sync',
  };
};

/** Notices about the file of an account say what they are about in `what`; the others come from a sync. */
const noticeOf = (
  { workspaceId, severity, message, params }: Extract<AppEvent, { type: 'notice' }>,
  nowMs: number,
): Entry => ({
  at: nowMs,
  workspaceId,
  tone: severity === 'error' ? 'bad' : 'plain',
  text: message,
  place: params['what'] === undefined ? 'sync' : 'backups',
});
