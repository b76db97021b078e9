import { copyName } from '../bulk/copy-rows.ts';
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
import type { Link, LinkProblem, NewRowRemark, SheetProblem, SheetRow } from './sheet-row.ts';

const targetKey = (target: Target): string => ('id' in target ? `#${target.id}` : `@${target.at}`);

/**
 * Campaigns and ad groups that rows of the sheet may hang from: those of the workspace and those the sheet
 * itself creates, whatever the order of its rows.
 *
 * @param create makes a row that the sheet implies and gives its place
 * @param noPlace stands for a row that is not made
 * @param newRows rows of the file by IDs that the account does not have; null where such an ID is an error
 */
function sheetParents(
  lookup: SheetLookup,
  create: (row: SheetCreate) => Target,
  noPlace: () => Target,
  newRows: RowsByUnknownId | null,
) {
  const campaignsByName = new Map<string, Target[]>();
  const groupsByCampaign = new Map<string, Map<string, Target>>();
  const unmadeGroups = new Map<string, Target>();

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
    const targets = new Map<string, Target>();
    const inFile = campaignsByName.get(name) ?? [];
    for (const target of inFile) targets.set(targetKey(target), target);
    // A new campaign of the file may be called like one of the account: then the file means its own.
    const here = inFile.some((target) => 'at' in target) ? [] : lookup.campaignsNamed(name);
    for (const row of here) targets.set(targetKey(row), { id: row.id });
    const [only, ...others] = targets.values();
    if (only === undefined) return err({ column: 'Campaign', problem: { kind: 'orphan', parent: 'campaign', name } });
    if (others.length > 0) return err({ column: 'Campaign', problem: { kind: 'ambiguous', parent: 'campaign', name } });
    return ok(only);
  };

  const campaignById = ({ name, remoteId }: Link): Result<Target, LinkProblem> => {
    const row = remoteId === null ? null : lookup.byRemoteId('campaign', remoteId);
    const column = 'Campaign id';
    if (row === null) return unknownParent('campaign', remoteId);
    const own = nameOf(row);
    const renamed = (campaignsByName.get(name ?? '') ?? []).some((t) => 'id' in t && t.id === row.id);
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
    const [only, ...others] = groups.values();
    if (name === null && only !== undefined && others.length === 0) return ok(only);
    if (only !== undefined) {
      const problem = { parent: 'ad group', name: name ?? '' } as const;
      return err({ column: 'Ad group', problem: { kind: name === null ? 'ambiguous' : 'orphan', ...problem } });
    }
    // A campaign without any group gets one, since nothing can hang from the campaign itself.
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

  /** Stands for the ad group that a campaign would get, so that rows which stay out are told apart as if it were there. */
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
      const list = campaignsByName.get(name) ?? [];
      campaignsByName.set(name, [...list, target]);
    },
    addAdGroup: (parent: Target, name: string, target: Target) => void groupsOf(parent).set(name, target),
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
    /** @returns whether a row has asked for it before it came */
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

/** Gathers what rows name and the workspace does not have, each once, for the user to add. */
export type MissingParents = ReturnType<typeof missingParents>;

export function missingParents(lookup: SheetLookup) {
  const missing = new Map<string, MissingParent>();
  return {
    note: (row: SheetRow, { column, problem }: LinkProblem) => {
      if (problem.kind !== 'no-such-row' || (column !== 'Campaign id' && column !== 'Ad group id')) return;
      // An ad group is read through its campaign: one whose campaign nobody names cannot be asked for.
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
    /** In the order in which they were named first. */
    list: (): readonly MissingParent[] => {
      const all = [...missing.values()];
      const withGroup = new Set(all.filter(({ adGroup }) => adGroup !== null).map(({ campaign }) => campaign));
      const typeOf = new Map(all.flatMap(({ campaign, type }) => (type === null ? [] : [[campaign, type]])));
      // A campaign comes along with each of its ad groups, and needs no entry of its own beside them.
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
 * The linker for rows that come one by one, so that a sheet of any length needs no list of its changes. It finds for every
 * row the row of the workspace it means, or makes a new one under the parent it names.
 *
 *   id given      -> the row with that id, which must exist
 *   unknown id    -> with `unknownIds`, a new row: its id links the rows of the file to it and says nothing else
 *   no id         -> the row under the same parent with the same natural key, else a new row
 *   no ad group   -> the campaign's only ad group; a campaign without one gets "<campaign> group"
 *
 * A row that knows how it was exported is merged three ways: only cells that were edited since count, and a cell that
 * the workspace has changed as well is a conflict, which changes nothing until the user takes it. A row that is marked
 * for deletion is one where it, or anything below it, was edited here.
 *
 * Columns that are left out count for nothing, but rows are still told apart by them.
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
  /** Where the row before hangs from: sheets name the rows of a parent one after another, with the same links. */
  let last: ParentFound | null = null;

  const link = (read: SheetRow): Result<LinkedRow | null, LinkProblem> => {
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
    const off = unknown === null ? null : offForGood(row);
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

  /** A new row without what the account can't have from another one. */
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
    const mayImply = !carrier.staysOut(row);
    const parent = inCampaign ? parents.campaign(row) : parents.adGroup(row, mayImply);
    // What is implied for no row yet may be for the next.
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

  /** Rows that are new are told apart by their unknown ID, or below their parent, by what no two of its rows share. */
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
    /** Links one row; null for one that is skipped. Its parents have to come before it, wherever the rest stands. */
    link,
    /** Notes a row that is left out: another campaign of its name is called as if it came in. */
    leaveOut: (row: SheetRow): void => {
      if (newRows !== null && row.kind === 'campaign' && unknownId(row) !== null) asNew(withoutOwnId(row));
    },
    /**
     * True when a parent came after a row that had asked for one of its name: then rows may have been linked wrongly,
     * and the sheet has to be linked again with campaigns first, then ad groups, then the rest.
     */
    cameLate: () => isLate,
  };
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

const EVERYTHING: LinkChoice = { isTaken: () => false, out: NO_COLUMNS, unknownIds: 'errors' };

const ownId = (row: SheetRow): RemoteId | null =>
  row.rowId ?? (row.kind === 'campaign' || row.kind === 'adGroup' ? row[row.kind].remoteId : null);

const idColumn = (row: SheetRow): Column =>
  row.rowId !== null ? 'Row id' : row.kind === 'campaign' ? 'Campaign id' : 'Ad group id';

/** The row as if its file gave it no ID. An archive has the name of such a campaign or ad group in its cells alone. */
function withoutOwnId(row: SheetRow): SheetRow {
  if (row.kind !== 'campaign' && row.kind !== 'adGroup') return { ...row, rowId: null };
  const { name } = row.cells;
  const own: Link = { name: row[row.kind].name ?? (typeof name === 'string' ? name : null), remoteId: null };
  return { ...row, rowId: null, [row.kind]: own };
}

/** The word of an item or a keyword that the service never runs again; a new one can't begin like this. */
function offForGood({ kind, cells: { status, state } }: SheetRow): string | null {
  if (kind === 'adItem' && status === 'deleted') return status;
  return kind === 'keyword' && state === 'archived' ? state : null;
}

const NOTHING = {
  outcome: 'unchanged',
  fills: NO_COLUMNS,
  apart: NO_COLUMNS,
  known: null,
  passedOver: NO_COLUMNS,
} as const;

/**
 * Links a whole list of rows at once: campaigns first, then ad groups, then the rest, so rows may stand in any order. A row
 * with a problem changes nothing; its neighbours go on.
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
    warn: onlyInArchives,
  });
  for (const row of inLinkOrder(rows)) {
    const outcome = linker.link(row);
    if (!outcome.ok) problems.push({ line: row.line, ...outcome.error });
    else if (outcome.value !== null) counts[outcome.value.outcome]++;
  }
  const { conflict, unchanged, added, changed } = counts;
  // Nothing of a row in conflict is carried out.
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

/** A table can neither delete rows nor bring notes along, and its unknown IDs are errors. */
function onlyInArchives({ line }: { readonly line: number }): never {
  throw new Error(`line ${line} of a table says what only an archive can say`);
}

function inLinkOrder(rows: readonly SheetRow[]): readonly SheetRow[] {
  const first = rows.filter((row) => row.kind === 'campaign');
  const second = rows.filter((row) => row.kind === 'adGroup');
  const rest = rows.filter((row) => row.kind !== 'campaign' && row.kind !== 'adGroup');
  return [...first, ...second, ...rest];
}

/** Kinds that hang from a campaign itself. */
export const IN_CAMPAIGN: ReadonlySet<SheetKind> = new Set<SheetKind>([
  'adGroup',
  'placementMultiplier',
  'platformMultiplier',
]);

/** Marks among the names asked for: that a row named its campaign by id alone, or by name alone. */
const BY_ID = 'by id'; // lint-text: ok, a mark of the code
const BY_NAME = 'by name';

/** The parents that rows of a sheet have asked for so far, whether they were there or not. */
function createParentCache() {
  const asked = new Set<string>();

  /** Whether a row before may have meant groups of this campaign: by the same name or id, or one by each. */
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
    /** Whether this campaign or ad group comes after a row that may have meant it or what hangs from it. */
    comesLate: ({ kind, campaign }: SheetRow): boolean =>
      kind === 'campaign'
        ? keysOf(campaign).some((key) => asked.has(key))
        : kind === 'adGroup' && mayHaveBeenAsked(campaign),
  };
}

function keysOf({ name, remoteId }: Link): readonly string[] {
  return [...(name === null ? [] : [`= ${name}`]), ...(remoteId === null ? [] : [`# ${remoteId}`])];
}

/**
 * The row that a line marks for deletion, or null when it is gone already. Only what the service knows is ever marked:
 * it is named by its id, and a multiplier, which has none, by its campaign and what it multiplies.
 */
function rowToRemove(row: SheetRow, lookup: SheetLookup, matcher: RowMatcher): Result<AnyRow | null, LinkProblem> {
  const own = row.kind === 'campaign' ? row.campaign.remoteId : row.kind === 'adGroup' ? row.adGroup.remoteId : null;
  const id = row.rowId ?? own;
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
 * A place holds the three runs of a hash and the line, or 0 in an empty one. They lie side by side, because each look at a
 * table of this size waits for memory, and four tables would wait four times.
 */
const PLACE_SIZE = 4;
const LINE = 3;

/**
 * Finds rows that stand in a sheet twice. It keeps 16 bytes a row instead of the row's key, so a million rows cost
 * little. Two different keys are taken for one with a chance of less than 1 in 10^13 for a sheet of a million rows.
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
     * The line of an earlier row with this key, or null; then the row is remembered. The key is what follows on `scope`, which
     * many rows have in common: a scope that is the one of the row before costs nothing.
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

/** 96 bits from three multiplicative runs over scope and key. The answer is the same object each time, and to be read at once. */
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
