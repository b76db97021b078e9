import type { BulkPreview, BulkTool } from '../../shared/api/bulk.ts';
import type { AddedFile } from '../../shared/api/files.ts';
import type { RowRef } from '../../shared/api/scalars.ts';
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

/** Most rows that can be cut, copied or named by ID; bulk tools handle more by index. */
export const ROWS_BY_ID_MAX = 20_000;

/** Elements that accept dragged rows have this attribute, with the row ID of their campaign. */
export const CAMPAIGN_MARK = 'data-campaign';

/**
 * The selected rows for a cut or copy; null, with a toast, if they can't be moved. Loaded rows are returned at once, so
 * that Ctrl+V right after Ctrl+X pastes them and not the clipboard; other rows are read first.
 */
export function selectedRowsToMove(app: AppContext, move: boolean): RowsToMove | Promise<RowsToMove | null> | null {
  const view = app.openView.current;
  if (view === null || view.source.length() === 0) return null;
  const { kind } = view.source.request;
  const { top, bottom } = rangeOf(app.store.getState(), 1);
  if (kind === 'campaign') app.toasts.tell(appTexts.moveRows.stay);
  else if (bottom - top >= ROWS_BY_ID_MAX) app.toasts.tell(appTexts.moveRows.tooMany(ROWS_BY_ID_MAX));
  else {
    const rows = view.source.rowsHere(top, bottom + 1);
    if (rows !== null) return { kind, move, rows };
    return attempt(app, async () => ({ kind, move, rows: await view.source.readRows(top, bottom + 1) }));
  }
  return null;
}

/** Cuts or copies the selected rows; a command, Ctrl+V or the bar that shows them pastes them. */
export const cutRows =
  (move: boolean) =>
  ({ app }: CommandContext): void => {
    const { workspaceId } = app.store.getState();
    const take = (rowsToMove: RowsToMove | null): void => {
      const { workspaceId: now, setRowsToMove } = app.store.getState();
      // Another account may have been opened while the rows were read.
      if (rowsToMove !== null && rowsToMove.rows.length > 0 && now === workspaceId) setRowsToMove(rowsToMove);
    };
    const selected = selectedRowsToMove(app, move);
    if (selected instanceof Promise) void selected.then(take);
    else take(selected);
  };

export const cancelMove = ({ app }: CommandContext): void => app.store.getState().clearRowsToMove();

/** The campaign that a paste would use: the open one, or that of the active row. */
export function campaignHere({ store, openView }: AppContext): WindowRow['id'] | null {
  const { campaignId, active } = store.getState();
  if (campaignId !== null) return campaignId as WindowRow['id'];
  return openView.current?.source.rowAt(active.row)?.campaignId ?? null;
}

/** Pastes the cut or copied rows into a campaign, by default the current one; a successful paste clears them. */
export async function pasteCutRows(app: AppContext, campaignId: number | null = campaignHere(app)): Promise<void> {
  const { rowsToMove, clearRowsToMove: drop } = app.store.getState();
  if (rowsToMove === null) return;
  if (campaignId === null) app.toasts.tell(appTexts.moveRows.nowhere);
  else if (await pasteRows(app, rowsToMove, campaignId)) drop();
}

/**
 * Pastes rows into a campaign of the same account. If every row and field can be pasted, this is done at once, as one
 * undo step; otherwise a confirmation first lists what is lost.
 *
 * @returns whether the rows were accepted, which includes an open confirmation
 */
export async function pasteRows(app: AppContext, rowsToMove: RowsToMove, campaignId: number): Promise<boolean> {
  const { workspaceId, show } = app.store.getState();
  if (workspaceId === null) return false;
  const { kind, move } = rowsToMove;
  const client = app.connection.client;
  const found = await attempt(app, () =>
    client.workspace.row({ workspaceId, ref: { kind: 'campaign', id: campaignId as WindowRow['id'] } }),
  );
  // In another account, which may be open by now, these numbers are other rows.
  if (found === null || app.store.getState().workspaceId !== workspaceId) return false;
  const target: MoveTarget = { id: found.row.id, name: found.row.campaignName };
  if (kind === 'media') {
    const [file, another] = rowsToMove.rows;
    if (file === undefined || another !== undefined) return refused(app, appTexts.moveRows.oneFile);
    const [name, type] = [textOf('media', file, 'fileName'), textOf('media', file, 'mediaType')];
    return attach(app, { id: file.id, name, type }, target);
  }
  const rows = move ? rowsToMove.rows.filter((row) => row.campaignId !== target.id) : rowsToMove.rows;
  if (rows.length === 0) return refused(app, appTexts.moveRows.alreadyThere(target.name));
  const type = (field: string): string => textOf('campaign', found.row, field);
  if (!takesPart(type('campaignType'), type('targetingType'), kind))
    return refused(app, appTexts.moveRows.notTaken(kind, target.name));
  const rest = { ...rowsToMove, rows };
  const preview = await app.actions.previewTool(scopeOf(rest), toolOf(rest, target), 0);
  if (app.store.getState().workspaceId !== workspaceId) return false;
  if (!preview.ok) return refused(app, preview.error);
  const { created, refused: left, dropped } = preview.value;
  if (created === 0) {
    const why = left.map((each) => appTexts.bulk.refused(each.rows, appTexts.bulk.why[each.why])).join('; ');
    return refused(app, appTexts.moveRows.none(target.name, why));
  }
  if (left.length === 0 && dropped.length === 0) await applyMove(app, rest, target);
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
      run: () => void applyMove(app, rest, target),
    });
  }
  return true;
}

/** Fields that copies lose, each with its number of rows. */
export const droppedText = (dropped: BulkPreview['dropped']): string =>
  dropped.map(({ field, rows }) => appTexts.copies.droppedField(fieldName(field), rows)).join(', ');

/** Creates the copies; for a move, the originals are deleted. */
async function applyMove(app: AppContext, rowsToMove: RowsToMove, target: MoveTarget): Promise<boolean> {
  const { kind, move, rows } = rowsToMove;
  const { labels } = appTexts.bulk;
  const label = move ? labels.move(rows.length) : labels.copy(rows.length);
  const done = await app.actions.applyTool(scopeOf(rowsToMove), toolOf(rowsToMove, target), label);
  if (done === null) return false;
  const text = move ? appTexts.moveRows.moved : appTexts.moveRows.copied;
  app.toasts.tell(text(done.roots.length, kind, target.name));
  return true;
}

const scopeOf = ({ kind, rows }: RowsToMove) => ({ rows: [{ kind, ids: rows.map(({ id }) => id) }] });
const toolOf = ({ kind, move }: RowsToMove, { id }: MoveTarget): BulkTool => {
  // With the campaign as target, main selects its only ad group for rows below an ad group.
  const to = { kind: 'campaign' as const, id };
  return move && PARENT_OF[kind] !== 'account' ? { tool: 'move', to } : { tool: 'copy', to };
};

/** Elements of rows have this attribute, so that a file dropped on one is set there: its kind and ID. */
export const ROW_MARK = 'data-row';
export const rowMark = (kind: Kind, row: WindowRow | undefined): Readonly<Record<string, string>> =>
  row === undefined ? {} : { [ROW_MARK]: `${kind} ${row.id}` };

/** The row that an element is in, if files can be set there: a profile, a file, or what has profiles. */
export function dropRowOf(element: Element): RowRef | undefined {
  const [kind, id] = element.closest(`[${ROW_MARK}]`)?.getAttribute(ROW_MARK)?.split(' ') ?? [];
  const takes = ['campaign', 'adGroup', 'media', 'sbaProfile', 'videoProfile'] as const;
  const known = takes.find((each) => each === kind);
  return known === undefined ? undefined : { kind: known, id: Number(id) as WindowRow['id'] };
}

/**
 * Sets added files where they were dropped: in the field of the row for this type, or else in a profile of its
 * campaign. Of several files of a type, it is the first.
 */
export async function attachDropped(
  app: AppContext,
  added: readonly (AddedFile | null)[],
  { kind, id }: RowRef,
  workspaceId: string,
): Promise<void> {
  const isOpen = (): boolean => app.store.getState().workspaceId === workspaceId;
  for (const type of Object.values(PROFILE_FIELD)) {
    const file = added.find((each) => each?.outcome === 'added' && each.mediaType === type);
    if (file?.outcome !== 'added' || !isOpen()) continue;
    const found = await attempt(app, () => app.connection.client.workspace.row({ workspaceId, ref: { kind, id } }));
    if (found === null || !isOpen()) return;
    const { campaignId, campaignName } = found.row;
    const name = kind === 'media' ? textOf('media', found.row, 'fileName') : campaignName;
    if ((kind === 'sbaProfile' || kind === 'videoProfile' || kind === 'media') && PROFILE_FIELD[kind] === type) {
      const label = appTexts.moveRows.attachLabel(file.fileName, name);
      const change = { kind, id, field: type, value: file.mediaId };
      if ((await app.actions.edit(label, [change], workspaceId)) !== null)
        app.toasts.tell(appTexts.moveRows.attached(file.fileName, name));
    } else if (campaignId !== null)
      await attach(app, { id: file.mediaId, name: file.fileName, type }, { id: campaignId, name });
  }
}

interface AttachedFile {
  readonly id: WindowRow['id'];
  readonly name: string;
  /** As in the field `mediaType`. */
  readonly type: string;
}

/** Adds a media file to the campaign's profile; without a profile, one is created. */
async function attach(app: AppContext, { id: fileId, name, type }: AttachedFile, target: MoveTarget): Promise<boolean> {
  const profile = type === 'logo' ? 'sbaProfile' : 'videoProfile';
  const { workspaceId } = app.store.getState();
  const place = await attempt(app, () => attachPlace(app, type, profile, target.id));
  if (place === null || app.store.getState().workspaceId !== workspaceId) return false;
  const label = appTexts.moveRows.attachLabel(name, target.name);
  switch (place.is) {
    case 'none':
      return refused(app, appTexts.moveRows.noProfile(target.name));
    case 'which':
      return refused(app, appTexts.moveRows.whichProfile(target.name));
    case 'no-video':
      return refused(app, appTexts.moveRows.noVideo(target.name));
    case 'set': {
      const change = { kind: place.kind, id: place.id, field: PROFILE_FIELD[place.kind], value: fileId };
      if ((await app.actions.edit(label, [change])) === null) return false;
      break;
    }
    case 'create': {
      const values = { [PROFILE_FIELD[profile]]: fileId, status: 'enabled' };
      const made = await app.actions.create(label, [{ kind: profile, parent: { id: place.groupId }, values }]);
      if (made === null) return false;
      break;
    }
  }
  app.toasts.tell(appTexts.moveRows.attached(name, target.name));
  return true;
}

async function attachPlace(
  app: AppContext,
  mediaType: string,
  profile: 'sbaProfile' | 'videoProfile',
  campaignId: number,
): Promise<AttachTarget> {
  const workspaceId = app.store.getState().workspaceId ?? '';
  const read = async (kind: Kind) => (await rowsOf(app.api, workspaceId, { kind, campaignId }).queryFn()).rows;
  const [campaign] = await read('campaign');
  if (campaign === undefined || !takesPart(textOf('campaign', campaign, 'campaignType'), '', profile))
    return { is: 'none' };
  const profiles = await read(profile);
  return mediaType === 'caption' ? captionPlace(profiles) : profileTarget(profile, profiles, await read('adGroup'));
}

function refused(app: AppContext, why: string): false {
  app.toasts.fail(why);
  return false;
}

/** The row that a media file is assigned to: the profile, or for captions its video. */
type AttachTarget =
  | { readonly is: 'set'; readonly kind: 'sbaProfile' | 'videoProfile' | 'media'; readonly id: WindowRow['id'] }
  /** The campaign has no profile yet: one is created in this ad group. */
  | { readonly is: 'create'; readonly groupId: WindowRow['id'] }
  | { readonly is: 'none' | 'which' | 'no-video' };

const PROFILE_FIELD = { sbaProfile: 'logo', videoProfile: 'video', media: 'caption' } as const;

const fileOf = (kind: keyof typeof PROFILE_FIELD, row: WindowRow): Cell => cellOf(kind, row, PROFILE_FIELD[kind]);

/** Selects a profile without a file; if the only profile has a file, that is replaced. */
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

/** Captions are assigned to the only video of the campaign's profiles. */
export function captionPlace(profiles: readonly WindowRow[]): AttachTarget {
  const videos = new Set(profiles.filter((row) => !isDeleted(row)).map((row) => fileOf('videoProfile', row)));
  videos.delete(null);
  const [video] = videos;
  if (typeof video !== 'number') return { is: 'no-video' };
  return videos.size > 1 ? { is: 'which' } : { is: 'set', kind: 'media', id: video as WindowRow['id'] };
}
