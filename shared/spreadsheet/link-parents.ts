import type { Cell } from '../model/field-types.ts';
import type { AnyRow, Row } from '../model/row.ts';
import type { RemoteId } from '../model/scalars.ts';
import { err, ok, type Result } from '../result.ts';
import type { Column } from './columns.ts';
import type { SheetCreate, SheetLookup, Target } from './sheet-changes.ts';
import type { Link, SheetProblemKind, SheetRow } from './sheet-row.ts';

/** Why a parent could not be found, and in which column the user should look. */
export interface LinkProblem {
  readonly column: Column;
  readonly problem: SheetProblemKind;
}

/**
 * Campaigns and ad groups that rows of the sheet may hang from: those of the workspace and those the sheet
 * itself creates, whatever the order of its rows.
 */
export interface Parents {
  addCampaign(name: string, target: Target): void;
  addAdGroup(campaign: Target, name: string, target: Target): void;
  campaign(row: SheetRow): Result<Target, LinkProblem>;
  /** @param mayImply whether a campaign without any ad group gets one for this row, which would be the first to need it */
  adGroup(row: SheetRow, mayImply: boolean): Result<Target, LinkProblem>;
}

export const targetKey = (target: Target): string => ('id' in target ? `#${target.id}` : `@${target.at}`);

/**
 * @param create makes a row that the sheet implies and gives its place
 * @param noPlace stands for a row that is not made
 */
export function sheetParents(
  lookup: SheetLookup,
  create: (row: SheetCreate) => Target,
  noPlace: () => Target,
): Parents {
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
    for (const target of campaignsByName.get(name) ?? []) targets.set(targetKey(target), target);
    for (const row of lookup.campaignsNamed(name)) targets.set(targetKey(row), { id: row.id });
    const [only, ...others] = targets.values();
    if (only === undefined) return err({ column: 'Campaign', problem: { kind: 'orphan', parent: 'campaign', name } });
    if (others.length > 0) return err({ column: 'Campaign', problem: { kind: 'ambiguous', parent: 'campaign', name } });
    return ok(only);
  };

  const campaignById = ({ name, remoteId }: Link): Result<Target, LinkProblem> => {
    const row = remoteId === null ? null : lookup.byRemoteId('campaign', remoteId);
    const column = 'Campaign id';
    if (row === null) return err({ column, problem: { kind: 'no-such-row', id: remoteId ?? '' } });
    const own = nameOf(row);
    const renamed = (campaignsByName.get(name ?? '') ?? []).some((t) => 'id' in t && t.id === row.id);
    if (name !== null && name !== own && !renamed) {
      return err({ column, problem: { kind: 'wrong-parent', id: remoteId ?? '', name: own } });
    }
    return ok({ id: row.id });
  };

  const adGroup = (row: SheetRow, mayImply: boolean): Result<Target, LinkProblem> => {
    const { name, remoteId } = row.adGroup;
    if (remoteId !== null) {
      const found = lookup.byRemoteId('adGroup', remoteId);
      if (found === null) return err({ column: 'Ad group id', problem: { kind: 'no-such-row', id: remoteId } });
      return ok({ id: found.id });
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
    if (row.campaign.name !== null) return row.campaign.name;
    const known = row.campaign.remoteId === null ? null : lookup.byRemoteId('campaign', row.campaign.remoteId);
    return known === null ? `Campaign ${targetKey(target)}` : nameOf(known);
  };

  return {
    campaign,
    adGroup,
    addCampaign: (name, target) => {
      const list = campaignsByName.get(name) ?? [];
      campaignsByName.set(name, [...list, target]);
    },
    addAdGroup: (parent, name, target) => void groupsOf(parent).set(name, target),
  };
}

function nameOf(row: AnyRow): string {
  const named: Row<'campaign'> | Row<'adGroup'> | null = row.kind === 'campaign' || row.kind === 'adGroup' ? row : null;
  return named?.values.name ?? '';
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
export interface MissingParents {
  note(row: SheetRow, problem: LinkProblem): void;
  /** In the order in which they were named first. */
  list(): readonly MissingParent[];
}

export function missingParents(lookup: SheetLookup): MissingParents {
  const missing = new Map<string, MissingParent>();
  return {
    note: (row, { column, problem }) => {
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
    list: () => {
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
