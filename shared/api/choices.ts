/**
 * Where a change stands on its way to the service.
 *
 *   held --release--> ready --a sync sends it--> queued --answered--> no change any more
 *                       |  ^
 *   an error, a conflict|  |fixed, settled           a review is open | over
 *                       v  |                                          v |
 *                      blocked                                    after-review
 *
 * `ready` goes with the next sync; `queued` is on its way and its answer is awaited; the other three are not sent.
 */
export const CHANGE_STATUSES = ['ready', 'queued', 'after-review', 'blocked', 'held'] as const;
export type ChangeStatus = (typeof CHANGE_STATUSES)[number];

/** What a view may be narrowed to with one click. */
export const QUICK_FILTERS = [
  'all',
  'changed',
  /** Errors, conflicts, unconfirmed requests and rejections. */
  'attention',
  'errors',
  'warnings',
  'conflicts',
  'in-doubt',
  'rejected',
  'held',
  /** Something of the row is under way at the service: a review, an upload, a request. */
  'waiting',
  /** Somebody has written a comment on the row that is still open. */
  'commented',
  /** A comment on the row was resolved. */
  'resolved',
] as const;

/** What rows of a view may be put together by. */
export const GROUPINGS = ['campaign', 'type', 'match', 'status', 'label'] as const;
export type GroupBy = (typeof GROUPINGS)[number];

/** Whether a key of the layout is about columns or groups of this kind: `width.keyword.bid`, `group.keyword`. */
export function isKindLayoutKey(key: string, kind: string): boolean {
  const [what = '', of = ''] = key.split('.');
  return of === kind && ['width', 'shown', 'order', 'frozen', 'group'].includes(what);
}

/** Whether a saved view of this kind holds this key: columns and groups of its kind, and the days of the metrics. */
export const isViewLayoutKey = (key: string, kind: string): boolean =>
  isKindLayoutKey(key, kind) || key === 'period' || key.startsWith('period.');

/**
 * State of one element of a request: sent, unconfirmed, needs the user's answer, accepted, refused, not carried out.
 */
export const ELEMENT_STATES = ['SENT', 'IN_DOUBT', 'NEEDS_USER', 'DONE', 'REJECTED', 'RETURNED'] as const;

/** Where a command stands in the system's menu. The system's own entries (cutting, zoom, windows) are put into these by the host. */
export const MENU_PLACES = ['file', 'edit', 'view', 'campaign', 'sync', 'help'] as const;

/** What a sample account is called, as the shop whose campaigns it has. */
export const SAMPLE_NAME = 'Northwind Home';

/** The name itself, or with the first number that makes it free. */
export function freeName(wanted: string, taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted} ${count}`;
    if (!names.has(name.toLowerCase())) return name;
  }
}

/** The first steps of a newcomer in a sample account, in their order. */
export const CHECKLIST_STEPS = ['overview', 'error', 'bids', 'item', 'sync', 'live'] as const;
export type ChecklistStep = (typeof CHECKLIST_STEPS)[number];

/** What a member of a team may do; a member may have several. */
export const TEAM_ROLES = ['view', 'edit', 'sign-off', 'sync', 'admin'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** How this computer stands to the database of the team. */
export const TEAM_STATES = [
  'online',
  'connecting',
  /** Cannot be reached; edits wait here. */
  'offline',
  /** The member was removed, or the login no longer works. */
  'no-access',
  /** The database has forgotten entries: nothing is shared until the computers have shared again what was theirs. */
  'restoring',
  /** The team asks for a newer Adslate to share. */
  'old-version',
  /** The credentials on this computer are locked. */
  'locked',
  /** An admin has closed the team: it can be read, and nothing is shared or sent. */
  'closed',
  /** The team goes on in a copy of the database elsewhere. */
  'moved',
] as const;

/** Where a change request stands; `closed` when all of its rows were sent. */
export const REQUEST_STATES = ['open', 'signed-off', 'changes-asked', 'withdrawn', 'closed'] as const;

/** The area of a team that changed, in `team.changed`. */
export const TEAM_AREAS = ['status', 'members', 'requests', 'presence', 'log'] as const;
