import type { CampaignTree } from '../../../../shared/model/campaign-tree.ts';
import type { PracticeDetails, PracticeRequest } from '../../../practice/practice-control.ts';

/**
 * Shows from the service's own books, not from ours, that everything arrived and nothing arrived twice: what its log
 * says was created, what its tables hold, and what the sheet asked for must be the same three times.
 */
export interface Proof {
  readonly lines: readonly string[];
  readonly problems: readonly string[];
  readonly writes: number;
  readonly reads: number;
}

interface Row {
  readonly thing: string;
  readonly path: string;
  /** Name of the table in the service's counts. */
  readonly table: string;
  readonly wanted: number;
}

export function proveOnce(
  trees: readonly CampaignTree[],
  requests: readonly PracticeRequest[],
  details: PracticeDetails,
): Proof {
  const api = requests.filter(({ path }) => pathOf(path).startsWith('/api/'));
  const writes = api.filter(isWrite);
  const problems: string[] = [];
  const lines = rowsOf(trees).map(({ thing, path, table, wanted }) => {
    const created = writes
      .filter((request) => request.method === 'POST' && pathOf(request.path) === path)
      .reduce((sum, request) => sum + request.elementCodes.filter((code) => code === 'success').length, 0);
    const there = details.counts[table] ?? 0;
    if (created !== wanted || there !== wanted) {
      problems.push(`${thing}: ${wanted} wanted, ${created} created by the log, ${there} on the service`);
    }
    return `${thing.padEnd(16)} ${String(wanted).padStart(4)} wanted ${String(created).padStart(4)} created ${String(there).padStart(4)} there`;
  });
  const failed = writes.filter(({ status, elementCodes }) => status >= 400 || elementCodes.includes('failure'));
  if (failed.length > 0) problems.push(`${failed.length} writing requests were refused or failed`);
  const ids = writes.map(({ correlationId }) => correlationId).filter((id) => id !== null);
  if (new Set(ids).size !== ids.length) problems.push('a correlation id was used for two writing requests');
  return { lines, problems, writes: writes.length, reads: api.length - writes.length };
}

function rowsOf(trees: readonly CampaignTree[]): readonly Row[] {
  const count = (of: (tree: CampaignTree) => number): number => trees.reduce((sum, tree) => sum + of(tree), 0);
  const reviewed = trees.filter(({ campaign }) => campaign.values.campaignType !== 'sponsoredProducts');
  return [
    { thing: 'campaigns', path: '/api/v1/campaigns', table: 'campaign', wanted: trees.length },
    { thing: 'ad groups', path: '/api/v1/adGroups', table: 'adGroup', wanted: count((tree) => tree.adGroups.length) },
    { thing: 'ad items', path: '/api/v1/adItems', table: 'adItem', wanted: count((tree) => tree.adItems.length) },
    { thing: 'keywords', path: '/api/v1/keywords', table: 'keyword', wanted: count((tree) => tree.keywords.length) },
    {
      thing: 'brand profiles',
      path: '/api/v2/sba_profile',
      table: 'sbaProfile',
      wanted: count((tree) => tree.sbaProfiles.length),
    },
    {
      thing: 'video profiles',
      path: '/api/v1/adGroup/media',
      table: 'adGroupMedia',
      wanted: count((tree) => tree.videoProfiles.length),
    },
    {
      thing: 'reviews',
      path: '/api/v1/review',
      table: 'review',
      wanted: reviewed.reduce((sum, tree) => sum + tree.adGroups.length, 0),
    },
  ];
}

const pathOf = (path: string): string => path.split('?')[0] ?? path;

/** Item search and reports are reads that the service offers as a POST. */
const isWrite = ({ method, path }: PracticeRequest): boolean =>
  method !== 'GET' && !/\/(itemSearch|snapshot\/)/i.test(pathOf(path));
