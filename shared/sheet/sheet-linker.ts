import type { AnyRow } from '../model/row.ts';
import { err, ok, type Result } from '../result.ts';
import { askedParents, IN_CAMPAIGN } from './asked-parents.ts';
import { NO_COLUMNS } from './column-choice.ts';
import { type SheetKind, TYPE_NAMES } from './columns.ts';
import { type LinkProblem, sheetParents, targetKey } from './link-parents.ts';
import { rowToRemove } from './link-removal.ts';
import type { SheetLookup } from './lookup.ts';
import { type LinkChoice, type LinkedRow, type LinkSink, rowCarrier } from './row-carrier.ts';
import { KEY_COLUMNS, naturalKey, rowMatcher } from './row-match.ts';
import { keyValue, valuesOf } from './row-values.ts';
import { seenRows } from './seen-rows.ts';
import type { Target } from './sheet-changes.ts';
import type { Link, SheetRow } from './sheet-row.ts';

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
 * Columns that are left out count for nothing, but rows are still told apart by them.
 */
export function sheetLinker(lookup: SheetLookup, sink: LinkSink, choice: LinkChoice = EVERYTHING): SheetLinker {
  let unmade = 0;
  const noPlace = (): Target => ({ at: --unmade });
  const parents = sheetParents(lookup, sink.create, noPlace);
  const carrier = rowCarrier(lookup, sink, choice, noPlace);
  const matcher = rowMatcher(lookup);
  const seen = seenRows();
  const scopeOf = lastScope();
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
    if (found.value !== null) return changeRow(row, found.value);
    const { linked, target } = carrier.add(row, parent.value);
    remember(row, parent.value, target);
    return ok(linked);
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
    const mayImply = !carrier.staysOut(row);
    const parent = inCampaign ? parents.campaign(row) : parents.adGroup(row, mayImply);
    // What is implied for no row yet may be for the next.
    if (mayImply) last = { campaign, adGroup, inCampaign, parent };
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

  /** Rows that are new are told apart below their parent, by what no two of its rows share. */
  const seenBefore = (row: SheetRow, parent: Target | null, found: AnyRow | null): number | null =>
    found === null
      ? seen.lineOf(scopeOf(row.kind, parent), naturalKey(row.kind, valuesOf(row)), row.line)
      : seen.lineOf(`${row.kind} #`, String(found.id), row.line);

  const removeRow = (row: SheetRow): Result<LinkedRow, LinkProblem> => {
    const found = rowToRemove(row, lookup, matcher);
    if (!found.ok) return found;
    const known = found.value;
    if (known === null) return ok({ ...NOTHING, kind: row.kind });
    const twice = seenBefore(row, null, known);
    if (twice !== null) return err({ column: 'Type', problem: { kind: 'row-twice', otherLine: twice } });
    return ok(carrier.remove(row, known));
  };

  const changeRow = (row: SheetRow, known: AnyRow): Result<LinkedRow, LinkProblem> => {
    const changed = carrier.change(row, known);
    if (changed.ok) remember(row, known.campaignId === null ? null : { id: known.campaignId }, { id: known.id });
    return changed;
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

/** Words for the rows of one kind below one parent, made once for as many as follow one another. */
function lastScope(): (kind: SheetKind, parent: Target | null) => string {
  let last: { readonly kind: SheetKind; readonly parent: Target | null; readonly scope: string } | null = null;
  return (kind, parent) => {
    if (last === null || last.kind !== kind || last.parent !== parent) {
      last = { kind, parent, scope: `${kind} ${parent === null ? '' : targetKey(parent)} ` };
    }
    return last.scope;
  };
}

interface ParentFound {
  readonly campaign: Link;
  readonly adGroup: Link;
  readonly inCampaign: boolean;
  readonly parent: Result<Target, LinkProblem>;
}

const EVERYTHING: LinkChoice = { isTaken: () => false, out: NO_COLUMNS };
const NOTHING = {
  outcome: 'unchanged',
  fills: NO_COLUMNS,
  apart: NO_COLUMNS,
  known: null,
  passedOver: NO_COLUMNS,
} as const;
