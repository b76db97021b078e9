import { FIELDS } from '../model/fields.ts';
import { type RemoteId, remoteId } from '../model/scalars.ts';

type CampaignType = (typeof FIELDS.campaign.campaignType.type.choices)[number];
type Column = 'id' | 'name' | 'type' | 'adGroup';

/** One line of a pasted column or table of campaign ids. */
export interface CampaignLine {
  /** Counts from 1, as an editor does. */
  readonly line: number;
  /** The text in place of the ID, for display. */
  readonly text: string;
  readonly id: RemoteId | null;
  readonly name: string | null;
  readonly type: CampaignType | null;
  readonly adGroup: RemoteId | null;
  /** Why the line is skipped; null when it can be used. */
  readonly problem: 'not-an-id' | 'not-a-type' | 'not-a-group' | 'repeated' | null;
}

/** Accepted names of the four columns; spaces, case and symbols do not count. */
const NAMES: Readonly<Record<string, Column>> = {
  id: 'id',
  campaignid: 'id',
  name: 'name',
  campaign: 'name',
  campaignname: 'name',
  type: 'type',
  campaigntype: 'type',
  adgroupid: 'adGroup',
  adgroup: 'adGroup',
};
const IN_ORDER: readonly Column[] = ['id', 'name', 'type', 'adGroup'];

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** The types by their loose spelling: "Sponsored products" as well as "sponsoredProducts". */
const TYPES = new Map(FIELDS.campaign.campaignType.type.choices.map((type) => [plain(type), type]));

/**
 * Reads campaign IDs: alone, one per line or several with separators between them, or as a table with the columns id,
 * name, type and ad group id. A header line names the columns; without it they have that order. Empty lines are skipped.
 *
 * @param table cells as pasted or read from a file, line by line
 */
export function campaignLines(table: readonly (readonly string[])[]): readonly CampaignLine[] {
  const headed = headerOf(table[0] ?? []);
  const columns = headed ?? IN_ORDER;
  const seen = new Set<string>();
  // A name may be a number, so cells side by side are IDs only where nothing else is in the table.
  const isBare =
    headed === null && table.every((cells) => cells.length > 0 && cells.every((cell) => idsIn(cell) !== null));
  return table.flatMap((cells, at) => {
    const isBlank = cells.every((cell) => cell.trim() === '');
    if (isBlank || (at === 0 && headed !== null)) return [];
    const ids = cells.length === 1 || isBare ? idsIn(cells.join(' ')) : null;
    const parts = ids === null ? [cells] : ids.map((id) => [id]);
    return parts.map((part) => {
      const line = lineOf(part, ids === null ? columns : IN_ORDER, at + 1);
      const key = `${line.id} ${line.adGroup}`;
      if (line.problem !== null) return line;
      if (seen.has(key)) return { ...line, problem: 'repeated' as const };
      seen.add(key);
      return line;
    });
  });
}

/** IDs separated by spaces, commas or semicolons; null for any other text, and for a number such as 1,234,567. */
function idsIn(cell: string): readonly string[] | null {
  const texts = [...new Set(cell.split(/[\s,;]+/u).filter((text) => text !== ''))];
  const isGrouped = /^\d{1,3}(?:,\d{3})+$/u.test(cell.trim());
  return texts.length > 0 && !isGrouped && texts.every((text) => remoteId(text) !== null) ? texts : null;
}

/** The columns of a header line; null when the first line has values already. */
function headerOf(cells: readonly string[]): readonly (Column | null)[] | null {
  const columns = cells.map((cell) => NAMES[plain(cell)] ?? null);
  const holdsId = cells.some((cell) => remoteId(cell) !== null);
  return !holdsId && columns.includes('id') ? columns : null;
}

function lineOf(cells: readonly string[], columns: readonly (Column | null)[], line: number): CampaignLine {
  const cell = (column: Column): string => {
    const at = columns.indexOf(column);
    return at < 0 ? '' : (cells[at] ?? '').trim();
  };
  const [text, name, typeText, groupText] = [cell('id'), cell('name'), cell('type'), cell('adGroup')];
  const id = remoteId(text);
  const type = TYPES.get(plain(typeText)) ?? null;
  const adGroup = remoteId(groupText);
  const problem = firstOf([
    ['not-an-id', id === null],
    ['not-a-type', typeText !== '' && type === null],
    ['not-a-group', groupText !== '' && adGroup === null],
  ]);
  return { line, text, id, name: name === '' ? null : name, type, adGroup, problem };
}

const firstOf = (all: readonly (readonly [CampaignLine['problem'], boolean])[]): CampaignLine['problem'] =>
  all.find(([, holds]) => holds)?.[0] ?? null;

/** The campaigns of the lines without a problem, to be added; a campaign may occur once for each of its groups. */
export const campaignsOf = (lines: readonly CampaignLine[]) =>
  lines.flatMap(({ id, name, type, adGroup, problem }) =>
    id === null || problem !== null
      ? []
      : [{ id, name, campaignType: type, targetingType: null, adGroups: adGroup === null ? [] : [adGroup] }],
  );
