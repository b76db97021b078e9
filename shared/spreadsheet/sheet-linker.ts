import { copyName } from '../bulk/copy-rows.ts';
import { finalStatus } from '../lifecycle/states.ts';
import type { Cell } from '../model/field-types.ts';
import { serviceMediaId } from '../model/media.ts';
import type { AnyRow, Row } from '../model/row.ts';
import type { RemoteId } from '../model/scalars.ts';
import { textKey } from '../model/text.ts';
import { err, ok, type Result } from '../result.ts';
import { createChangeCollector, type LinkChoice, type LinkedRow, type LinkSink } from './change-collector.ts';
import { type Column, KEY_COLUMNS, NO_COLUMNS, type SheetKind, TYPE_NAMES } from './columns.ts';
import { keyValue, naturalKey, type RowMatcher, rowMatcher, valuesOf } from './row-match.ts';
import type { SheetChanges, SheetCreate, SheetFiles, SheetLookup, SheetUpdate, Target } from './sheet-changes.ts';
import type { Link, LinkProblem, NewRowRemark, ParentRow, SheetProblem, SheetRow } from './sheet-row.ts';

const targetKey = (target: Target): string => ('id' in target ? `#${target.id}` : `@${target.at}`);

/**
 * Possible parents of the spreadsheet's rows: campaigns and ad groups of the workspace, and those that the spreadsheet
 * itself creates, for any order of its rows.
 *
 * @param create creates an implied row and returns its place
 * @param noPlace place of a row that is not created
 * @param newRows rows of the file by IDs that the account does not have; null where such an ID is an error
 */
function sheetParents(
  lookup: SheetLookup,
  create: (row: SheetCreate) => Target,
  noPlace: () => Target,
  newRows: RowsByUnknownId | null,
) {
  const campaignsByName = new Map<string, Map<string, Target>>();
  /** Names of new campaigns of the file. */
  const newNames = new Set<string>();
  const groupsByCampaign = new Map<string, Map<string, Target>>();
  const unmadeGroups = new Map<string, Target>();
  /** By campaign: the name of an ad group whose row in the file is not imported. */
  const missingGroups = new Map<string, string>();

  const groupsOf = (campaign: Target): Map<string, Target> => {
    const key = targetKey(campaign);
    let groups = groupsByCampaign.get(key);
    if (groups === undefined) {
      const known = 'id' in campaign ? lookup.children('adGroup', campaign.id) : [];
      groups = new Map(known.map((row) => [nameOf(row), { id: row.id }]));
      groupsByCampaign.set(key, groups);
    }
    return groups;
  };

  const campaign = ({ campaign: link }: SheetRow): Result<Target, LinkProblem> => {
    if (link.remoteId !== null) return campaignById(link);
    const name = link.name ?? '';
    const inFile = campaignsByName.get(name)?.values() ?? [];
    // If a new campaign of the file has the name of an existing one, rows of the file refer to the new one.
    const here = newNames.has(name) ? [] : lookup.campaignsNamed(name);
    // Of many campaigns with the name, two are enough to know.
    const targets = new Map<string, Target>();
    for (const campaigns of [inFile, here]) {
      for (const each of campaigns) {
        targets.set(targetKey(each), 'kind' in each ? { id: each.id } : each);
        if (targets.size > 1)
          return err({ column: 'Campaign', problem: { kind: 'ambiguous', parent: 'campaign', name } });
      }
    }
    const [only] = targets.values();
    if (only === undefined) return err({ column: 'Campaign', problem: { kind: 'orphan', parent: 'campaign', name } });
    return ok(only);
  };

  const campaignById = ({ name, remoteId }: Link): Result<Target, LinkProblem> => {
    const row = remoteId === null ? null : lookup.byRemoteId('campaign', remoteId);
    const column = 'Campaign id';
    if (row === null) return unknownParent('campaign', remoteId);
    const own = nameOf(row);
    const renamed = campaignsByName.get(name ?? '')?.has(targetKey(row)) === true;
    if (name !== null && name !== own && !renamed) {
      return err({ column, problem: { kind: 'wrong-parent', id: remoteId ?? '', name: own } });
    }
    return ok({ id: row.id });
  };

  const unknownParent = (kind: 'campaign' | 'adGroup', id: RemoteId | null): Result<Target, LinkProblem> => {
    const made = id === null ? null : (newRows?.find(kind, id) ?? null);
    if (made !== null) return ok(made.target);
    const column = kind === 'campaign' ? 'Campaign id' : 'Ad group id';
    if (newRows === null) return err({ column, problem: { kind: 'no-such-row', id: id ?? '' } });
    return err({ column, problem: { kind: 'no-parent', parent: TYPE_NAMES[kind], id: id ?? '' } });
  };

  const adGroup = (row: SheetRow, mayImply: boolean): Result<Target, LinkProblem> => {
    const { name, remoteId } = row.adGroup;
    if (remoteId !== null) {
      const found = lookup.byRemoteId('adGroup', remoteId);
      return found === null ? unknownParent('adGroup', remoteId) : ok({ id: found.id });
    }
    const parent = campaign(row);
    if (!parent.ok) return parent;
    const groups = groupsOf(parent.value);
    const named = name === null ? undefined : groups.get(name);
    if (named !== undefined) return ok(named);
    // A group may have two names here: its own, and the one that the file or the place of a paste gives it.
    const [only, ...others] = new Map([...groups.values()].map((target) => [targetKey(target), target])).values();
    if (name === null && only !== undefined && others.length === 0) return ok(only);
    if (only !== undefined) {
      const problem = { parent: 'ad group', name: name ?? '' } as const;
      return err({ column: 'Ad group', problem: { kind: name === null ? 'ambiguous' : 'orphan', ...problem } });
    }
    const missing = keysOf(row.campaign).flatMap((key) => missingGroups.get(key) ?? []);
    if (missing[0] !== undefined) {
      return err({ column: 'Ad group', problem: { kind: 'orphan', parent: 'ad group', name: name ?? missing[0] } });
    }
    // A campaign without a group gets one, since rows can't be directly below a campaign.
    if (!mayImply) return ok(unmadeGroup(targetKey(parent.value)));
    const implied = name ?? `${campaignName(row, parent.value)} group`;
    const target = create({
      kind: 'adGroup',
      parent: parent.value,
      values: { name: implied, status: 'enabled' },
      line: row.line,
    });
    groups.set(implied, target);
    return ok(target);
  };

  /** Place of an ad group that would be implied for a campaign, so that skipped rows are identified as if it existed. */
  const unmadeGroup = (campaign: string): Target => {
    const known = unmadeGroups.get(campaign) ?? noPlace();
    unmadeGroups.set(campaign, known);
    return known;
  };

  const campaignName = (row: SheetRow, target: Target): string => {
    const { name, remoteId } = row.campaign;
    if (name !== null) return name;
    const known = remoteId === null ? null : lookup.byRemoteId('campaign', remoteId);
    if (known !== null) return nameOf(known);
    const made = remoteId === null ? null : newRows?.find('campaign', remoteId);
    return made?.name ?? `Campaign ${targetKey(target)}`;
  };

  return {
    campaign,
    /** @param mayImply whether a campaign without any ad group gets one for this row, which would be the first to need it */
    adGroup,
    addCampaign: (name: string, target: Target) => {
      if ('at' in target) newNames.add(name);
      const named = campaignsByName.get(name) ?? new Map<string, Target>();
      campaignsByName.set(name, named.set(targetKey(target), target));
    },
    addAdGroup: (parent: Target, name: string, target: Target) => void groupsOf(parent).set(name, target),
    /**
     * Stores an ad group whose row is not imported: its campaign gets no other one in its place.
     *
     * @returns false if it was stored before
     */
    missAdGroup: ({ campaign, adGroup }: ParentRow): boolean => {
      const isNew = keysOf(campaign).some((key) => !missingGroups.has(key));
      for (const key of keysOf(campaign)) missingGroups.set(key, adGroup.name ?? '');
      return isNew;
    },
  };
}

function nameOf(row: AnyRow): string {
  const named: Row<'campaign'> | Row<'adGroup'> | null = row.kind === 'campaign' || row.kind === 'adGroup' ? row : null;
  return named?.values.name ?? '';
}

/** Campaigns and ad groups that are new because the account does not have their IDs: by these, rows of the file name them. */
type RowsByUnknownId = ReturnType<typeof rowsByUnknownId>;

function rowsByUnknownId() {
  const rows = new Map<string, { readonly target: Target; readonly name: string | null }>();
  const missed = new Set<string>();
  return {
    find: (kind: 'campaign' | 'adGroup', id: RemoteId) => {
      const key = `${kind} ${id}`;
      const found = rows.get(key) ?? null;
      if (found === null) missed.add(key);
      return found;
    },
    /** @returns whether an earlier row has referred to it */
    add: (kind: 'campaign' | 'adGroup', id: RemoteId, target: Target, name: string | null): boolean => {
      const key = `${kind} ${id}`;
      rows.set(key, { target, name });
      return missed.has(key);
    },
  };
}

/** A campaign that a sheet names by its id and the workspace does not have, or one of its ad groups. */
export interface MissingParent {
  readonly campaign: RemoteId;
  readonly name: string | null;
  /** The campaign's type, where the sheet has a row for it. */
  readonly type: Cell;
  /** Null when only the campaign was named. */
  readonly adGroup: RemoteId | null;
}

/** Collects the parents that rows name and the workspace does not have, each once, for the user to add. */
export type MissingParents = ReturnType<typeof missingParents>;

export function missingParents(lookup: SheetLookup) {
  const missing = new Map<string, MissingParent>();
  return {
    note: (row: SheetRow, { column, problem }: LinkProblem) => {
      if (problem.kind !== 'no-such-row' || (column !== 'Campaign id' && column !== 'Ad group id')) return;
      // An ad group is read through its campaign, so one without a known campaign can't be added.
      const campaign = row.campaign.remoteId ?? onlyIdOf(row.campaign.name, lookup);
      if (campaign === null) return;
      const { remoteId: adGroup } = row.adGroup;
      const key = `${campaign} ${adGroup ?? ''}`;
      const before = missing.get(key);
      const type = row.kind === 'campaign' ? (row.cells['campaignType'] ?? null) : null;
      missing.set(key, {
        campaign,
        adGroup,
        name: before?.name ?? row.campaign.name,
        type: before?.type ?? type,
      });
    },
    /** In the order of their first use. */
    list: (): readonly MissingParent[] => {
      const all = [...missing.values()];
      const withGroup = new Set(all.filter(({ adGroup }) => adGroup !== null).map(({ campaign }) => campaign));
      const typeOf = new Map(all.flatMap(({ campaign, type }) => (type === null ? [] : [[campaign, type]])));
      // A campaign is added with each of its ad groups, and needs no separate entry.
      return all
        .filter(({ campaign, adGroup }) => adGroup !== null || !withGroup.has(campaign))
        .map((each) => ({ ...each, type: each.type ?? typeOf.get(each.campaign) ?? null }));
    },
  };
}

function onlyIdOf(name: string | null, lookup: SheetLookup): RemoteId | null {
  const [only, ...others] = name === null ? [] : lookup.campaignsNamed(name);
  return only === undefined || others.length > 0 ? null : only.remoteId;
}

export type SheetLinker = ReturnType<typeof sheetLinker>;

/**
 * Links rows one by one, so that a spreadsheet of any length needs no list of its changes. It finds the row of the
 * workspace for every row, or creates a new one under the named parent.
 *
 *   id given      -> the row with that ID, which must exist
 *   unknown id    -> with `unknownIds`, a new row: its ID only links the rows of the file to it
 *   no id         -> the row under the same parent with the same natural key, else a new row
 *   no ad group   -> the campaign's only ad group; a campaign without one gets "<campaign> group"
 *
 * A row with its exported values is merged three ways: only cells edited since count, and a cell that the workspace has
 * changed as well is a conflict, which changes nothing until the user selects it. A row that is marked for deletion is in
 * conflict if it, or any row below it, was edited here.
 *
 * Skipped columns have no effect, but still identify rows.
 */
export function sheetLinker(lookup: SheetLookup, sink: LinkSink, choice: LinkChoice = EVERYTHING) {
  let unmade = 0;
  const noPlace = (): Target => ({ at: --unmade });
  const newRows = choice.unknownIds === 'errors' ? null : rowsByUnknownId();
  const newNames = new Set<string>();
  const copies = new Map<string, number>();
  const parents = sheetParents(lookup, sink.create, noPlace, newRows);
  const carrier = createChangeCollector(lookup, sink, choice, noPlace);
  const matcher = rowMatcher(lookup);
  const seen = createDuplicateRowCheck();
  const scopeOf = lastScope();
  const asked = createParentCache();
  let isLate = false;
  /** Parent of the previous row: spreadsheets list the rows of a parent together, with the same links. */
  let last: ParentFound | null = null;

  const link = (row: SheetRow): Result<LinkedRow | null, LinkProblem> => {
    const linked = linkRow(row);
    if (!linked.ok) missParent(row);
    return linked;
  };

  const missParent = (row: ParentRow): void => {
    if (row.kind === 'adGroup' && parents.missAdGroup(row) && asked.comesLate(row)) isLate = true;
  };

  const linkRow = (read: SheetRow): Result<LinkedRow | null, LinkProblem> => {
    if (read.deleted === true) return removeRow(read);
    const unknown = newRows === null ? null : unknownId(read);
    if (unknown !== null && choice.unknownIds === 'edits') {
      return err({ column: idColumn(read), problem: { kind: 'edit-only', id: unknown } });
    }
    const row = unknown === null ? read : withoutOwnId(read);
    const parent = parentOf(row);
    if (!parent.ok) return parent;
    const found = findRow(row, parent.value, unknown);
    if (!found.ok) return found;
    const twice = seenBefore(row, parent.value, found.value, unknown);
    if (twice !== null) return err({ column: 'Type', problem: { kind: 'row-twice', otherLine: twice } });
    if (found.value !== null) return changeRow(row, found.value, unknown);
    const off = finalStatus(row.kind, row.cells);
    if (off !== null) return skip(row, 'Status', { kind: 'switched-off', type: TYPE_NAMES[row.kind], word: off });
    const { linked, target } = carrier.add(newRows === null ? row : asNew(row), parent.value);
    remember(row, parent.value, target, unknown);
    return ok(linked);
  };

  const skip = (row: SheetRow, column: Column, problem: NewRowRemark): Result<null, never> => {
    sink.warn({ line: row.line, column, problem });
    return ok(null);
  };

  /** The ID of the row itself, if the account has no such row. */
  const unknownId = (row: SheetRow): RemoteId | null => {
    const id = ownId(row);
    return id === null || lookup.byRemoteId(row.kind, id) !== null ? null : id;
  };

  /** A new row without the values that can't be copied from another account. */
  const asNew = (row: SheetRow): SheetRow => {
    const name = row.kind === 'campaign' ? row.campaign.name : null;
    if (name !== null) {
      const isTaken = (each: string): boolean => newNames.has(textKey(each)) || lookup.isNameTaken(each);
      const copy = isTaken(name) ? copyName(name, isTaken, copies) : name;
      newNames.add(textKey(copy));
      if (copy === name) return row;
      sink.warn({ line: row.line, column: 'Campaign', problem: { kind: 'renamed', name, copy } });
      return { ...row, cells: { ...row.cells, name: copy } };
    }
    const id = serviceMediaId(row.video ?? '');
    if (id === null || lookup.byRemoteId('media', id) !== null) return row;
    sink.warn({ line: row.line, column: 'Video', problem: { kind: 'service-video', id } });
    const { video: _video, caption: _caption, mediaName: _name, ...rest } = row;
    return rest;
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
    const mayImply = !carrier.staysOut(row) && finalStatus(row.kind, row.cells) === null;
    const parent = inCampaign ? parents.campaign(row) : parents.adGroup(row, mayImply);
    // A parent that is not implied for this row may be implied for the next.
    if (mayImply) last = { campaign, adGroup, inCampaign, parent };
    return parent;
  };

  const findRow = (
    row: SheetRow,
    parent: Target | null,
    unknown: RemoteId | null,
  ): Result<AnyRow | null, LinkProblem> => {
    const id = ownId(row);
    if (id !== null) {
      const known = lookup.byRemoteId(row.kind, id);
      return known === null ? err({ column: idColumn(row), problem: { kind: 'no-such-row', id } }) : ok(known);
    }
    const missing = KEY_COLUMNS[row.kind].find((column) => keyValue(row, column) === null);
    if (missing !== undefined) {
      return err({ column: missing, problem: { kind: 'required', type: TYPE_NAMES[row.kind], column: missing } });
    }
    if (row.kind === 'campaign') return unknown === null ? campaignNamed(row.campaign.name ?? '') : ok(null);
    if (parent === null || 'at' in parent) return ok(null);
    return ok(matcher.find(row.kind, parent.id, valuesOf(row)) ?? null);
  };

  const campaignNamed = (name: string): Result<AnyRow | null, LinkProblem> => {
    const [only, ...others] = lookup.campaignsNamed(name);
    if (others.length === 0) return ok(only ?? null);
    return err({ column: 'Campaign', problem: { kind: 'ambiguous', parent: 'campaign', name } });
  };

  /** Identifies new rows by their unknown ID, or by the unique values below their parent. */
  const seenBefore = (
    row: SheetRow,
    parent: Target | null,
    found: AnyRow | null,
    unknown: RemoteId | null,
  ): number | null => {
    if (found !== null) return seen.lineOf(`${row.kind} #`, String(found.id), row.line);
    if (unknown !== null) return seen.lineOf(`${row.kind} ?`, unknown, row.line);
    return seen.lineOf(scopeOf(row.kind, parent), naturalKey(row.kind, valuesOf(row)), row.line);
  };

  const removeRow = (row: SheetRow): Result<LinkedRow | null, LinkProblem> => {
    const found = rowToRemove(row, lookup, matcher);
    if (!found.ok) return found;
    const known = found.value;
    if (known === null && newRows !== null) return skip(row, 'Type', { kind: 'nothing-to-delete' });
    if (known === null) return ok({ ...NOTHING, kind: row.kind });
    const twice = seenBefore(row, null, known, null);
    if (twice !== null) return err({ column: 'Type', problem: { kind: 'row-twice', otherLine: twice } });
    return ok(carrier.remove(row, known));
  };

  const changeRow = (row: SheetRow, known: AnyRow, unknown: RemoteId | null): Result<LinkedRow, LinkProblem> => {
    const changed = carrier.change(row, known);
    const parent = known.campaignId === null ? null : { id: known.campaignId };
    if (changed.ok) remember(row, parent, { id: known.id }, unknown);
    return changed;
  };

  const remember = (row: SheetRow, parent: Target | null, target: Target, unknown: RemoteId | null): void => {
    if (row.kind === 'campaign' || row.kind === 'adGroup') {
      last = null;
      if (unknown !== null && newRows?.add(row.kind, unknown, target, row[row.kind].name) === true) isLate = true;
    }
    if (asked.comesLate(row)) isLate = true;
    if (row.kind === 'campaign' && row.campaign.name !== null) parents.addCampaign(row.campaign.name, target);
    if (row.kind === 'adGroup' && row.adGroup.name !== null && parent !== null) {
      parents.addAdGroup(parent, row.adGroup.name, target);
    }
  };

  return {
    /** Links one row; null for one that is skipped. Its parents must come before it; the order is otherwise free. */
    link,
    /** Registers a campaign or an ad group that can't be read. */
    missParent,
    /** Registers a skipped row: another campaign of its name gets the name it would get if both were imported. */
    leaveOut: (row: SheetRow): void => {
      missParent(row);
      if (newRows !== null && row.kind === 'campaign' && unknownId(row) !== null) asNew(withoutOwnId(row));
    },
    /**
     * True when a parent came after a row that referred to one of its name: then rows may have been linked wrongly,
     * and the spreadsheet must be linked again with campaigns first, then ad groups, then the rest.
     */
    cameLate: () => isLate,
  };
}

/** Scope texts for the rows of one kind below one parent, created once for consecutive rows. */
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

const EVERYTHING: LinkChoice = { isTaken: () => false, out: NO_COLUMNS, unknownIds: 'errors' };

const ownId = (row: SheetRow): RemoteId | null =>
  row.rowId ?? (row.kind === 'campaign' || row.kind === 'adGroup' ? row[row.kind].remoteId : null);

const idColumn = (row: SheetRow): Column =>
  row.rowId !== null ? 'Row id' : row.kind === 'campaign' ? 'Campaign id' : 'Ad group id';

/** The row without its own ID from the file. In an archive, only its cells have the name of such a campaign or ad group. */
function withoutOwnId(row: SheetRow): SheetRow {
  if (row.kind !== 'campaign' && row.kind !== 'adGroup') return { ...row, rowId: null };
  const { name } = row.cells;
  const own: Link = { name: row[row.kind].name ?? (typeof name === 'string' ? name : null), remoteId: null };
  return { ...row, rowId: null, [row.kind]: own };
}

const NOTHING = {
  outcome: 'unchanged',
  fills: NO_COLUMNS,
  apart: NO_COLUMNS,
  known: null,
  passedOver: NO_COLUMNS,
} as const;

/**
 * Links a list of rows: campaigns first, then ad groups, then the rest, so rows may be in any order. A row with a
 * problem changes nothing; the others are linked.
 */
export function linkSheet(rows: readonly SheetRow[], lookup: SheetLookup): SheetChanges {
  const creates: SheetCreate[] = [];
  const updates: SheetUpdate[] = [];
  const files: SheetFiles[] = [];
  const problems: SheetProblem[] = [];
  const counts = { added: 0, changed: 0, removed: 0, unchanged: 0, conflict: 0 };
  const linker = sheetLinker(lookup, {
    create: (row) => ({ at: creates.push(row) - 1 }),
    update: (update) => void updates.push(update),
    files: (named) => {
      if (named.inConflict !== true) files.push(named);
    },
    remove: onlyInArchives,
    notes: onlyInArchives,
    // Only of a row that is skipped, as its IDs are not unknown.
    warn: (skipped) => void problems.push(skipped),
  });
  for (const row of inLinkOrder(rows)) {
    const outcome = linker.link(row);
    if (!outcome.ok) problems.push({ line: row.line, ...outcome.error });
    else if (outcome.value !== null) counts[outcome.value.outcome]++;
  }
  const { conflict, unchanged, added, changed } = counts;
  // A row in conflict changes nothing.
  const still = unchanged + conflict;
  return {
    creates,
    updates,
    files,
    added,
    changed,
    unchanged: still,
    problems: problems.toSorted((a, b) => a.line - b.line),
  };
}

/** A table can't delete rows or contain notes, and its unknown IDs are errors. */
function onlyInArchives({ line }: { readonly line: number }): never {
  throw new Error(`line ${line} of a table says what only an archive can say`);
}

function inLinkOrder(rows: readonly SheetRow[]): readonly SheetRow[] {
  const first = rows.filter((row) => row.kind === 'campaign');
  const second = rows.filter((row) => row.kind === 'adGroup');
  const rest = rows.filter((row) => row.kind !== 'campaign' && row.kind !== 'adGroup');
  return [...first, ...second, ...rest];
}

/**
 * Marks the problems of rows that have no parent because the parent's row has an error, with the line of that row. If
 * an ad group has none because of its campaign, the rows below it name the campaign too.
 *
 * @param failed rows that can't be linked
 * @param unread campaigns and ad groups that can't be read
 */
export function withCauses(
  failed: readonly { readonly row: ParentRow; readonly why: LinkProblem }[],
  unread: readonly ParentRow[],
): readonly SheetProblem[] {
  const lines = new Map<string, number>();
  for (const row of [...unread, ...failed.map((each) => each.row)]) {
    const keys = row.kind === 'campaign' ? keysOf(row.campaign) : row.kind === 'adGroup' ? groupKeys(row) : [];
    for (const key of keys) if (!lines.has(key)) lines.set(key, row.line);
  }
  const lineOf = (keys: readonly string[]): number | undefined =>
    keys.map((key) => lines.get(key)).find((line) => line !== undefined);
  const causeOf = ({ row, why: { problem } }: (typeof failed)[number]): number | undefined => {
    // An ID that the account does not have is an error of each row that names it.
    if (problem.kind !== 'orphan' && problem.kind !== 'no-parent') return undefined;
    if (problem.parent === 'campaign') return lineOf(keysOf(row.campaign));
    // A row without the name of an ad group misses the only one of its campaign.
    return lineOf(groupKeys('name' in problem ? { ...row, adGroup: { name: problem.name, remoteId: null } } : row));
  };
  const causes = new Map(failed.map((each) => [each.row.line, causeOf(each)]));
  return failed.map(({ row: { line }, why }) => {
    const first = causes.get(line);
    const causeLine = first === undefined ? undefined : (causes.get(first) ?? first);
    return { line, ...why, ...(causeLine === undefined ? {} : { causeLine }) };
  });
}

const groupKeys = ({ campaign, adGroup }: ParentRow): readonly string[] =>
  adGroup.remoteId !== null
    ? [`group # ${adGroup.remoteId}`]
    : keysOf(campaign).map((key) => `group ${adGroup.name ?? ''} ${key}`);

/** Kinds directly below a campaign. */
export const IN_CAMPAIGN: ReadonlySet<SheetKind> = new Set<SheetKind>([
  'adGroup',
  'placementMultiplier',
  'platformMultiplier',
]);

/** Markers among the names: a row referred to its campaign only by ID, or only by name. */
const BY_ID = 'by id'; // lint-text: ok, a mark of the code
const BY_NAME = 'by name';

/** The parents that rows of a spreadsheet have referred to so far, existing or not. */
function createParentCache() {
  const asked = new Set<string>();

  /** Whether an earlier row may have referred to groups of this campaign: by the same name or ID, or one by each. */
  const mayHaveBeenAsked = (campaign: Link): boolean =>
    keysOf(campaign).some((key) => asked.has(`in ${key}`)) ||
    (campaign.name === null && asked.has(BY_NAME)) ||
    (campaign.remoteId === null && asked.has(BY_ID));

  return {
    note: ({ campaign, kind }: SheetRow) => {
      for (const key of keysOf(campaign)) {
        asked.add(key);
        if (!IN_CAMPAIGN.has(kind)) asked.add(`in ${key}`);
      }
      if (campaign.name === null) asked.add(BY_ID);
      if (campaign.remoteId === null) asked.add(BY_NAME);
    },
    /** Whether this campaign or ad group comes after a row that may have referred to it or to rows below it. */
    comesLate: ({ kind, campaign }: ParentRow): boolean =>
      kind === 'campaign'
        ? keysOf(campaign).some((key) => asked.has(key))
        : kind === 'adGroup' && mayHaveBeenAsked(campaign),
  };
}

function keysOf({ name, remoteId }: Link): readonly string[] {
  return [...(name === null ? [] : [`= ${name}`]), ...(remoteId === null ? [] : [`# ${remoteId}`])];
}

/**
 * The row that a line marks for deletion, or null if it was deleted already. Only rows on the service are ever marked:
 * identified by ID, and a multiplier, which has none, by its campaign and type.
 */
function rowToRemove(row: SheetRow, lookup: SheetLookup, matcher: RowMatcher): Result<AnyRow | null, LinkProblem> {
  const id = ownId(row);
  if (id !== null) return ok(lookup.byRemoteId(row.kind, id));
  const isMultiplier = row.kind === 'placementMultiplier' || row.kind === 'platformMultiplier';
  if (!isMultiplier || row.campaign.remoteId === null) {
    const problem = { kind: 'required', type: TYPE_NAMES[row.kind], column: 'Row id' } as const;
    return err({ column: 'Row id', problem });
  }
  const campaign = lookup.byRemoteId('campaign', row.campaign.remoteId);
  return ok(campaign === null ? null : (matcher.find(row.kind, campaign.id, valuesOf(row)) ?? null));
}

const FIRST_PLACES = 1024;
const FULL_AT = 0.6;

/**
 * A slot has the three parts of a hash and the line, or 0 when empty. They are adjacent, because each access to a
 * table of this size is a cache miss, and four tables would have four.
 */
const PLACE_SIZE = 4;
const LINE = 3;

/**
 * Finds duplicate rows of a spreadsheet. It stores 16 bytes per row instead of the key, so a million rows cost little.
 * The chance that two different keys count as equal is below 1 in 10^13 for a million rows.
 */
export function createDuplicateRowCheck() {
  let places = new Int32Array(FIRST_PLACES * PLACE_SIZE);
  let count = 0;
  const hash = keyHash();

  const startOf = (check: number): number => ((check ^ (check >>> 16)) * PLACE_SIZE) & (places.length - 1);
  const next = (at: number): number => (at + PLACE_SIZE) & (places.length - 1);
  const put = (low: number, high: number, check: number, line: number): void => {
    let at = startOf(check);
    while (places[at + LINE] !== 0) at = next(at);
    places[at] = low;
    places[at + 1] = high;
    places[at + 2] = check;
    places[at + LINE] = line;
  };
  const grow = (): void => {
    const old = places;
    places = new Int32Array(old.length * 2);
    for (let at = 0; at < old.length; at += PLACE_SIZE) {
      const line = old[at + LINE] ?? 0;
      if (line !== 0) put(old[at] ?? 0, old[at + 1] ?? 0, old[at + 2] ?? 0, line);
    }
  };

  return {
    /**
     * The line of an earlier row with this key, or null; then the row is stored. The full key is `scope`, which many rows
     * share, followed by `key`: a scope equal to that of the previous row is not hashed again.
     *
     * @param line from 1
     */
    lineOf: (scope: string, key: string, line: number): number | null => {
      const { low, high, check } = hash(scope, key);
      for (let at = startOf(check); places[at + LINE] !== 0; at = next(at)) {
        if (places[at] === low && places[at + 1] === high && places[at + 2] === check) return places[at + LINE] ?? null;
      }
      if (++count * PLACE_SIZE > places.length * FULL_AT) grow();
      put(low, high, check, line);
      return null;
    },
  };
}

interface KeyHash {
  low: number;
  high: number;
  check: number;
}

const SEED: Readonly<KeyHash> = { low: 0x811c9dc5 | 0, high: 0x01000193, check: 0x9e3779b1 | 0 };

/** A hash of 96 bits from three multiplicative parts over scope and key. Always returns the same object, to be read at once. */
function keyHash(): (scope: string, key: string) => Readonly<KeyHash> {
  let lastScope = '';
  const afterScope: KeyHash = { ...SEED };
  const run: KeyHash = { ...SEED };
  return (scope, key) => {
    if (scope !== lastScope) {
      lastScope = scope;
      Object.assign(afterScope, SEED);
      take(afterScope, scope);
    }
    run.low = afterScope.low;
    run.high = afterScope.high;
    run.check = afterScope.check;
    take(run, key);
    return run;
  };
}

function take(run: KeyHash, text: string): void {
  let { low, high, check } = run;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    check = Math.imul(check + unit, 0xc2b2ae35) ^ (check >>> 15);
  }
  run.low = low;
  run.high = high;
  run.check = check;
}
