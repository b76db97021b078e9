import type { AddCampaignOutcome, RemoteIdEntry } from '../../shared/api/campaigns.ts';
import type { CampaignLine } from '../../shared/item-ids/campaign-lines.ts';
import { countText, plural } from './numbers.ts';

const SOURCES: Readonly<Record<RemoteIdEntry['source'], string>> = {
  made: 'Created with Adslate',
  typed: 'Entered manually',
  pasted: 'Pasted',
  sheet: 'Spreadsheet',
  report: 'Report',
  list: 'Listed by the service',
};

const OUTCOMES: Readonly<Record<AddCampaignOutcome['outcome'], string>> = {
  added: 'Added',
  known: 'Already in this account',
  'not-found': 'Not added: not found on the service, or this account has no access.',
  'other-campaign': 'Not added: belongs to another campaign.',
  'second-group': 'Not added: the campaign already has an ad group and can have only one.',
  unsettled: 'Not added: it may be the result of an unconfirmed request. Sync first.',
  refused: 'Failed',
  'not-asked': 'Not checked. Try again.',
};

const PROBLEMS: Readonly<Record<NonNullable<CampaignLine['problem']>, string>> = {
  'not-an-id': 'Skipped: not an ID',
  'not-a-type': 'Skipped: unknown type',
  'not-a-group': 'Skipped: not an ad group ID',
  repeated: 'Skipped: repeated line',
};

/** Texts of known ids, and of campaigns that are added by their ids. */
export const enCampaignIds = {
  addTitle: 'Add campaigns by ID',
  lead: 'For campaigns created outside Adslate. Paste campaign IDs, one per line, or a table with ID, name, type and ad group ID.',
  lines: 'Campaign IDs, one per line',
  example: '123456789\n123456790\tSpring towels\tsba\t223456790',
  preview: 'Lines',
  line: 'Line',
  id: 'ID',
  adGroup: 'Ad group',
  name: 'Name',
  becomes: 'Result',
  isNew: 'New: will be looked up',
  isHere: 'Already in this account: empty fields are filled in',
  problems: PROBLEMS,
  tooLong: (max: number) => `You can add up to ${countText(max)} campaigns at once. Paste the rest afterwards.`,
  add: (n: number) => (n === 0 ? 'Look up campaigns' : `Look up ${plural(n, 'campaign')}`),
  adding: 'Looking up campaigns…',
  outcomes: OUTCOMES,
  added: (n: number) => (n === 0 ? 'No campaign was added.' : `${plural(n, 'campaign')} added.`),
  withoutGroup: (ids: readonly string[]) =>
    `No ad group found for ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? '…' : ''}. ${ids.length === 1 ? 'Paste the campaign again with its ad group ID to load its contents.' : 'Paste the campaigns again with their ad group IDs to load their contents.'}`,
  stopped: (why: string) => `Lookup stopped: ${why}`,
  unread: 'Budgets and dates that the service does not report stay empty and are not sent.',
  again: 'Paste more',
  backToSheet: 'Back to import',
  addReported: 'Add campaign…',
  knownTitle: 'Campaign IDs',
  knownLead:
    'Every campaign ID and ad group ID of this account, with its source and the last confirmation by the service.',
  search: 'Search IDs',
  list: 'Campaign IDs',
  kind: 'Kind',
  kinds: { campaign: 'Campaign', adGroup: 'Ad group' },
  source: 'Source',
  sources: SOURCES,
  confirmed: 'Last confirmed',
  never: 'Never',
  gone: 'No longer in this account',
  count: (n: number) => plural(n, 'ID'),
  first: (shown: number) => `Showing the first ${countText(shown)}. Search to see others.`,
  none: 'No IDs yet',
  noneText: 'IDs appear here when you sync, refresh or add campaigns by ID.',
  noMatch: 'No matching IDs',
  noMatchText: 'Search by ID, name or campaign.',
  looking: 'Loading…',
} as const;
