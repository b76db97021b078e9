import type { AddCampaignOutcome, RemoteIdEntry } from '../../shared/api/campaigns.ts';
import type { CampaignLine } from '../../shared/item-ids/campaign-lines.ts';
import { countText, plural } from './numbers.ts';

const SOURCES: Readonly<Record<RemoteIdEntry['source'], string>> = {
  made: 'Sent from here',
  typed: 'Added by hand',
  pasted: 'Pasted',
  sheet: 'A sheet',
  report: 'A report',
  list: 'List of the service',
};

const OUTCOMES: Readonly<Record<AddCampaignOutcome['outcome'], string>> = {
  added: 'Added and read',
  known: 'Known already',
  'not-found': 'Not on the service, or not shown to this account. Not kept.',
  'other-campaign': 'Belongs to another campaign. Not kept.',
  'second-group': 'Not kept: the campaign has an ad group already and takes one only.',
  unsettled: 'Not kept: something sent from here is not settled, and this may be it. Sync first.',
  refused: 'Refused',
  'not-asked': 'Not asked about. Try again.',
};

const PROBLEMS: Readonly<Record<NonNullable<CampaignLine['problem']>, string>> = {
  'not-an-id': 'Not an id: left out',
  'not-a-type': 'No such type: left out',
  'not-a-group': 'The ad group id is none: left out',
  repeated: 'Stands above already',
};

/** Texts of known ids, and of campaigns that are added by their ids. */
export const enCampaignIds = {
  addTitle: 'Add campaigns by id',
  lead: 'For campaigns made elsewhere, which the service may not list. Paste a column of campaign ids, or a table: id, name, type, ad group id.',
  lines: 'Campaign ids, one a line',
  example: '123456789\n123456790\tSpring towels\tsba\t223456790',
  preview: 'Lines',
  line: 'Line',
  id: 'Id',
  adGroup: 'Ad group',
  name: 'Name',
  becomes: 'What becomes of it',
  isNew: 'New: will be looked for',
  isHere: 'Known already: what is empty is filled in',
  problems: PROBLEMS,
  tooLong: (max: number) => `Only up to ${countText(max)} campaigns at once. Paste the rest afterwards.`,
  add: (n: number) => (n === 0 ? 'Look for them' : `Look for ${plural(n, 'campaign')}`),
  adding: 'Asking the service…',
  outcomes: OUTCOMES,
  added: (n: number) => (n === 0 ? 'No campaign was added.' : `${plural(n, 'campaign')} added.`),
  withoutGroup: (ids: readonly string[]) =>
    `No ad group is known of ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? '…' : ''}. Paste the campaign again with its ad group id to read what hangs there.`,
  stopped: (why: string) => `The service could not be asked about all of them: ${why}`,
  unread: 'Budgets and dates that the service does not show stay unknown; nothing of them is sent.',
  again: 'Paste more',
  backToSheet: 'Back to the sheet',
  addReported: 'Add this campaign…',
  knownTitle: 'Known ids',
  knownLead:
    'Campaigns and ad groups this account was ever told, where each id came from, and when the service last answered for it.',
  search: 'Search known ids',
  list: 'Known ids',
  kind: 'Kind',
  kinds: { campaign: 'Campaign', adGroup: 'Ad group' },
  source: 'From',
  sources: SOURCES,
  confirmed: 'Last confirmed',
  never: 'Never',
  gone: 'Not in the account any more',
  count: (n: number) => plural(n, 'id'),
  first: (shown: number) => `The first ${countText(shown)}. Search to see others.`,
  none: 'No id is known yet',
  noneText: 'Ids come here by syncs, by the list of the service where it has one, and by adding them.',
  noMatch: 'No known id matches',
  noMatchText: 'Search by id, name or campaign.',
  looking: 'Looking…',
} as const;
