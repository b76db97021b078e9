import {
  type ColumnMapping,
  type Heading,
  matchColumns,
  type NamedColumn,
  NO_MAPPING,
  namedColumns,
} from './column-mapping.ts';
import { FIELD_OF } from './columns.ts';

/**
 * Converts exports of other editors to rows of our spreadsheet: the CSV of Google Ads Editor, and the bulksheet of Amazon
 * for Sponsored Products. Line numbers stay the same, so that problems name the right line; data without an equivalent
 * is reported and skipped.
 *
 *   header --known?--> program --rows--> entries (campaign, ad group, keyword) --> rows of our spreadsheet, line by line
 *
 * A campaign has one ad group here, so each further ad group becomes a campaign with the same settings.
 */
export const FOREIGN_PROGRAMS = { 'google-ads': 'Google Ads Editor', amazon: 'Amazon Sponsored Products' } as const;
export type ForeignProgram = keyof typeof FOREIGN_PROGRAMS;

export interface ForeignReport {
  readonly program: ForeignProgram;
  /** The columns that were read, and their target; null for one that only determines the type of the row. */
  readonly columns: readonly { readonly from: string; readonly to: string | null }[];
  /** Columns with something in them that were not used. */
  readonly unused: readonly NamedColumn[];
  /** Why rows were skipped, with their number and the first lines. */
  readonly skipped: readonly { readonly reason: string; readonly count: number; readonly lines: readonly number[] }[];
  /** Number of ad groups that became separate campaigns. */
  readonly split: number;
}

export interface ConvertedSheet {
  /** Our header, then one row per line; skipped rows are empty. Additional campaigns are at the end. */
  readonly rows: readonly (readonly string[])[];
  /** Mapping of its columns: ours by name, then those of the file that the user maps. */
  readonly headings: readonly Heading[];
  /** The index in a row of the cell that a cell of the file became; null for an unused one. */
  readonly placeOf: (at: number) => number | null;
  readonly report: ForeignReport;
}

const HEADER = [
  'Type',
  'Campaign',
  'Ad group',
  'Campaign type',
  'Targeting',
  'Status',
  'Total budget',
  'Daily budget',
  'Start',
  'End',
  'Bid',
  'Keyword',
  'Match type',
] as const;
type OurColumn = (typeof HEADER)[number];
/** Cells by our columns, and those of columns mapped by the user by their index in the file. */
type OurRow = Partial<Record<OurColumn | number, string>>;

/** Possible types of converted lines. */
export const CONVERTED_KINDS = ['campaign', 'adGroup', 'keyword'] as const;

/** A line of either program, in our terms. */
interface Entry {
  readonly line: number;
  readonly is: (typeof CONVERTED_KINDS)[number];
  /** Key of campaign and ad group in the file. */
  readonly campaign: string;
  readonly group: string;
  readonly cells: OurRow;
}

/** A column of the file that the conversion does not use, with the user's mapping. */
type FreeColumn = Heading & { readonly at: number };

type Read = Entry | { readonly skipped: string };

/** Digits are part of a name: `Bid 2` is not `Bid`. */
const key = (header: string): string => header.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The program of an export with this header; null for a spreadsheet of ours or of an unknown program. */
export function foreignProgram(header: readonly string[]): ForeignProgram | null {
  const has = new Set(header.map(key));
  if (['product', 'entity', 'operation', 'campaignid'].every((name) => has.has(name))) return 'amazon';
  const isGoogle = has.has('campaign') && has.has('adgroup') && !has.has('type');
  return isGoogle && (has.has('criteriontype') || has.has('campaignstatus')) ? 'google-ads' : null;
}

/**
 * @param lines all lines of the file, the header first
 * @param mapping the user's mapping of columns that the conversion does not use
 */
export function convertForeign(
  program: ForeignProgram,
  lines: readonly (readonly string[])[],
  mapping: ColumnMapping = NO_MAPPING,
): ConvertedSheet {
  const [header = []] = lines;
  const used = new Map<number, OurColumn | null>();
  const filled = new Set<number>();
  const skipped = new Map<string, number[]>();
  const entries: Entry[] = [];
  const reader = READERS[program];
  // Looked up once: a file may have a hundred columns and many thousand lines. Of equal headings the first counts.
  const places = new Map(header.map((heading, at) => [key(heading), at] as const).toReversed());
  lines.forEach((cells, at) => {
    if (at === 0 || cells.every((cell) => cell.trim() === '')) return;
    cells.forEach((cell, column) => {
      if (cell.trim() !== '') filled.add(column);
    });
    const read = reader(new Line(at + 1, places, cells, used));
    if (!('skipped' in read)) entries.push(read);
    else if (skipped.get(read.skipped)?.push(at + 1) === undefined) skipped.set(read.skipped, [at + 1]);
  });
  const named = namedColumns(header.map((heading) => heading.trim()));
  const left = named.flatMap((column, at) => (used.has(at) || column.heading === '' ? [] : [{ ...column, at }]));
  // A column of ours that stays empty can be the target of one that the user maps.
  const written = placed(entries);
  const all = [...written.rows.values(), ...written.extra];
  const ours = HEADER.filter((column) => column === 'Type' || all.some((row) => (row[column] ?? '') !== ''));
  // Columns that the conversion skips are not mapped by name: they are skipped for a reason.
  const free = matchColumns(left, mapping, () => null, ours).flatMap((found, i): readonly FreeColumn[] => {
    const at = left[i]?.at;
    return at === undefined ? [] : [{ ...found, at }];
  });
  const mapped = free.filter(({ by }) => by !== 'none');
  const { rows, extra, split } =
    mapped.length === 0
      ? written
      : placed(entries.map((entry) => withMapped(entry, lines[entry.line - 1] ?? [], mapped)));
  const unused = free.flatMap(({ heading, nth, at, by }) =>
    by === 'none' && filled.has(at) ? [{ heading, nth }] : [],
  );
  const headings: readonly Heading[] = [
    ...ours.map((column) => ({ heading: column, nth: null, column, by: 'name' as const })),
    ...mapped.map(({ at: _, ...heading }) => heading),
  ];
  const columns: readonly (OurColumn | number)[] = [...ours, ...mapped.map(({ at }) => at)];
  const cellsOf = (row: OurRow = {}): readonly string[] => columns.map((column) => row[column] ?? '');
  return {
    rows: [
      headings.map(({ heading }) => heading),
      ...lines.slice(1).map((_, at) => cellsOf(rows.get(at + 2))),
      ...extra.map(cellsOf),
    ],
    headings,
    placeOf: (at) => {
      const place = columns.indexOf(used.get(at) ?? at);
      return place < 0 ? null : place;
    },
    report: {
      program,
      columns: [...used].map(([at, to]) => ({ from: header[at] ?? '', to })),
      unused,
      skipped: [...skipped].map(([reason, at]) => ({ reason, count: at.length, lines: at.slice(0, SHOWN_LINES) })),
      split,
    },
  };
}
const SHOWN_LINES = 20;

/** The entry with the cells of mapped columns, if its kind has such a field. */
function withMapped(entry: Entry, cells: readonly string[], mapped: readonly FreeColumn[]): Entry {
  const filled = mapped.filter(({ column }) => column !== null && FIELD_OF[entry.is][column] !== undefined);
  const more = Object.fromEntries(filled.map(({ at }) => [at, cells[at] ?? '']));
  return filled.length === 0 ? entry : { ...entry, cells: { ...entry.cells, ...more } };
}

/** Assigns each ad group to a campaign: the first keeps the name, each further one gets a separate campaign. */
function placed(entries: readonly Entry[]) {
  const campaigns = new Map<string, OurRow>();
  const groups = new Map<string, Map<string, OurRow>>();
  for (const { is, campaign, group, cells } of entries) {
    if (is === 'campaign') campaigns.set(campaign, cells);
    else {
      const known = groups.get(campaign) ?? new Map<string, OurRow>();
      groups.set(campaign, known.set(group, is === 'adGroup' ? cells : (known.get(group) ?? {})));
    }
  }
  const nameOf = (campaign: string, group: string): string => {
    const name = campaigns.get(campaign)?.['Campaign'] ?? campaign;
    const [first] = groups.get(campaign)?.keys() ?? [];
    return first === undefined || first === group
      ? name
      : `${name} / ${groups.get(campaign)?.get(group)?.['Ad group'] ?? group}`;
  };
  const rows = new Map<number, OurRow>();
  for (const { line, is, campaign, group, cells } of entries) {
    const [first = ''] = groups.get(campaign)?.keys() ?? [];
    const of = nameOf(campaign, is === 'campaign' ? first : group);
    const own = groups.get(campaign)?.get(group) ?? {};
    if (is === 'campaign') rows.set(line, { ...campaignRow(cells), Campaign: of });
    else if (is === 'adGroup') {
      const { Bid: _, ...rest } = cells;
      rows.set(line, { ...rest, Type: 'ad group', Campaign: of, 'Ad group': cells['Ad group'] ?? group });
    } else {
      const bid = cells.Bid === undefined || cells.Bid === '' ? (own.Bid ?? '') : cells.Bid;
      rows.set(line, { ...cells, Type: 'keyword', Campaign: of, 'Ad group': own['Ad group'] ?? group, Bid: bid });
    }
  }
  const extra: OurRow[] = [];
  let split = 0;
  for (const [campaign, inside] of groups) {
    const cells = campaigns.get(campaign);
    [...inside.keys()].forEach((group, at) => {
      if (at > 0) split++;
      // An ad group or a keyword whose campaign is not in the file may belong to an existing one.
      if (at > 0 && cells !== undefined) extra.push({ ...campaignRow(cells), Campaign: nameOf(campaign, group) });
    });
  }
  return { rows, extra, split };
}

const campaignRow = (cells: OurRow): OurRow => ({
  ...cells,
  Type: 'campaign',
  'Campaign type': 'sponsoredProducts',
  Targeting: cells.Targeting ?? 'manual',
});

/** One line with its cells by the names of their columns; which were used is noted. */
class Line {
  readonly number: number;
  readonly #places: ReadonlyMap<string, number>;
  readonly #cells: readonly string[];
  readonly #used: Map<number, OurColumn | null>;

  constructor(
    number: number,
    places: ReadonlyMap<string, number>,
    cells: readonly string[],
    used: Map<number, OurColumn | null>,
  ) {
    this.number = number;
    this.#places = places;
    this.#cells = cells;
    this.#used = used;
  }

  /** The first filled cell of these columns. @param to its target; null for a cell that only decides */
  get(names: readonly string[], to: OurColumn | null = null): string {
    for (const name of names) {
      const at = this.#places.get(name) ?? -1;
      const cell = this.#cells[at]?.trim() ?? '';
      if (cell === '') continue;
      this.#used.set(at, to ?? this.#used.get(at) ?? null);
      return cell;
    }
    return '';
  }
}

const NEGATIVE = 'Negative keywords are not available here.';
const REMOVED = 'Removed or archived rows were left out.';
const MATCHES: Readonly<Record<string, string>> = { broad: 'broad', phrase: 'phrase', exact: 'exact' };
const isGone = (state: string): boolean => /removed|deleted|archived/i.test(state);
const stateOf = (text: string, off: string): string => (/paus|disab/i.test(text) ? off : 'enabled');

/** `20240131` as `2024-01-31`; any other text stays, and is read later in the order of the file's dates. */
function dayOf(text: string): string {
  const plain = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (plain !== null) return `${plain[1]}-${plain[2]}-${plain[3]}`;
  return text === '[]' ? '' : text;
}

/** `[exact]`, `"phrase"` and `+broad +modified` of older exports, without their signs. */
const plainKeyword = (text: string): string =>
  text
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^"(.*)"$/, '$1')
    .replace(/(^|\s)\+/g, '$1')
    .trim();

const READERS: Readonly<Record<ForeignProgram, (line: Line) => Read>> = {
  'google-ads': readGoogle,
  amazon: readAmazon,
};

function readGoogle(line: Line): Read {
  const campaign = line.get(['campaign'], 'Campaign');
  const group = line.get(['adgroup'], 'Ad group');
  const keyword = line.get(['keyword'], 'Keyword');
  const at = { line: line.number, campaign, group };
  if (campaign === '') return { skipped: 'Rows without a campaign are settings of the account.' };
  if (keyword !== '') {
    const match = line.get(['criteriontype', 'matchtype'], 'Match type').toLowerCase();
    if (match.includes('negative')) return { skipped: NEGATIVE };
    const known = MATCHES[match];
    if (known === undefined) return { skipped: `The match type "${match}" is not available here.` };
    const state = line.get(['status'], 'Status');
    if (isGone(state)) return { skipped: REMOVED };
    const cells = { Keyword: plainKeyword(keyword), 'Match type': known, Status: stateOf(state, 'paused') };
    return { ...at, is: 'keyword', cells: { ...cells, Bid: line.get(['maxcpc'], 'Bid') } };
  }
  if (group === '') {
    if (line.get(['budget']) === '' && line.get(['campaigntype', 'campaignstatus']) === '')
      return { skipped: 'Locations, extensions and other settings of campaigns are not available here.' };
    const type = line.get(['campaigntype']);
    if (type !== '' && !/search|shopping/i.test(type)) return { skipped: `${type} campaigns are not available here.` };
    const state = line.get(['campaignstatus', 'status'], 'Status');
    if (isGone(state)) return { skipped: REMOVED };
    const isTotal = /total/i.test(line.get(['budgettype']));
    const budget = line.get(['budget', 'campaigndailybudget'], isTotal ? 'Total budget' : 'Daily budget');
    const cells: OurRow = {
      Campaign: campaign,
      Status: stateOf(state, 'paused'),
      [isTotal ? 'Total budget' : 'Daily budget']: budget,
      Start: dayOf(line.get(['startdate'], 'Start')),
      End: dayOf(line.get(['enddate'], 'End')),
    };
    return { ...at, is: 'campaign', cells };
  }
  if (line.get(['headline1', 'headline', 'finalurl', 'adtype']) !== '')
    return { skipped: 'Ads are not available here: items and profiles take their place.' };
  if (line.get(['maxcpc', 'adgroupstatus', 'adgrouptype']) === '')
    return { skipped: 'Audiences and other settings of ad groups are not available here.' };
  const state = line.get(['adgroupstatus', 'status'], 'Status');
  if (isGone(state)) return { skipped: REMOVED };
  const cells = { 'Ad group': group, Status: stateOf(state, 'disabled'), Bid: line.get(['maxcpc'], 'Bid') };
  return { ...at, is: 'adGroup', cells };
}

function readAmazon(line: Line): Read {
  const product = line.get(['product']);
  if (product !== '' && !/sponsored products/i.test(product)) return { skipped: `${product} is not available here.` };
  const entity = line.get(['entity'], 'Type').toLowerCase();
  const campaign = line.get(['campaignid'], 'Campaign') || line.get(['campaignname'], 'Campaign');
  const group = line.get(['adgroupid'], 'Ad group') || line.get(['adgroupname'], 'Ad group');
  const state = line.get(['state'], 'Status');
  const at = { line: line.number, campaign, group };
  if (campaign === '') return { skipped: 'Rows without a campaign were left out.' };
  if (isGone(state)) return { skipped: REMOVED };
  switch (entity) {
    case 'campaign': {
      const name = line.get(['campaignname', 'campaignnameinformationalonly'], 'Campaign') || campaign;
      const cells = {
        Campaign: name,
        Targeting: /auto/i.test(line.get(['targetingtype'], 'Targeting')) ? 'auto' : 'manual',
        Status: stateOf(state, 'paused'),
        'Daily budget': line.get(['dailybudget', 'budget'], 'Daily budget'),
        Start: dayOf(line.get(['startdate'], 'Start')),
        End: dayOf(line.get(['enddate'], 'End')),
      };
      return { ...at, is: 'campaign', cells };
    }
    case 'ad group': {
      const name = line.get(['adgroupname', 'adgroupnameinformationalonly'], 'Ad group') || group;
      const bid = line.get(['adgroupdefaultbid', 'bid'], 'Bid');
      return { ...at, is: 'adGroup', cells: { 'Ad group': name, Status: stateOf(state, 'disabled'), Bid: bid } };
    }
    case 'keyword': {
      const match = line.get(['matchtype'], 'Match type').toLowerCase();
      const known = MATCHES[match];
      if (known === undefined) return { skipped: `The match type "${match}" is not available here.` };
      const text = plainKeyword(line.get(['keywordtext'], 'Keyword'));
      const cells = { Keyword: text, 'Match type': known, Status: stateOf(state, 'paused') };
      return { ...at, is: 'keyword', cells: { ...cells, Bid: line.get(['bid'], 'Bid') } };
    }
    case 'product ad':
      return { skipped: 'Product ads name items of the other marketplace. Add the items from item search.' };
    case 'negative keyword':
    case 'campaign negative keyword':
      return { skipped: NEGATIVE };
    case 'bidding adjustment':
      return { skipped: 'Placements differ here. Set bid multipliers after the import.' };
    default:
      return { skipped: `"${entity}" rows are not available here.` };
  }
}
