import type { BulkPreview, BulkTool } from '../../shared/api/bulk.ts';
import type { WindowRow } from '../../shared/api/workspace.ts';
import { takesPart } from '../../shared/model/campaign-tree.ts';
import type { Cell } from '../../shared/model/field-types.ts';
import { type Kind, PARENT_OF } from '../../shared/model/kinds.ts';
import { isDeleted } from '../../shared/model/row.ts';
import { attempt } from './actions.ts';
import type { AppContext, CommandContext } from './app-context.ts';
import { fieldName } from './field-names.ts';
import { cellOf, textOf } from './row-cells.ts';
import { rowsOf } from './shared-queries.ts';
import type { MoveTarget, RowsToMove } from './store/move-slice.ts';
import { rangeOf } from './store/selection-slice.ts';
import { appTexts } from './texts.ts';

/** Rows that are read one by one to be carried; more go by the tool, which names them by their places. */
export const CARRY_MAX = 20_000;

/**
 * The selected rows as something to carry; null, and the user is told why, when they cannot be. Rows that are at hand
 * come at once, so that Ctrl+V right behind Ctrl+X finds them and not what the clipboard holds; others are read first.
 */
export function selectedRowsToMove(desk: AppContext, move: boolean): RowsToMove | Promise<RowsToMove | null> | null {
  const view = desk.openView.current;
  if (view === null || view.source.length() === 0) return null;
  const { kind } = view.source.request;
  const { top, bottom } = rangeOf(desk.store.getState(), 1);
  if (kind === 'campaign') desk.toasts.tell(appTexts.moveRows.stay);
  else if (bottom - top >= CARRY_MAX) desk.toasts.tell(appTexts.moveRows.tooMany(CARRY_MAX));
  else {
    const rows = view.source.rowsHere(top, bottom + 1);
    if (rows !== null) return { kind, move, rows };
    return attempt(desk, async () => ({ kind, move, rows: await view.source.readRows(top, bottom + 1) }));
  }
  return null;
}

/** Picks the selected rows up; they are put down by a command, Ctrl+V or the bar that tells of them. */
export const cutRows =
  (move: boolean) =>
  ({ desk }: CommandContext): void => {
    const { workspaceId } = desk.store.getState();
    const take = (carried: RowsToMove | null): void => {
      const { workspaceId: now, pickUp } = desk.store.getState();
      // Another account may be open by the time the rows are read.
      if (carried !== null && carried.rows.length > 0 && now === workspaceId) pickUp(carried);
    };
    const selected = selectedRowsToMove(desk, move);
    if (selected instanceof Promise) void selected.then(take);
    else take(selected);
  };

export const cancelMove = ({ desk }: CommandContext): void => desk.store.getState().letGo();

/** Where rows would be put down now: the open campaign, or that of the active row. */
export function campaignHere({ store, openView }: AppContext): WindowRow['id'] | null {
  const { campaignId, active } = store.getState();
  if (campaignId !== null) return campaignId as WindowRow['id'];
  return openView.current?.source.rowAt(active.row)?.campaignId ?? null;
}

/** Puts down what is carried in a campaign, or where the user is; what is carried is let go once it is there. */
export async function putDownCarried(desk: AppContext, campaignId: number | null = campaignHere(desk)): Promise<void> {
  const { carried, letGo: drop } = desk.store.getState();
  if (carried === null) return;
  if (campaignId === null) desk.toasts.tell(appTexts.moveRows.nowhere);
  else if (await pasteRows(desk, carried, campaignId)) drop();
}

/**
 * Puts rows down in a campaign of the same account. New drafts that take everything along go at once, as one step that
 * can be undone; where something would be left behind, a question says what first.
 *
 * @returns whether the rows have been taken: also when a question about them is open now
 */
export async function pasteRows(desk: AppContext, carried: RowsToMove, campaignId: number): Promise<boolean> {
  const { workspaceId, show } = desk.store.getState();
  if (workspaceId === null) return false;
  const { kind, move } = carried;
  const client = desk.connection.client;
  const found = await attempt(desk, () =>
    client.workspace.row({ workspaceId, ref: { kind: 'campaign', id: campaignId as WindowRow['id'] } }),
  );
  if (found === null) return false;
  const target: MoveTarget = { id: found.row.id, name: found.row.campaignName };
  if (kind === 'media') return attach(desk, carried.rows, target);
  const rows = move ? carried.rows.filter((row) => row.campaignId !== target.id) : carried.rows;
  if (rows.length === 0) return refused(desk, appTexts.moveRows.alreadyThere(target.name));
  const type = (field: string): string => textOf('campaign', found.row, field);
  if (!takesPart(type('campaignType'), type('targetingType'), kind))
    return refused(desk, appTexts.moveRows.notTaken(kind, target.name));
  const rest = { ...carried, rows };
  const preview = await desk.actions.previewTool(scopeOf(rest), toolOf(rest, target), 0);
  if (!preview.ok) return refused(desk, preview.error);
  const { created, refused: left, dropped } = preview.value;
  if (created === 0) {
    const why = left.map((each) => appTexts.bulk.refused(each.rows, appTexts.bulk.why[each.why])).join('; ');
    return refused(desk, appTexts.moveRows.none(target.name, why));
  }
  if (left.length === 0 && dropped.length === 0) await applyCarried(desk, rest, target);
  else {
    const { title, text, keep, button } = appTexts.moveRows.ask;
    show({
      name: 'confirm',
      isHarmless: true,
      title: title(rows.length, kind, target.name, move),
      text: [
        text(move),
        ...left.map((each) => `${appTexts.bulk.refused(each.rows, appTexts.bulk.why[each.why])}.`),
        ...(dropped.length === 0 ? [] : [`${appTexts.copies.dropped} ${droppedText(dropped)}.`]),
      ].join(' '),
      keep,
      button: button(move),
      run: () => void applyCarried(desk, rest, target),
    });
  }
  return true;
}

/** Fields that copies leave behind, each with the number of rows that had it. */
export const droppedText = (dropped: BulkPreview['dropped']): string =>
  dropped.map(({ field, rows }) => appTexts.copies.droppedField(fieldName(field), rows)).join(', ');

/** Makes the copies, and takes the originals away where the rows are moved. */
async function applyCarried(desk: AppContext, carried: RowsToMove, target: MoveTarget): Promise<boolean> {
  const { kind, move, rows } = carried;
  const { labels } = appTexts.bulk;
  const label = move ? labels.move(rows.length) : labels.copy(rows.length);
  const done = await desk.actions.applyTool(scopeOf(carried), toolOf(carried, target), label);
  if (done === null) return false;
  const told = move ? appTexts.moveRows.moved : appTexts.moveRows.copied;
  desk.toasts.tell(told(done.roots.length, kind, target.name));
  return true;
}

const scopeOf = ({ kind, rows }: RowsToMove) => ({ rows: [{ kind, ids: rows.map(({ id }) => id) }] });
const toolOf = ({ kind, move }: RowsToMove, { id }: MoveTarget): BulkTool => {
  // A campaign with one ad group stands for it, whatever hangs from the group.
  const to = { kind: 'campaign' as const, id };
  return move && PARENT_OF[kind] !== 'account' ? { tool: 'move', to } : { tool: 'copy', to };
};

/** Gives a file of the library to the campaign's profile, which is made when there is none. */
async function attach(desk: AppContext, files: readonly WindowRow[], target: MoveTarget): Promise<boolean> {
  const [file, another] = files;
  if (file === undefined || another !== undefined) return refused(desk, appTexts.moveRows.oneFile);
  const name = textOf('media', file, 'fileName');
  const type = textOf('media', file, 'mediaType');
  const profile = type === 'logo' ? 'sbaProfile' : 'videoProfile';
  const place = await attempt(desk, () => attachPlace(desk, type, profile, target.id));
  if (place === null) return false;
  const label = appTexts.moveRows.attachLabel(name, target.name);
  switch (place.is) {
    case 'none':
      return refused(desk, appTexts.moveRows.noProfile(target.name));
    case 'which':
      return refused(desk, appTexts.moveRows.whichProfile(target.name));
    case 'no-video':
      return refused(desk, appTexts.moveRows.noVideo(target.name));
    case 'set': {
      const change = { kind: place.kind, id: place.id, field: PROFILE_FIELD[place.kind], value: file.id };
      if ((await desk.actions.edit(label, [change])) === null) return false;
      break;
    }
    case 'create': {
      const values = { [PROFILE_FIELD[profile]]: file.id, status: 'enabled' };
      const made = await desk.actions.create(label, [{ kind: profile, parent: { id: place.groupId }, values }]);
      if (made === null) return false;
      break;
    }
  }
  desk.toasts.tell(appTexts.moveRows.attached(name, target.name));
  return true;
}

async function attachPlace(
  desk: AppContext,
  mediaType: string,
  profile: 'sbaProfile' | 'videoProfile',
  campaignId: number,
): Promise<AttachTarget> {
  const workspaceId = desk.store.getState().workspaceId ?? '';
  const read = async (kind: Kind) => (await rowsOf(desk.api, workspaceId, { kind, campaignId }).queryFn()).rows;
  const [campaign] = await read('campaign');
  if (campaign === undefined || !takesPart(textOf('campaign', campaign, 'campaignType'), '', profile))
    return { is: 'none' };
  const profiles = await read(profile);
  return mediaType === 'caption' ? captionPlace(profiles) : profileTarget(profile, profiles, await read('adGroup'));
}

function refused(desk: AppContext, why: string): false {
  desk.toasts.fail(why);
  return false;
}

/** Which field of a campaign's rows takes a file of a type: the profile's, or for a caption that of its video. */
type AttachTarget =
  | { readonly is: 'set'; readonly kind: 'sbaProfile' | 'videoProfile' | 'media'; readonly id: WindowRow['id'] }
  /** The campaign has no profile yet: one is made below this ad group. */
  | { readonly is: 'create'; readonly groupId: WindowRow['id'] }
  | { readonly is: 'none' | 'which' | 'no-video' };

const PROFILE_FIELD = { sbaProfile: 'logo', videoProfile: 'video', media: 'caption' } as const;

const fileOf = (kind: keyof typeof PROFILE_FIELD, row: WindowRow): Cell => cellOf(kind, row, PROFILE_FIELD[kind]);

/** A profile without a file takes it first; the only one there is takes it in the place of its own. */
export function profileTarget(
  kind: 'sbaProfile' | 'videoProfile',
  profiles: readonly WindowRow[],
  groups: readonly WindowRow[],
): AttachTarget {
  const present = profiles.filter((row) => !isDeleted(row));
  const bare = present.find((row) => fileOf(kind, row) === null);
  const [first, second] = present;
  if (bare !== undefined) return { is: 'set', kind, id: bare.id };
  if (second !== undefined) return { is: 'which' };
  if (first !== undefined) return { is: 'set', kind, id: first.id };
  const [group, another] = groups.filter((row) => !isDeleted(row));
  return group === undefined || another !== undefined ? { is: 'none' } : { is: 'create', groupId: group.id };
}

/** A caption goes with the one video of the campaign's profiles. */
export function captionPlace(profiles: readonly WindowRow[]): AttachTarget {
  const videos = new Set(profiles.filter((row) => !isDeleted(row)).map((row) => fileOf('videoProfile', row)));
  videos.delete(null);
  const [video] = videos;
  if (typeof video !== 'number') return { is: 'no-video' };
  return videos.size > 1 ? { is: 'which' } : { is: 'set', kind: 'media', id: video as WindowRow['id'] };
}
