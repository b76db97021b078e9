import type { AnyValues } from '../model/fields.ts';
import type { AnyRow } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { err, ok, type Result } from '../result.ts';
import { askedParents, IN_CAMPAIGN } from './asked-parents.ts';
import { changedCells } from './changed-cells.ts';
import { type SheetKind, TYPE_NAMES } from './columns.ts';
import { areFilesInConflict, linkFiles } from './link-files.ts';
import { type LinkProblem, sheetParents, targetKey } from './link-parents.ts';
import { rowToRemove } from './link-removal.ts';
import type { SheetLookup } from './lookup.ts';
import { KEY_COLUMNS, naturalKey, rowMatcher } from './row-match.ts';
import { missingNotes, NO_NOTES, type RowNotes } from './row-notes.ts';
import { keyValue, valuesOf, withoutNulls } from './row-values.ts';
import { seenRows } from './seen-rows.ts';
import type { SheetCreate, SheetFiles, SheetNotes, SheetRemoval, SheetUpdate, Target } from './sheet-changes.ts';
import type { Link, SheetRow } from './sheet-row.ts';

/** Where the changes of a sheet go as they are found, one by one. */
export interface LinkSink {
  /** Takes a new row and says which place it has among the new ones. */
  create(row: SheetCreate): Target;
  update(update: SheetUpdate): void;
  files(named: SheetFiles): void;
  remove(row: SheetRemoval): void;
  /** Comments and labels that the row does not have yet. */
  notes(notes: SheetNotes): void;
}

export type LinkOutcome = 'added' | 'changed' | 'removed' | 'unchanged' | 'conflict';

export interface LinkedRow {
  readonly outcome: LinkOutcome;
  /** The row of the workspace that is meant; null for a new one. */
  readonly known: RowId | null;
}

export interface SheetLinker {
  /** Links one row. Its parents have to come before it, wherever the rest stands. */
  link(row: SheetRow): Result<LinkedRow, LinkProblem>;
  /**
   * True when a parent came after a row that had asked for one of its name: then rows may have been linked wrongly,
   * and the sheet has to be linked anew with campaigns first, then ad groups, then the rest.
   */
  cameLate(): boolean;
}

/**
 * The linker for rows that come one by one, so that a sheet of any length needs no list of its changes. It finds for every
 * row the row of the workspace it means, or makes a new one under the parent it names.
 *
 *   id given      -> the row with that id, which must exist
 *   no id         -> the row under the same parent with the same natural key, else a new row
 *   no ad group   -> the campaign's only ad group; a campaign without one gets "<campaign> group"
 *
 * A row that knows how it was exported is merged three ways: only cells that were edited since count, and a cell that
 * the workspace has changed as well is a conflict, which changes nothing until the user takes it. A row that is marked
 * for deletion is one where it, or anything below it, was edited here.
 *
 * @param takeConflicts lines whose fields are taken from the sheet although the workspace has changed them, too
 */
export function sheetLinker(
  lookup: SheetLookup,
  sink: LinkSink,
  takeConflicts: ReadonlySet<number> = new Set(),
): SheetLinker {
  const parents = sheetParents(lookup, sink.create);
  const matcher = rowMatcher(lookup);
  const seen = seenRows();
  const asked = askedParents();
  let isLate = false;
  /** Where the row before hangs from: sheets name the rows of a parent one after another, with the same links. */
  let last: ParentFound | null = null;

  const link = (row: SheetRow): Result<LinkedRow, LinkProblem> => {
    if (row.deleted === true) return removeRow(row);
    const parent = parentOf(row);
    if (!parent.ok) return parent;
    const found = findRow(row, parent.value);
    if (!found.ok) return found;
    const twice = seenBefore(row, parent.value, found.value);
    if (twice !== null) return err({ column: 'Type', problem: { kind: 'row-twice', otherLine: twice } });
    const linked = found.value === null ? addRow(row, parent.value) : changeRow(row, found.value);
    return linked.ok ? ok({ outcome: linked.value, known: found.value?.id ?? null }) : linked;
  };

  const parentOf = (row: SheetRow): Result<Target | null, LinkProblem> => {
    if (row.kind === 'campaign') return ok(null);
    const { campaign, adGroup, kind } = row;
    const inCampaign = IN_CAMPAIGN.has(kind);
    const isSame = last?.campaign === campaign && last.adGroup === adGroup && last.inCampaign === inCampaign;
    if (!isSame) asked.note(row);
    const hasOwnParent = row.rowId !== null && campaign.name === null && campaign.remoteId === null;
    if (hasOwnParent || (kind === 'adGroup' && adGroup.remoteId !== null)) return ok(null);
    if (isSame && last !== null) return last.parent;
    const parent = inCampaign ? parents.campaign(row) : parents.adGroup(row);
    last = { campaign, adGroup, inCampaign, parent };
    return parent;
  };

  const findRow = (row: SheetRow, parent: Target | null): Result<AnyRow | null, LinkProblem> => {
    const own = row.kind === 'campaign' ? row.campaign.remoteId : row.kind === 'adGroup' ? row.adGroup.remoteId : null;
    const id = row.rowId ?? own;
    if (id !== null) {
      const known = lookup.byRemoteId(row.kind, id);
      const column = row.rowId !== null ? 'Row id' : row.kind === 'campaign' ? 'Campaign id' : 'Ad group id';
      return known === null ? err({ column, problem: { kind: 'no-such-row', id } }) : ok(known);
    }
    const missing = KEY_COLUMNS[row.kind].find((column) => keyValue(row, column) === null);
    if (missing !== undefined) {
      return err({ column: missing, problem: { kind: 'required', type: TYPE_NAMES[row.kind], column: missing } });
    }
    if (row.kind === 'campaign') return campaignNamed(row.campaign.name ?? '');
    if (parent === null || 'at' in parent) return ok(null);
    return ok(matcher.find(row.kind, parent.id, valuesOf(row)) ?? null);
  };

  const campaignNamed = (name: string): Result<AnyRow | null, LinkProblem> => {
    const [only, ...others] = lookup.campaignsNamed(name);
    if (others.length === 0) return ok(only ?? null);
    return err({ column: 'Campaign', problem: { kind: 'ambiguous', parent: 'campaign', name } });
  };

  const keyOf = (row: SheetRow, parent: Target | null, found: AnyRow | null): string => {
    if (found !== null) return `${row.kind} #${found.id}`;
    return `${row.kind} ${parent === null ? '' : targetKey(parent)} ${naturalKey(row.kind, valuesOf(row))}`;
  };

  const seenBefore = (row: SheetRow, parent: Target | null, found: AnyRow | null): number | null =>
    seen.lineOf(keyOf(row, parent, found), row.line);

  const removeRow = (row: SheetRow): Result<LinkedRow, LinkProblem> => {
    const found = rowToRemove(row, lookup, matcher);
    if (!found.ok) return found;
    const known = found.value;
    if (known === null) return ok({ outcome: 'unchanged', known: null });
    const twice = seenBefore(row, null, known);
    if (twice !== null) return err({ column: 'Type', problem: { kind: 'row-twice', otherLine: twice } });
    if (lookup.isEdited(known) && !takeConflicts.has(row.line)) return ok({ outcome: 'conflict', known: known.id });
    sink.remove({ kind: row.kind, id: known.id, line: row.line });
    return ok({ outcome: 'removed', known: known.id });
  };

  /** Hands on what the row does not have yet. @returns whether there was any */
  const carryNotes = ({ kind, line, notes }: SheetRow, target: Target): boolean => {
    if (notes === undefined) return false;
    const here: RowNotes = 'id' in target ? lookup.notes(kind, target.id) : NO_NOTES;
    const missing = missingNotes(here, notes);
    if (missing !== null) sink.notes({ kind, row: target, notes: missing, line });
    return missing !== null;
  };

  const addRow = (row: SheetRow, parent: Target | null): Result<'added', LinkProblem> => {
    const values = { ...DEFAULTS[row.kind], ...withoutNulls(valuesOf(row)) };
    const target = sink.create({ kind: row.kind, parent, values, line: row.line });
    remember(row, parent, target);
    const named = linkFiles(row, target, null, lookup);
    if (named !== null) sink.files(named);
    carryNotes(row, target);
    return ok('added');
  };

  const changeRow = (row: SheetRow, known: AnyRow): Result<LinkOutcome, LinkProblem> => {
    const isTaken = takeConflicts.has(row.line);
    const cells = changedCells(row, known, isTaken);
    if (!cells.ok) return cells;
    const { changed, isConflict } = cells.value;
    remember(row, known.campaignId === null ? null : { id: known.campaignId }, { id: known.id });
    const named = linkFiles(row, { id: known.id }, known, lookup);
    if (isConflict || (areFilesInConflict(row, known, lookup) && !isTaken)) {
      if (named !== null) sink.files({ ...named, inConflict: true });
      return ok('conflict');
    }
    if (named !== null) sink.files(named);
    for (const update of changed) sink.update(update);
    const isNoted = carryNotes(row, { id: known.id });
    return ok(changed.length > 0 || named !== null || isNoted ? 'changed' : 'unchanged');
  };

  const remember = (row: SheetRow, parent: Target | null, target: Target): void => {
    if (row.kind === 'campaign' || row.kind === 'adGroup') last = null;
    if (asked.comesLate(row)) isLate = true;
    if (row.kind === 'campaign' && row.campaign.name !== null) parents.addCampaign(row.campaign.name, target);
    if (row.kind === 'adGroup' && row.adGroup.name !== null && parent !== null) {
      parents.addAdGroup(parent, row.adGroup.name, target);
    }
  };

  return { link, cameLate: () => isLate };
}

interface ParentFound {
  readonly campaign: Link;
  readonly adGroup: Link;
  readonly inCampaign: boolean;
  readonly parent: Result<Target, LinkProblem>;
}

const DEFAULTS: Readonly<Record<SheetKind, AnyValues>> = {
  campaign: { status: 'enabled' },
  adGroup: { status: 'enabled' },
  adItem: { status: 'enabled', itemIdSource: 'import' },
  keyword: { state: 'enabled' },
  sbaProfile: { status: 'enabled' },
  videoProfile: { status: 'enabled' },
  placementMultiplier: {},
  platformMultiplier: {},
};
