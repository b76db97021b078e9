import {
  type BulkScope,
  COPY_ROWS_MAX,
  type CopyAcrossDone,
  type CopyAcrossPreview,
  type RefusalReason,
} from '../../../shared/api/bulk.ts';
import type { Failure } from '../../../shared/api/operation.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import { type CopiedRow, copyParent, copyRows } from '../../../shared/bulk/copy-rows.ts';
import { finalStatus } from '../../../shared/lifecycle/states.ts';
import { fileRefusal } from '../../../shared/media/file-refusal.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { serviceMediaText } from '../../../shared/model/media.ts';
import { isDeleted, type Row } from '../../../shared/model/row.ts';
import { asRowId, type RowId } from '../../../shared/model/scalars.ts';
import { err, fail, ok, type Result } from '../../../shared/result.ts';
import type { SheetFiles } from '../../../shared/spreadsheet/sheet-changes.ts';
import { type LongTask, NO_OBSERVER, subtaskOf } from '../../app/long-task.ts';
import type { ActiveAccount } from '../../core/active-account.ts';
import type { NoView, ToolProblem } from '../../store/bulk/bulk-rows.ts';
import type { EditProblem, NotWritable, RowNotFound } from '../../store/types.ts';
import type { Workspace } from '../../store/workspace.ts';
import { createArchiveMedia } from '../archive/archive-media.ts';
import type { OwnFileGrants } from '../media/file-grants.ts';
import type { Prober } from '../probe/prober.ts';
import { attachImportMedia, filesToCopy, type ResolvedFiles, resolveFiles } from './sheet-files.ts';

/**
 * Copies rows with all rows below them, and the files they use, into another workspace.
 *
 *   rows ──read──> drafts ──files──> found in the other library, or copied there ──> one edit of the other workspace
 */
export interface AccountCopy {
  preview(order: CopyOrder): Promise<Result<CopyAcrossPreview, CopyProblem>>;
  apply(order: CopyOrder, label: string, work?: LongTask): Promise<Result<CopyAcrossDone, CopyProblem | EditProblem>>;
}

export interface CopyOrder {
  readonly from: ActiveAccount;
  readonly scope: BulkScope;
  readonly target: ActiveAccount;
  /** The row of the target below which the copies go; null for campaigns. */
  readonly to: RowRef | null;
}

/** `BAD_FILE`: the library of the source account no longer has a file, or can't read it. */
export type CopyProblem = NoView | ToolProblem | RowNotFound | NotWritable | Failure<'BAD_FILE'>;

interface CopyDeps {
  readonly grants: OwnFileGrants;
  readonly prober: Prober;
}

const ROOTS_NAMED = 500;

export function createAccountCopy(deps: CopyDeps): AccountCopy {
  return {
    preview: async (order) => {
      const drafts = await readDrafts(deps, order);
      if (!drafts.ok) return drafts;
      const { creates, files, dropped, refused } = drafts.value;
      const arriving = filesToCopy(files);
      return ok({
        created: creates.length,
        byKind: KINDS.map((kind) => ({ kind, rows: creates.filter((row) => row.kind === kind).length })).filter(
          ({ rows }) => rows > 0,
        ),
        refused: [...refused],
        dropped: [...dropped],
        media: { files: arriving.length, bytes: arriving.reduce((sum, { file }) => sum + file.bytes, 0) },
      });
    },
    apply: async (order, label, work = NO_OBSERVER) => {
      const { target } = order;
      if (target.safety.viewOnly !== null) return err(target.safety.viewOnly);
      const drafts = await readDrafts(deps, order);
      if (!drafts.ok) return drafts;
      work.tellShare(0.2);
      const { creates, roots, files, refused } = drafts.value;
      const attached = await attachImportMedia(target, deps.prober, files, subtaskOf(work, 0.2, 0.8));
      if (!attached.ok) return attached;
      const own = new Map<number, AnyValues>();
      for (const { line, field, value, id } of attached.value) {
        if (id === null) own.set(line, { ...own.get(line), [field]: value });
      }
      const edit = {
        label,
        source: 'user' as const,
        creates: creates.map((row, at) => ({ ...row, values: { ...row.values, ...own.get(at) } })),
        keepNamesApart: true as const,
        // Caption and name of a video belong to its row in the library.
        updates: attached.value.flatMap(({ kind, id, field, value }) =>
          id === null ? [] : [{ kind, id, field, value }],
        ),
      };
      const applied = await target.workspace.apply(edit);
      if (!applied.ok) return applied;
      const { revision, touched } = applied.value;
      const named = roots.slice(0, ROOTS_NAMED).flatMap((at) => touched[at] ?? []);
      const media = filesToCopy(files).length;
      return ok({ revision, created: creates.length, refused: [...refused], roots: named, media });
    },
  };
}

interface Drafts {
  readonly creates: readonly CopiedRow[];
  /** Indexes in `creates` of the rows without a parent among them. */
  readonly roots: readonly number[];
  readonly files: readonly ResolvedFiles[];
  readonly dropped: CopyAcrossPreview['dropped'];
  readonly refused: CopyAcrossPreview['refused'];
}

async function readDrafts(
  deps: CopyDeps,
  { from, scope, target, to }: CopyOrder,
): Promise<Result<Drafts, CopyProblem>> {
  const read = await from.workspace.readSubtrees(scope, COPY_ROWS_MAX);
  if (!read.ok) return read;
  const place = await placeIn(target.workspace, to);
  if (!place.ok) return place;
  const refused = new Map<RefusalReason, number>();
  const refuse = (why: RefusalReason, rows = 1) => refused.set(why, (refused.get(why) ?? 0) + rows);
  if (read.value.gone > 0) refuse('gone', read.value.gone);
  if (read.value.deleted > 0) refuse('deleted', read.value.deleted);
  const creates: CopiedRow[] = [];
  const roots: number[] = [];
  const dropped = new Map<string, number>();
  for (const subtree of read.value.subtrees) {
    const { kind } = subtree.root;
    const isFixed = kind === 'media' || finalStatus(kind, subtree.root.values) !== null;
    const parent = isFixed ? 'none' : copyParent(kind, to, () => place.value);
    if (parent === 'none') {
      refuse(isFixed ? 'not-editable' : 'wrong-parent');
      continue;
    }
    const offset = creates.length;
    roots.push(offset);
    for (const copy of copyRows(subtree, parent, null, dropped)) {
      const above = copy.parent !== null && 'at' in copy.parent ? { at: copy.parent.at + offset } : copy.parent;
      creates.push({ ...copy, parent: above });
    }
  }
  const files = await findFiles(deps, from, target, creates);
  if (!files.ok) return files;
  return ok({
    ...files.value,
    roots,
    dropped: [...dropped].map(([field, rows]) => ({ field, rows })),
    refused: [...refused].map(([why, rows]) => ({ why, rows })),
  });
}

/** The ad group of the campaign `to` when it has exactly one, or the refusal of a row that is not there. */
async function placeIn(target: Workspace, to: RowRef | null): Promise<Result<RowId | null, RowNotFound>> {
  if (to === null) return ok(null);
  const row = await target.readRow(to);
  if (row === null || isDeleted(row)) return fail('NO_ROW', to);
  if (to.kind !== 'campaign') return ok(null);
  const groups = (await target.readTrees([to.id]))[0]?.adGroups.filter((group) => !isDeleted(group)) ?? [];
  return ok(groups.length === 1 ? (groups[0]?.id ?? null) : null);
}

/** Finds the files of all drafts in the other library or in ours, and removes the references to our library. */
async function findFiles(
  { grants, prober }: CopyDeps,
  from: ActiveAccount,
  target: ActiveAccount,
  creates: readonly CopiedRow[],
): Promise<Result<Pick<Drafts, 'creates' | 'files'>, Failure<'BAD_FILE'>>> {
  const library = new Map((await from.workspace.readMedia()).map((row) => [row.id, row]));
  const there = await target.workspace.readMedia();
  const known = new Set(there.map(({ values }) => values.sha256));
  const named: SheetFiles[] = [];
  const stripped = creates.map((row, line): CopiedRow => {
    const { logo, video, ...values } = row.values;
    const common = { line, row: { at: line }, currentVideo: null };
    const file = fileOf(library, row.kind === 'sbaProfile' ? logo : row.kind === 'videoProfile' ? video : null);
    if (file === null) return row;
    if (row.kind === 'sbaProfile') named.push({ ...common, kind: 'sbaProfile', logo: pathOf(file) });
    else named.push({ ...common, kind: 'videoProfile', video: pathOf(file), ...captionOf(file, library, known) });
    return { ...row, values };
  });
  const finder = createArchiveMedia({ grants, prober, pathOf: from.library.pathOf, library: there });
  const { resolved, problems } = await resolveFiles(named, finder);
  const [problem] = problems;
  if (problem === undefined) return ok({ creates: stripped, files: resolved });
  const failed = named.find(({ line }) => line === problem.line);
  const word = problem.column.toLowerCase();
  const path = word === 'logo' || word === 'video' || word === 'caption' ? failed?.[word] : undefined;
  const file = [...library.values()].find((one) => pathOf(one) === path)?.values;
  const fileName = file?.fileName ?? file?.mediaName ?? path ?? '';
  return fail('BAD_FILE', { fileName, ...fileRefusal('cannot-read', { code: 'ENOENT' }) });
}

const fileOf = (library: ReadonlyMap<RowId, Row<'media'>>, id: Cell | undefined): Row<'media'> | null =>
  typeof id === 'number' ? (library.get(asRowId(id)) ?? null) : null;

/** Named as in an archive: by hash and name, or by the media ID where there is no file. */
const pathOf = ({ values, remoteId }: Row<'media'>): string =>
  values.sha256 === null && remoteId !== null
    ? serviceMediaText(remoteId)
    : `${values.sha256}/${values.fileName ?? 'file'}`;

/** Caption and name of a video that the other library does not have; an existing video keeps its own. */
function captionOf(
  { values }: Row<'media'>,
  library: ReadonlyMap<RowId, Row<'media'>>,
  known: ReadonlySet<string | null>,
): Pick<SheetFiles, 'caption' | 'mediaName'> {
  if (known.has(values.sha256)) return {};
  const caption = fileOf(library, values.caption);
  return {
    ...(caption === null ? {} : { caption: pathOf(caption) }),
    ...(values.mediaName === null ? {} : { mediaName: values.mediaName }),
  };
}
