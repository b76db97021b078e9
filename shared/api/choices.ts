/**
 * State of a change on its way to the service.
 *
 *   held --release--> ready --a sync sends it--> queued --response--> no longer a change
 *                       |  ^
 *   an error, a conflict|  |fixed, resolved          a review is open | over
 *                       v  |                                          v |
 *                      blocked                                    after-review
 *
 * `ready` is sent by the next sync; `queued` was sent and has no response yet; the others are not sent. `after-video` is
 * like `after-review`, until the service has processed the video.
 */
export const CHANGE_STATUSES = ['ready', 'queued', 'after-video', 'after-review', 'blocked', 'held'] as const;
export type ChangeStatus = (typeof CHANGE_STATUSES)[number];

/** Filters of a view that need one click. */
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
  /** The service has work in progress on the row: a review, an upload, a request. */
  'waiting',
  /** The row has an open comment. */
  'commented',
  /** A comment on the row was resolved. */
  'resolved',
] as const;

/** Groupings of the rows of a view. */
export const GROUPINGS = ['campaign', 'type', 'match', 'status', 'label'] as const;
export type GroupBy = (typeof GROUPINGS)[number];

/** Whether a layout key is about columns or groups of this kind: `width.keyword.bid`, `group.keyword`. */
export function isKindLayoutKey(key: string, kind: string): boolean {
  const [what = '', of = ''] = key.split('.');
  return of === kind && ['width', 'shown', 'order', 'frozen', 'group'].includes(what);
}

/** Whether a saved view of this kind includes this key: columns and groups of its kind, and the days of the metrics. */
export const isViewLayoutKey = (key: string, kind: string): boolean =>
  isKindLayoutKey(key, kind) || key === 'period' || key.startsWith('period.');

/**
 * State of one element of a request: sent, unconfirmed, needs the user's answer, accepted, refused, not carried out.
 */
export const ELEMENT_STATES = ['SENT', 'IN_DOUBT', 'NEEDS_USER', 'DONE', 'REJECTED', 'RETURNED'] as const;

/** Menu of a command in the system's menu bar. The host adds the system's own entries (cut, zoom, windows). */
export const MENU_PLACES = ['file', 'edit', 'view', 'campaign', 'sync', 'help'] as const;

/** Name of a sample account: the shop of its campaigns. */
export const SAMPLE_NAME = 'Northwind Home';

/** The name itself, or with the first free number. */
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

/** Permissions of a member of a team; a member may have several. */
export const TEAM_ROLES = ['view', 'edit', 'sign-off', 'sync', 'admin'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** State of this computer's connection to the database of the team. */
export const TEAM_STATES = [
  'online',
  'connecting',
  /** The database can't be reached; edits wait here. */
  'offline',
  /** The member was removed, or may no longer log in. */
  'no-access',
  /** The database has lost entries: nothing is shared until the computers have shared their own entries again. */
  'restoring',
  /** The log is damaged, or lacks entries that this computer needs: nothing is shared. */
  'damaged',
  /** Sharing requires a newer Adslate in this team. */
  'old-version',
  /** The credentials on this computer are locked. */
  'locked',
  /** The password of the database was in memory only and is gone since a restart, or it was changed in the database. */
  'no-password',
  /** An admin has closed the team: it can be read, but nothing is shared or sent. */
  'closed',
  /** The team has moved to a copy of the database elsewhere. */
  'moved',
] as const;

/** State of a change request; `closed` when all of its rows were sent. */
export const REQUEST_STATES = ['open', 'signed-off', 'changes-asked', 'withdrawn', 'closed'] as const;

/** The area of a team that changed, in `team.changed`. */
export const TEAM_AREAS = ['status', 'members', 'requests', 'presence', 'log'] as const;
