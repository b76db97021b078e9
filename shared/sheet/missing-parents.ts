import type { Cell } from '../model/field-types.ts';
import type { RemoteId } from '../model/scalars.ts';
import type { LinkProblem } from './link-parents.ts';
import type { SheetLookup } from './lookup.ts';
import type { SheetRow } from './sheet-row.ts';

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
