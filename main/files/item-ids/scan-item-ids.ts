import { writeFile } from 'node:fs/promises';
import type { AcceptedIds, DamagedItemId } from '../../../shared/api/items.ts';
import {
  type DamagedId,
  damagedId,
  type IdEvidence,
  type IdForm,
  type SearchedItem,
  suggestItemIds,
  withItemDetails,
} from '../../../shared/item-ids/damaged-ids.ts';
import type { FileRefusal } from '../../../shared/media/file-refusal.ts';
import { formatCell } from '../../../shared/model/cell-text.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { lineText } from '../../../shared/model/text.ts';
import { ok, type Result } from '../../../shared/result.ts';
import { ERASE, guardCell } from '../../../shared/spreadsheet/cell-guard.ts';
import { columnOf } from '../../../shared/spreadsheet/columns.ts';
import type { FoundItem } from '../../api/item-search.ts';
import type { ReadFailure } from '../../api/request-outcome.ts';
import type { ItemProvenance } from '../../store/outbox/inspect.ts';
import { csvLine, isBlankRow } from '../spreadsheet/csv.ts';
import { readSheetRows } from '../spreadsheet/read-sheet.ts';

/** An item id where it occurs: in a row of the workspace, or on a line of a sheet. */
export interface IdLocation {
  readonly text: string;
  readonly id: RowId | null;
  readonly line: number | null;
  readonly campaign: string;
  readonly name: string | null;
}

type Search = (
  wanted: { readonly text: string } | { readonly ids: readonly string[] },
) => Promise<Result<readonly FoundItem[], ReadFailure>>;

/** Most elements in a response of the search (wire shapes, section 5, "Ad items"). */
const IDS_AT_ONCE = 200;
/** Searches by name in one scan: each is a separate call. */
const NAMES_MAX = 25;
const PLACES_NAMED = 5;

/** Checks IDs and finds the intended ones as far as possible. */
export async function scanIds(places: readonly IdLocation[], provenance: ItemProvenance, form: IdForm, search: Search) {
  const byText = Map.groupBy(places, ({ text }) => text);
  const cases = [...byText.keys()].flatMap((text) => damagedId(text, form) ?? []);
  const asking = askFor(search);
  const searched = await asking.byIds(cases.flatMap(({ ask }) => ask));
  const evidence: IdEvidence = {
    renamed: new Map(provenance.renamed.map(({ from, to }) => [from, to])),
    known: new Map(provenance.known.map(({ itemId, name }) => [itemId, name])),
    searched,
  };
  const damaged: DamagedItemId[] = [];
  for (const one of cases) {
    const found = byText.get(one.text) ?? [];
    const name = found.find((place) => place.name !== null)?.name ?? null;
    let proposal = suggestItemIds(one, evidence, [], name);
    if (proposal.itemId === null && name !== null) {
      proposal = suggestItemIds(one, evidence, await asking.byName(name), name);
    }
    const candidates = [...proposal.candidates];
    damaged.push({ ...placesOf(one, found), candidates, proposed: proposal.itemId });
  }
  return { ids: byText.size, damaged: await withFacts(damaged, asking), notSearched: asking.failure() };
}

/** Looks up candidates of other sources as well, so that the user can tell them apart. */
async function withFacts(damaged: readonly DamagedItemId[], { byIds }: Asking): Promise<readonly DamagedItemId[]> {
  const untold = damaged.flatMap(({ candidates }) => candidates.filter(({ facts }) => facts === undefined));
  const told = await byIds(untold.map(({ itemId }) => itemId));
  return damaged.map((one) => ({
    ...one,
    candidates: one.candidates.map((candidate) => withItemDetails(candidate, told.get(candidate.itemId))),
  }));
}

function placesOf({ text, damage }: DamagedId, found: readonly IdLocation[]) {
  const first = found.slice(0, PLACES_NAMED).map(({ id, line, campaign }) => ({ id, line, campaign }));
  return { itemId: text, damage, rows: found.length, first };
}

type Asking = ReturnType<typeof askFor>;

/** Searches until the first failure; later calls are skipped. */
function askFor(search: Search) {
  let failed: string | null = null;
  let names = 0;
  const byName = new Map<string, readonly FoundItem[]>();
  const ask = async (wanted: Parameters<Search>[0]): Promise<readonly FoundItem[]> => {
    if (failed !== null) return [];
    const answer = await search(wanted);
    if (answer.ok) return answer.value.filter(({ verdict }) => verdict === 'found');
    failed = answer.error.kind === 'unreachable' ? answer.error.cause : answer.error.message;
    return [];
  };
  return {
    failure: () => failed,
    byIds: async (ids: readonly string[]): Promise<ReadonlyMap<string, SearchedItem>> => {
      const wanted = [...new Set(ids)];
      const found = new Map<string, SearchedItem>();
      for (let at = 0; at < wanted.length; at += IDS_AT_ONCE) {
        for (const item of await ask({ ids: wanted.slice(at, at + IDS_AT_ONCE) })) found.set(item.itemId, item);
      }
      return found;
    },
    byName: async (name: string): Promise<readonly FoundItem[]> => {
      const known = byName.get(name);
      if (known !== undefined || names >= NAMES_MAX) return known ?? [];
      names++;
      const found = await ask({ text: name });
      byName.set(name, found);
      return found;
    },
  };
}

/**
 * The item ID format of an account: from its record, else from the items that the service lists.
 *
 * @param migrated the recorded status of the account; null if unknown
 * @param today and @param cutover `yyyy-MM-dd` in the business zone (document, "Versioning", cutover)
 */
export function accountIdFormat(
  migrated: boolean | null,
  { known, renamed }: ItemProvenance,
  today: string,
  cutover: string,
): IdForm {
  const hasNew = renamed.length > 0 || known.some(({ itemId }) => /^\d{10}$/.test(itemId));
  const hasOld = known.some(({ itemId }) => itemId.startsWith('prod'));
  const isOver = migrated ?? (hasNew ? true : null);
  const oldIsOver = isOver === true || today >= cutover;
  return { oldIsOver, newIsEarly: !oldIsOver && (isOver === false || hasOld) };
}

/** One item ID of a spreadsheet; `line` in the numbering of spreadsheet programs. */
interface SheetId {
  readonly text: string;
  readonly line: number;
  readonly campaign: string;
}

/** Reads the cells under `Item id` unchanged. Nothing else of the spreadsheet is checked here. */
export async function readSheetIds(path: string): Promise<Result<readonly SheetId[], FileRefusal>> {
  const ids: SheetId[] = [];
  const read = await eachRow(path, (cells, line, { item, campaign }) => {
    const text = cells[item] ?? '';
    if (text.trim() !== '' && text.trim() !== ERASE) ids.push({ text, line, campaign: (cells[campaign] ?? '').trim() });
  });
  return read.ok ? ok(ids) : read;
}

/**
 * Writes the spreadsheet as CSV with replaced IDs; every other cell stays unchanged.
 *
 * @param replace the replacement of an ID, or null to keep it
 * @returns the number of replaced cells
 */
export async function writeRepairedSheet(
  path: string,
  target: string,
  replace: (text: string) => string | null,
): Promise<Result<number, FileRefusal>> {
  const lines: string[] = ['\uFEFF'];
  let replaced = 0;
  const read = await eachRow(
    path,
    (cells, _line, { item }) => {
      const id = replace(cells[item] ?? '');
      if (id !== null) replaced++;
      lines.push(csvLine(id === null ? cells : cells.with(item, id), ','));
    },
    (cells) => void lines.push(csvLine(cells, ',')),
  );
  if (!read.ok) return read;
  await writeFile(target, lines, { mode: 0o600 });
  return ok(replaced);
}

interface Places {
  readonly item: number;
  /** -1 if the spreadsheet has no such column; reading there gives nothing. */
  readonly campaign: number;
}

/** Passes on the rows below the header that have a cell for an item ID; all others go to `other`. */
async function eachRow(
  path: string,
  take: (cells: readonly string[], line: number, places: Places) => void,
  other: (cells: readonly string[]) => void = () => undefined,
): ReturnType<typeof readSheetRows> {
  let places: Places | null = null;
  let line = 0;
  return readSheetRows(path, (cells) => {
    line++;
    if (places !== null && places.item >= 0 && cells.length > places.item) return take(cells, line, places);
    if (places === null && !isBlankRow(cells)) places = placesIn(cells);
    other(cells);
  });
}

function placesIn(header: readonly string[]): Places {
  const columns = header.map((cell) => columnOf(cell.trim()));
  return { item: columns.indexOf('Item id'), campaign: columns.indexOf('Campaign') };
}

const HEADER = [
  'Item id',
  'Problem',
  'Rows',
  'First place',
  'Replaced by',
  'Item name',
  'Suggested bid',
  'Item page',
  'Picture',
  'Found by',
  'Other candidates',
];

const PROBLEM: Readonly<Record<DamagedItemId['damage'], string>> = {
  legacy: 'old format',
  'too-new': 'new format, but the account is not migrated yet',
  scientific: 'scientific notation',
  'decimal-ending': 'decimal number',
  grouped: 'number with thousands separators',
  marked: 'extra characters or spaces',
  'lost-zeros': 'fewer than 10 digits',
  'too-long': 'more than 10 digits',
  unreadable: 'not recognizable',
};
const FOUND_BY: Readonly<Record<DamagedItemId['candidates'][number]['source'], string>> = {
  service: 'from the service',
  search: 'item search, by ID',
  account: 'from this account',
  name: 'item search, by name',
};

/** One row for each damaged ID with its replacement, for colleagues of the same advertiser. */
export function mappingRows(damaged: readonly DamagedItemId[], accepted: AcceptedIds): readonly (readonly string[])[] {
  const byId = new Map(accepted.map(({ from, to }) => [from, to]));
  const rows = damaged.map(({ itemId, damage, rows: count, first, candidates }) => {
    const to = byId.get(itemId);
    const taken = candidates.find((candidate) => candidate.itemId === to);
    const others = candidates.filter((candidate) => candidate !== taken).map((candidate) => candidate.itemId);
    const foundBy = to === undefined ? 'not replaced' : taken === undefined ? 'typed' : FOUND_BY[taken.source];
    return [
      itemId,
      PROBLEM[damage],
      String(count),
      placeOf(first),
      to ?? '',
      taken?.name ?? '',
      formatCell('adItem', 'bid', taken?.facts?.suggestedBidCents ?? null),
      taken?.facts?.pageUrl ?? '',
      taken?.facts?.imageUrl ?? '',
      foundBy,
      others.join(' '),
    ];
  });
  return [HEADER, ...rows.map((row) => row.map(guardCell))];
}

function placeOf([first]: DamagedItemId['first']): string {
  if (first === undefined) return '';
  return [first.campaign, first.line === null ? '' : lineText(first.line)].filter((part) => part !== '').join(', ');
}
