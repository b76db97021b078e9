import {
  type AppEvent,
  NEWS_TEXT_MAX,
  NewsText,
  NOTIFICATIONS_MAX,
  type NotificationEntry,
} from '../../shared/api/app.ts';
import type { AfterReview, Review } from '../../shared/api/reviews.ts';
import type { DeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { isServiceMedia } from '../../shared/model/media.ts';
import type { Row } from '../../shared/model/row.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import type { Clock } from '../app/clock.ts';
import type { AppEvents } from '../app/events.ts';
import { createPersistedList } from '../store/account-settings.ts';
import { notWritableFrom } from '../store/not-writable.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import type { Workspace } from '../store/workspace.ts';
import { changesAfterReview, reviewsIn } from '../sync/reviews.ts';

/** The notifications of one account, stored in its file, newest first. */
export type NotificationLog = ReturnType<typeof createNotificationLog>;

export interface NotificationDeps {
  readonly workspace: Parameters<typeof changesAfterReview>[0]['workspace'] &
    Pick<Workspace, 'getMeta' | 'setMeta' | 'onChanged' | 'readMedia' | 'videosOfChanges'>;
  readonly workspaceId: WorkspaceId;
  readonly profile: DeploymentSettings;
  readonly clock: Clock;
  /** Locale for numbers; null for that of the system. */
  readonly locale: () => string | null;
  readonly emit: (event: AppEvent) => void;
  /** False for a host whose user sees the results directly: then only `add` writes entries. */
  readonly isWatching: boolean;
}

const KEY = 'news';
/** An account that is opened twice within this time would repeat its notice. */
const SAME_MS = 60_000;
/** Changes come in bursts; the account is compared when none has come for this long. */
const REST_MS = 1000;

/**
 * Ends of syncs, notices and refused credentials come as events. Decided reviews and finished videos are found by
 * comparing the account with its earlier state:
 *
 *   account opened ------------------------------------> read: the present state makes no entry
 *   rows changed (ad groups, media) --1 s of rest------> read --> differs from before --> entry
 */
export function createNotificationLog(deps: NotificationDeps) {
  const { workspace, workspaceId, clock, emit, isWatching } = deps;
  const kept = createPersistedList(workspace, KEY, (text) => NewsText.parse(text ?? '[]'));
  const inTurn = createSerialQueue();
  let before: Standing | null = null;
  let timer: NodeJS.Timeout | null = null;

  const count: Count = (value) => value.toLocaleString(deps.locale() ?? undefined);
  const write = async (long: NotificationEntry): Promise<void> => {
    const entry = { ...long, text: long.text.slice(0, NEWS_TEXT_MAX) };
    let isNew = true;
    await unlessAway(
      kept.change((known) => {
        isNew = !known.some((each) => isSame(each, entry));
        return isNew ? [entry, ...known].toSorted((a, b) => b.at - a.at).slice(0, NOTIFICATIONS_MAX) : known;
      }),
    );
    if (isNew) emit({ type: 'notification.added', workspaceId, entry });
  };
  const look = async (): Promise<void> => {
    const known = before;
    const now = await readStanding(workspace);
    before = now;
    if (known === null) return;
    const at = clock.nowMs();
    const decided = [...now.reviews].flatMap(([id, each]) =>
      OVER.has(each.status) && known.reviews.get(id)?.status !== each.status ? each : [],
    );
    const finished = [...now.media].flatMap(([id, each]) => {
      const earlier = known.media.get(id);
      // A refresh also reads videos from elsewhere that were ready before. A file of this account may be ready at once.
      if (earlier === undefined && isServiceMedia(each)) return [];
      return earlier?.values.mediaState === each.values.mediaState ? [] : each;
    });
    const over = new Set<number>(decided.map(({ campaignId }) => campaignId));
    const free = over.size === 0 ? [] : await changesAfterReview(deps);
    const unsent = finished.length === 0 ? [] : await workspace.videosOfChanges();
    const entries = [
      ...decided.map((review) => reviewEntry(review, at, count)),
      ...free.flatMap((each) => (each.state === 'free' && over.has(each.campaignId) ? keptEntry(each, at, count) : [])),
      ...finished.flatMap((media) => mediaEntry(media, unsent.includes(media.id), at) ?? []),
    ];
    for (const entry of entries) await write(entry);
  };
  const lookNow = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    return inTurn(() => unlessAway(look()));
  };

  if (isWatching) {
    // Before anything can change: the first reading counts as the earlier state.
    void lookNow();
    workspace.onChanged((_revision, kinds, only) => {
      if (only !== null || !kinds.some((kind) => kind === 'adGroup' || kind === 'media')) return;
      timer = timer?.refresh() ?? setTimeout(() => void lookNow(), REST_MS);
    });
  }
  return {
    list: kept.read,
    clear: (): Promise<readonly NotificationEntry[]> => kept.change(() => []),
    /** Stores an entry and emits it. An entry that can't be written is shown until the windows close. */
    add: (entry: NotificationEntry) => inTurn(() => write(entry)),
    /** Writes an entry for an event of the account, if the event has one. */
    hear: (event: AppEvent) => {
      const entry = isWatching ? entryOf(event, clock.nowMs(), count) : null;
      if (entry !== null) void inTurn(() => write(entry));
    },
    /** Writes what is still pending. */
    close: async () => {
      if (timer !== null) await lookNow();
      await inTurn(async () => undefined);
    },
  };
}

const isSame = (one: NotificationEntry, other: NotificationEntry): boolean =>
  one.text === other.text && one.place === other.place && Math.abs(one.at - other.at) < SAME_MS;

/** Ignores that the account is closed or read-only, or its disk full: then there is nothing to compare or to write. */
async function unlessAway(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof WorkspaceClosed) && notWritableFrom(error) === null) throw error;
  }
}

/** The state that is compared between two readings. */
type Standing = Awaited<ReturnType<typeof readStanding>>;

async function readStanding(workspace: NotificationDeps['workspace']) {
  const ids = await workspace.outbox.reviewedCampaigns();
  const reviews = ids.length === 0 ? [] : reviewsIn(await workspace.readTrees(ids));
  const media = await workspace.readMedia();
  return {
    reviews: new Map(reviews.map((review) => [review.adGroupId, review])),
    media: new Map(media.map((row) => [row.id, row])),
  };
}

const OVER: ReadonlySet<string> = new Set(['approved', 'rejected', 'cancelled']);

type Count = (value: number) => string;

function reviewEntry(
  { status, campaignId, campaign, components }: Review,
  at: number,
  count: Count,
): NotificationEntry {
  const parts = components.filter(({ reason }) => reason !== null).length;
  const why =
    status === 'rejected' && parts > 0
      ? `, ${count(parts)} ${parts === 1 ? 'component' : 'components'} with a reason`
      : '';
  const tone = status === 'approved' ? 'good' : status === 'rejected' ? 'bad' : 'plain';
  return {
    at,
    tone,
    text: `${campaign}: review ${status === 'cancelled' ? 'canceled' : status}${why}`,
    place: 'reviews',
    campaignId,
  };
}

function keptEntry({ campaignId, campaign, rows, blocked }: AfterReview, at: number, count: Count): NotificationEntry {
  const edited = (some: number): string => `${count(some)} changed ${some === 1 ? 'row' : 'rows'}`;
  const parts = [
    ...(rows === blocked ? [] : [`${edited(rows - blocked)} ready to sync`]),
    ...(blocked === 0 ? [] : [`${edited(blocked)} with an error to fix first`]),
  ];
  const text = `${campaign}: review finished, ${parts.join(', ')}`;
  return { at, tone: 'plain', text, place: 'changes', campaignId };
}

function mediaEntry(
  { values, remoteId }: Row<'media'>,
  hasUnsentProfile: boolean,
  at: number,
): NotificationEntry | null {
  const { mediaState, mediaType, mediaName, stateReason } = values;
  // Captions and logos are there as soon as they were sent, which is no news.
  if (mediaType !== 'video') return null;
  if (mediaState === 'available') {
    const next = hasUnsentProfile ? '. Sync to send its profile' : '';
    return { at, tone: 'good', text: `${mediaName ?? ''} is ready${next}`, place: 'media' };
  }
  // The sync reports a video that the service has not received.
  if (mediaState !== 'failed' || remoteId === null) return null;
  const text = `${mediaName ?? ''} can't be used${stateReason === null ? '' : `: ${stateReason}`}`;
  return { at, tone: 'bad', text, place: 'media' };
}

function entryOf(event: AppEvent, at: number, count: Count): NotificationEntry | null {
  if (event.type === 'notice') return noticeEntry(event, at);
  if (event.type === 'sync.progress' && event.phase === 'done') return syncEntry(event, at, count);
  if (event.type !== 'access.refused') return null;
  const text = 'The service no longer accepts the token or the key of this account';
  return { at, tone: 'bad', text, place: 'access' };
}

/** How many changes a sync has sent, counted as on its page; where only reviews were submitted, their number. */
export const sentIn = ({ changes, elementsDone }: Extract<AppEvent, { type: 'sync.progress' }>): number =>
  changes === undefined || changes.total === 0 ? elementsDone : changes.sent;

function syncEntry(event: Extract<AppEvent, { type: 'sync.progress' }>, at: number, count: Count): NotificationEntry {
  const { elementsRefused, elementsInDoubt, ended } = event;
  const done = sentIn(event);
  const isGood = elementsRefused + elementsInDoubt === 0 && ended === undefined;
  const refused = elementsRefused === 0 ? '' : `, ${count(elementsRefused)} failed`;
  const inDoubt = elementsInDoubt === 0 ? '' : `, ${count(elementsInDoubt)} unconfirmed`;
  const sent = `${count(done)} ${done === 1 ? 'change' : 'changes'} sent`;
  const texts = {
    finished: `Sync finished: ${count(done)} sent${refused}${inDoubt}`,
    paused: `Sync paused: ${sent}`,
    away: `The service is not responding: ${sent}, the rest is kept. The sync resumes automatically`,
    deadline: `Sync stopped at its deadline: ${sent}, the rest is kept`,
    'plan-changed': 'Sync not sent: the plan changed after you approved it',
    team: `Sync stopped, your team's database is not available: ${sent}, the rest is kept`,
  };
  return { at, tone: isGood ? 'good' : 'bad', text: texts[ended ?? 'finished'], place: 'sync' };
}

/** Notices about the file of an account have their subject in `what`; the others come from a sync. */
export const noticeEntry = (
  { severity, message, params }: Extract<AppEvent, { type: 'notice' }>,
  at: number,
): NotificationEntry => ({
  at,
  tone: severity === 'error' ? 'bad' : 'plain',
  text: message.slice(0, NEWS_TEXT_MAX),
  place: params['what'] === undefined ? 'sync' : 'backups',
});

/** Forwards notices that belong to no account to all windows. They are not stored. */
export const withNotifications = (events: AppEvents, clock: Clock): AppEvents => ({
  ...events,
  publish: (event, page) => {
    events.publish(event, page);
    if (event.type !== 'notice' || event.workspaceId !== null) return;
    events.publish({ type: 'notification.added', workspaceId: null, entry: noticeEntry(event, clock.nowMs()) });
  },
});
