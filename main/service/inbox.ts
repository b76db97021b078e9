import { z } from 'zod';
import type { InboxEntry } from '../../shared/api/overview.ts';
import { jsonText } from '../../shared/api/scalars.ts';
import type { Conflict } from '../../shared/api/sync.ts';
import { submitBy } from '../../shared/lifecycle/eligibility.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { addDays, plainDate } from '../../shared/model/plain-date.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';
import { ok } from '../../shared/result.ts';
import { ruleShortName } from '../../shared/rules/messages.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import { createUploadHosts } from '../files/upload/upload-url-check.ts';
import { createPersistedList } from '../store/account-settings.ts';
import type { CampaignFacts, RejectedRow, RowsByCause } from '../store/reader/attention.ts';
import { changesAfterReview } from '../sync/reviews.ts';
import { campaignDays } from './campaign-days.ts';
import type { MainOperations, RouterContext } from './router.ts';

/**
 * The inbox: everything that needs the user, derived on each read. Only snoozing and marking as done are stored.
 *
 *   shown --snooze--> hidden until a day ----.
 *     |  <-----------------------------------'
 *     '---done--> hidden until its content changes
 */
export const inboxOperations = ({ options }: RouterContext): Pick<MainOperations, 'inbox'> => ({
  inbox: {
    list: async ({ account }) => {
      const today = await account.reports.today();
      const aside = new Map((await asideIn(account).read()).map((each) => [each.id, each]));
      const all = (await entriesOf(account, today, () => options.clock.nowMs())).map((entry): InboxEntry => {
        const kept = aside.get(entry.id);
        if (kept === undefined) return entry;
        if (kept.until === null) return { ...entry, isDone: kept.print === printOf(entry) };
        return { ...entry, snoozedUntil: today < kept.until ? kept.until : null };
      });
      const asking = all.filter((entry) => entry.asks && !entry.isDone && entry.snoozedUntil === null);
      // Submitting a fixed rejection sends all kept changes of its campaign.
      const isRejected = new Set(asking.flatMap(({ is, campaignId }) => (is === 'rejection' ? [campaignId] : [])));
      const isCovered = (entry: InboxEntry): boolean => entry.is === 'after-review' && isRejected.has(entry.campaignId);
      const entries = all.filter((entry) => !isCovered(entry));
      const open = asking.filter((entry) => !isCovered(entry));
      const full = await budgets(account, today, await account.workspace.campaignFacts());
      return ok({ entries, lines: linesOf([...open, ...full]), asking: open.length });
    },
    snooze: async ({ account }, { id, until }) => {
      const today = await account.reports.today();
      const entry = await entryOf(account, today, id, () => options.clock.nowMs());
      if (entry === null) return ok({});
      const day = { tomorrow: addDays(today, 1), monday: nextMonday(today), 'submit-by': entry.submitBy }[until];
      await put(account, { id, until: day ?? addDays(today, 1), print: '' });
      return ok({});
    },
    setDone: async ({ account }, { id, isDone }) => {
      const today = await account.reports.today();
      const entry = await entryOf(account, today, id, () => options.clock.nowMs());
      if (entry === null) return ok({});
      await put(
        account,
        isDone ? { id, until: null, print: printOf(entry) } : { id, until: addDays(today, -1), print: '' },
      );
      return ok({});
    },
  },
});

/** A snoozed or done entry: hidden until a day, or with null until its content differs from `print`. */
const Aside = z.strictObject({ id: z.string(), until: z.string().nullable(), print: z.string() });
type Aside = z.infer<typeof Aside>;
const AsideText = jsonText(z.array(Aside));
/** Maximum number of stored entries; the oldest are dropped, as their entries no longer exist. */
const ASIDE_MAX = 500;

const asideIn = ({ workspace }: ActiveAccount) =>
  createPersistedList(workspace, 'inbox-aside', (text) => AsideText.parse(text ?? '[]'));

const put = (account: ActiveAccount, aside: Aside): Promise<readonly Aside[]> =>
  asideIn(account).change((known) => [aside, ...known.filter(({ id }) => id !== aside.id)].slice(0, ASIDE_MAX));

/** The content of an entry; a done entry is shown again when it changes. */
const printOf = ({ rows, text, label, also }: InboxEntry): string => JSON.stringify([rows, text, label, ...also]);

function nextMonday(today: PlainDate): PlainDate {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  return addDays(today, (8 - weekday) % 7 || 7);
}

async function entryOf(account: ActiveAccount, today: PlainDate, id: string, nowMs: () => number) {
  return (await entriesOf(account, today, nowMs)).find((entry) => entry.id === id) ?? null;
}

const BLANK = {
  asks: true,
  at: null,
  tone: 'plain',
  rows: 1,
  kind: null,
  filter: '',
  only: 'all',
  also: [],
  campaignId: null,
  rowId: null,
  label: '',
  campaign: '',
  campaigns: 1,
  field: null,
  ref: '',
  text: '',
  place: null,
  submitBy: null,
  startDate: null,
  resultBy: null,
  snoozedUntil: null,
  isDone: false,
} as const satisfies Partial<InboxEntry>;

async function entriesOf(
  account: ActiveAccount,
  today: PlainDate,
  nowMs: () => number,
): Promise<readonly InboxEntry[]> {
  const { workspace } = account;
  const attention = await workspace.attention();
  const facts = new Map((await workspace.campaignFacts()).map((campaign) => [campaign.id as number, campaign]));
  const rejected = rejections(attention.rejected, facts, account, today);
  const reviewed = [...rejected, ...(await afterReviews(account))];
  const ended = new Set<number | null>(
    reviewed.flatMap(({ is, campaignId }) => (is === 'in-review' ? [] : campaignId)),
  );
  return [
    ...(await changeRequests(account)),
    ...reviewed,
    ...attention.failed.map(({ message, at, ...first }): InboxEntry => {
      // Long messages differ within this length.
      const words = message.slice(0, 400).replace(/["\\]/g, '\\$&');
      const filter = `failed:"${words}"`;
      const id = `failed ${first.kind} ${message}`;
      return { ...ofRows(first), id, group: 'sync', is: 'failed', tone: 'bad', filter, text: message, at };
    }),
    ...attention.failedMore.map(({ messages, at, ...first }): InboxEntry => {
      const id = `failed-more ${first.kind}`;
      const ref = String(messages);
      return { ...ofRows(first), id, group: 'sync', is: 'failed', tone: 'bad', filter: ANY_FAILED, ref, at };
    }),
    ...(await questions(account)),
    ...(await conflicts(account)),
    ...attention.issues.toSorted(errorsFirst).map(({ rule, field, text, ...first }): InboxEntry => {
      const [is, tone] = rule === UNVERIFIED ? (['unverified', 'plain'] as const) : (['error', 'bad'] as const);
      const id = `${is} ${first.kind} ${rule}`;
      const filter = `issue:${rule}`;
      const name = ruleShortName(rule) ?? text;
      return { ...ofRows(first), id, group: 'before-sync', is, tone, filter, ref: rule, field, text: name };
    }),
    ...(await hosts(account, nowMs)),
    ...(await account.notifications.list()).flatMap(({ at, tone, text, place, campaignId }): InboxEntry[] => {
      // The outcome of a review has its own entry above until it is resolved.
      if (campaignId !== undefined && ended.has(campaignId)) return [];
      const id = `notification ${at} ${text}`;
      const about = { at, tone, text, place };
      return [{ ...BLANK, ...about, id, group: 'notifications', is: 'notification', asks: false, rows: 0 }];
    }),
  ];
}

/** Unverified items may be valid, so they come last. */
const errorsFirst = (a: { readonly rule: string }, b: { readonly rule: string }): number =>
  Number(a.rule === UNVERIFIED) - Number(b.rule === UNVERIFIED);

/** Change requests of colleagues, and answers to requests made here; closed ones are omitted. */
async function changeRequests(account: ActiveAccount): Promise<readonly InboxEntry[]> {
  const team = await account.team();
  const requests = await team?.requests.list({});
  if (requests?.ok !== true) return [];
  return requests.value
    .filter(({ state }) => state !== 'withdrawn' && state !== 'closed')
    .map(({ id, title, by, at, state, campaigns, can, rows, signedOff }): InboxEntry => {
      const isAnswered = state === 'changes-asked' && can.includes('withdraw');
      return {
        ...BLANK,
        id: `request ${id}`,
        group: 'requests',
        is: 'request',
        asks: isAnswered || (can.includes('sign-off') && signedOff < rows),
        tone: state === 'signed-off' ? 'good' : 'plain',
        at,
        rows: 0,
        campaigns,
        label: title,
        campaign: by.display,
        ref: id,
        text: state,
      };
    });
}

/** A filter for all failed rows. */
const ANY_FAILED = 'failed:""';

/** An entry for rows with the same cause, described by the first of them. */
const ofRows = ({ id, ...rows }: RowsByCause) => ({ ...BLANK, ...rows, rowId: id });

const UNVERIFIED = 'item.id-unconfirmed';

const REVIEWED_FIELD = {
  sbaProfile: 'headline',
  videoProfile: 'video',
  adItem: 'itemId',
  keyword: 'keywordText',
} as const;

/** Filters that exclude rows that are turned off. */
const OFF = {
  sbaProfile: '-status:disabled',
  videoProfile: '-status:disabled',
  adItem: '-status:disabled -status:deleted',
  keyword: '-state:paused -state:archived',
} as const;

const filterOf = (kind: Kind): string => `reviewStatus:rejected ${OFF[kind as keyof typeof OFF]}`;

interface RejectedPart {
  readonly kind: Kind;
  readonly rows: readonly RejectedRow[];
}

/**
 * A rejected profile is an entry of its own, because it is fixed alone. The items and keywords of a campaign are added
 * to the first of its profiles, or are one entry: the next review covers all of them.
 */
function rejections(
  rejected: readonly RejectedRow[],
  facts: ReadonlyMap<number, CampaignFacts>,
  { profile }: ActiveAccount,
  today: PlainDate,
): readonly InboxEntry[] {
  const entryOf = ({ kind, rows }: RejectedPart, also: InboxEntry['also']): readonly InboxEntry[] => {
    const [first] = rows;
    if (first === undefined) return [];
    const { id, campaignId, campaign, label, reason } = first;
    const start = plainDate(facts.get(campaignId ?? 0)?.startDate ?? '');
    const until = start === null ? null : submitBy(start, profile, kind === 'videoProfile');
    return [
      {
        ...BLANK,
        id: `rejection ${kind} ${isFixedAlone(first) ? id : `in ${campaignId}`}`,
        group: 'reviews',
        is: 'rejection',
        tone: 'bad',
        rows: rows.length,
        kind,
        filter: filterOf(kind),
        also,
        rowId: id,
        campaignId,
        campaign,
        label,
        field: REVIEWED_FIELD[kind as keyof typeof REVIEWED_FIELD],
        text: reason ?? '',
        submitBy: until !== null && until >= today ? until : null,
        startDate: start !== null && start >= today ? start : null,
        resultBy: addDays(today, profile.review.days.max),
      },
    ];
  };
  return [...Map.groupBy(rejected, ({ campaignId }) => campaignId).values()].flatMap((ofCampaign) => {
    const alone = ofCampaign.filter(isFixedAlone).map((row) => ({ kind: row.kind, rows: [row] }));
    const others = ofCampaign.filter((row) => !isFixedAlone(row));
    const together = [...Map.groupBy(others, ({ kind }) => kind)].map(([kind, rows]) => ({ kind, rows }));
    const own = alone.length > 0 ? alone : together.splice(0, 1);
    const also = together.map(({ kind, rows }) => ({ kind, rows: rows.length, filter: filterOf(kind) }));
    return own.flatMap((part, at) => entryOf(part, at === 0 ? also : []));
  });
}

const isFixedAlone = ({ kind }: Pick<RejectedRow, 'kind'>): boolean => kind !== 'adItem' && kind !== 'keyword';

async function afterReviews(account: ActiveAccount): Promise<readonly InboxEntry[]> {
  return (await changesAfterReview(account)).flatMap((kept): InboxEntry[] => {
    const { campaignId, campaign, state, first, askedAt } = kept;
    // Rows with an error have the entry of their issue, which tells how to fix them.
    const rows = kept.rows - kept.blocked;
    if (rows === 0) return [];
    const is = state === 'free' ? 'after-review' : 'in-review';
    const names = first.slice(0, rows).map((row) => row.label);
    const about = { at: askedAt, rows, campaignId, campaign, label: names.join(', '), ref: kept.outcome ?? '' };
    const id = `after-review ${campaignId} ${state}`;
    return [{ ...BLANK, ...about, id, is, group: 'reviews', asks: state === 'free' }];
  });
}

async function questions({ workspace }: ActiveAccount): Promise<readonly InboxEntry[]> {
  return (await workspace.outbox.listUnresolved()).map(
    ({ id, kind, rowId, what, sentAt }): InboxEntry => ({
      ...BLANK,
      id: `question ${id}`,
      group: 'sync',
      is: 'question',
      at: sentAt,
      kind,
      filter: 'is:question',
      rowId,
      label: what,
      ref: String(id),
    }),
  );
}

/** Maximum number of conflicts of a kind listed one by one; above it they are one entry. */
const CONFLICTS_LISTED = 50;

async function conflicts({ workspace }: ActiveAccount): Promise<readonly InboxEntry[]> {
  const ofService = await workspace.outbox.conflicts();
  const ofKind = async (kind: Kind, isListed: boolean) => [
    ...ofService.filter(({ ref }) => ref.kind === kind),
    ...(await workspace.teamConflicts(0, isListed ? CONFLICTS_LISTED : 1, kind)),
  ];
  const found: InboxEntry[] = [];
  for (const { kind, all, rows } of await workspace.conflictCounts()) {
    const isListed = all <= CONFLICTS_LISTED;
    const keyOf = ({ ref, field }: Conflict) => (isListed ? `${kind} ${ref.id} ${field ?? ''}` : kind);
    for (const [key, [first]] of Map.groupBy(await ofKind(kind, isListed), keyOf)) {
      if (first !== undefined) found.push(conflictEntry(key, first, isListed ? 1 : rows));
    }
  }
  return found;
}

function conflictEntry(key: string, first: Conflict, rows: number): InboxEntry {
  const { ref, field, label, campaign, at, mine, by = '' } = first;
  const campaignId = ref.kind === 'campaign' ? ref.id : null;
  return {
    ...BLANK,
    id: `conflict ${key}`,
    group: 'conflicts',
    is: 'conflict',
    at,
    rows,
    kind: ref.kind,
    only: 'conflicts',
    rowId: ref.id,
    campaignId,
    campaign,
    label,
    field,
    ref: by,
    text: field === null && mine === null ? 'deleted-here' : '',
  };
}

async function hosts({ workspace }: ActiveAccount, nowMs: () => number): Promise<readonly InboxEntry[]> {
  const asked = (await createUploadHosts(workspace, nowMs).list()).filter(({ state }) => state === 'asked');
  return asked.map(({ host, askedAt, files }): InboxEntry => {
    const label = files.map(({ name }) => name).join(', ');
    return {
      ...BLANK,
      id: `upload-host ${host}`,
      group: 'before-sync',
      is: 'upload-host',
      at: askedAt,
      rows: 0,
      label,
      ref: host,
    };
  });
}

const LATELY_DAYS = 7;
/** Number of those days with a fully spent budget from which the budget counts as too small. */
const FULL_DAYS = 6;
const FULL_SHARE = 0.95;
/** Maximum number of IDs in a filter. */
const IDS_IN_FILTER = 80;

/** Live campaigns that fully spend their daily budget on most days, from saved reports. */
async function budgets(
  account: ActiveAccount,
  today: PlainDate,
  facts: readonly CampaignFacts[],
): Promise<readonly InboxEntry[]> {
  const live = facts.filter(({ state, dailyBudget }) => state === 'live' && dailyBudget !== null && dailyBudget > 0);
  if (live.length === 0) return [];
  const span = { from: addDays(today, -LATELY_DAYS), to: addDays(today, -1) };
  const byId = new Map(live.map((campaign) => [campaign.remoteId, campaign]));
  const full = new Map<string, number>();
  for (const { remoteId, sums } of (await campaignDays(account, span)).rows()) {
    const budget = byId.get(remoteId)?.dailyBudget ?? null;
    if (budget === null || sums.spend < FULL_SHARE * budget) continue;
    full.set(remoteId, (full.get(remoteId) ?? 0) + 1);
  }
  const short = [...full].filter(([, days]) => days >= FULL_DAYS).slice(0, IDS_IN_FILTER);
  const [first] = short;
  const campaign = byId.get(first?.[0] ?? null);
  if (first === undefined || campaign === undefined) return [];
  return [
    {
      ...BLANK,
      id: 'budgets',
      group: 'notifications',
      is: 'budget',
      rows: short.length,
      kind: 'campaign',
      filter: `id:${short.map(([remoteId]) => remoteId).join()}`,
      rowId: campaign.id,
      campaign: campaign.name,
      label: campaign.name,
      field: 'dailyBudget',
      ref: String(first[1]),
    },
  ];
}

const LINES_MAX = 7;
/** Several entries of these kinds are joined in one line, with this filter for all of their rows. */
const TOGETHER: Partial<Record<InboxEntry['is'], Pick<InboxEntry, 'filter' | 'only'>>> = {
  failed: { filter: ANY_FAILED, only: 'all' },
  question: { filter: 'is:question', only: 'all' },
  conflict: { filter: '', only: 'conflicts' },
};

/** The most important entries; those with the same cause are joined by kind of row. */
function linesOf(open: readonly InboxEntry[]): InboxEntry[] {
  const groups = Map.groupBy(open, (entry) =>
    TOGETHER[entry.is] === undefined ? entry.id : `${entry.is} ${entry.kind}`,
  );
  return [...groups.values()]
    .flatMap((entries): InboxEntry[] => {
      const [first] = entries;
      const together = first === undefined ? undefined : TOGETHER[first.is];
      if (first === undefined) return [];
      if (together === undefined || entries.length === 1) return [first];
      const ids = new Set(entries.map(({ rowId }) => rowId));
      const whole = entries.find(({ filter }) => filter === ANY_FAILED);
      const sum = whole?.rows ?? entries.reduce((before, { rows: own }) => before + own, 0);
      const rows = first.is === 'conflict' ? ids.size : sum;
      return [{ ...first, ...together, rows, campaigns: entries.length }];
    })
    .toSorted((a, b) => Number(a.is === 'unverified') - Number(b.is === 'unverified'))
    .slice(0, LINES_MAX);
}
