/**
 * Item IDs that can't be sent as they are: of the other form (document, "Versioning"), or changed by a spreadsheet
 * program.
 *
 *   legacy          prod4455          the account has been migrated
 *   too-new         0012345678        the account has not been migrated yet
 *   scientific      3.95287E+09       digits beyond the displayed ones are lost
 *   decimal-ending  395287012.0       read as a number
 *   grouped         3,952,870,123     read as a number and displayed with separators
 *   marked          '0012345678       symbols, spaces or letters around the ID
 *   lost-zeros      12345678          fewer than 10 digits: zeros in front, or digits at an end
 *   too-long        00012345678       more than 10 digits
 *   unreadable      item 5            no ID can be recognized
 */
export const ID_DAMAGES = [
  'legacy',
  'too-new',
  'scientific',
  'decimal-ending',
  'grouped',
  'marked',
  'lost-zeros',
  'too-long',
  'unreadable',
] as const;
export type IdDamage = (typeof ID_DAMAGES)[number];

export interface DamagedId {
  readonly text: string;
  readonly damage: IdDamage;
  /** IDs to search for. None of them is used unless the service returns it. */
  readonly ask: readonly string[];
  /** Whether an existing ID could be the intended one. */
  readonly couldBe: (known: string) => boolean;
}

/** Which of the two forms of item IDs the account accepts. */
export interface IdForm {
  /** IDs of the old form are refused: the account is migrated, or the cutover is over. */
  readonly oldIsOver: boolean;
  /** Ids of the new form are refused: the account is known not to be migrated. */
  readonly newIsEarly: boolean;
}

const DIGITS = 10;
const NEW_FORM = /^\d{10}$/;
const OLD_FORM = /^prod\d+$/;
const SCIENTIFIC = /^(\d)(?:[.,](\d+))?[eE]\+?(\d{1,3})$/;
const DECIMAL = /^(\d{1,12})[.,]0+$/;
const GROUPED = /^\d{1,3}(?:([., \u00A0\u202F'\u2019])\d{3})(?:\1\d{3})*$/u;
/** Characters that spreadsheets and mails put around a value: `="..."`, apostrophes, quotes, spaces, zero-width ones. */
const AROUND =
  /^[\s='"\u2018\u2019\u201C\u201D\u200B-\u200D\uFEFF#]+|[\s'"\u2018\u2019\u201C\u201D\u200B-\u200D\uFEFF]+$/gu;
/** With fewer digits than this, an ID could be the beginning or end of too many IDs. */
const TELLING = 5;

/** @returns null for an ID that can be sent as it is */
export function damagedId(text: string, form: IdForm): DamagedId | null {
  if (NEW_FORM.test(text)) {
    return form.newIsEarly ? { text, damage: 'too-new', ask: [], couldBe: () => false } : null;
  }
  if (OLD_FORM.test(text)) {
    return form.oldIsOver ? { text, damage: 'legacy', ask: [], couldBe: () => false } : null;
  }
  const bare = text.replace(AROUND, '');
  const inside = readNumber(text, bare);
  if (inside !== null) return inside;
  return readMarked(text, bare);
}

/** An ID that a spreadsheet program read as a number; `bare` is the cell without surrounding characters. */
function readNumber(text: string, bare: string): DamagedId | null {
  const scientific = SCIENTIFIC.exec(bare);
  if (scientific !== null) return fromScientific(text, scientific);
  const decimal = DECIMAL.exec(bare);
  if (decimal !== null) return fromDigits(text, decimal[1] ?? '', 'decimal-ending');
  if (GROUPED.test(bare)) return fromDigits(text, bare.replace(/\D/gu, ''), 'grouped');
  if (!/^\d+$/.test(bare)) return null;
  if (bare !== text) return fromDigits(text, bare, 'marked');
  return fromDigits(text, bare, bare.length < DIGITS ? 'lost-zeros' : 'too-long');
}

/** The digits of an ID: too few, too many, or exactly right. */
function fromDigits(text: string, digits: string, damage: IdDamage): DamagedId {
  const plain = digits.replace(/^0+(?=\d)/, '');
  const ask = plain.length <= DIGITS ? [plain.padStart(DIGITS, '0')] : [];
  const isTelling = plain.length >= TELLING;
  const couldBe = (known: string): boolean =>
    ask.includes(known) ||
    (isTelling &&
      plain.length < DIGITS &&
      NEW_FORM.test(known) &&
      (known.startsWith(digits) || known.endsWith(digits)));
  return { text, damage, ask, couldBe };
}

/** Only the displayed digits are left. If all were displayed, the number is complete. */
function fromScientific(text: string, [, first = '', rest = '', power = '']: RegExpExecArray): DamagedId {
  const shown = first + rest;
  const length = Number(power) + 1;
  if (length > DIGITS + 2) return { text, damage: 'scientific', ask: [], couldBe: () => false };
  if (shown.length >= length) return { ...fromDigits(text, shown.slice(0, length), 'scientific') };
  // The program rounds at the last displayed digit, so the intended number is within half of its unit.
  const step = 10n ** BigInt(length - shown.length);
  const middle = BigInt(shown) * step;
  const couldBe = (known: string): boolean => {
    if (!NEW_FORM.test(known)) return false;
    const away = BigInt(known) - middle;
    return 2n * (away < 0n ? -away : away) <= step;
  };
  // 5E+09 may have been exactly 5000000000; the search decides.
  const ask = length <= DIGITS ? [String(middle).padStart(DIGITS, '0')] : [];
  return { text, damage: 'scientific', ask, couldBe };
}

/** Reads an ID with letters in another case, inner spaces, or `id:` in front. */
function readMarked(text: string, bare: string): DamagedId {
  const legacy = /prod[\s-]*(\d+)/iu.exec(bare)?.[1];
  if (legacy !== undefined) {
    const ask = [`prod${legacy}`];
    return { text, damage: 'marked', ask, couldBe: (known) => ask.includes(known) };
  }
  const runs = bare.match(/\d+/gu) ?? [];
  const digits = runs.join('');
  const isOne = runs.length === 1 || digits.length === DIGITS;
  if (isOne && digits.length >= TELLING) return fromDigits(text, digits, 'marked');
  return { text, damage: 'unreadable', ask: [], couldBe: () => false };
}

/**
 * Source of a candidate, the strongest first.
 *
 *   service  the service lists the item sent under the old ID under this one now
 *   search   the item search returned this ID
 *   account  the account has an item of this ID
 *   name     the item search found it under the item's name
 */
export type CandidateSource = 'service' | 'search' | 'account' | 'name';

/** Details of an item from a search, which tell items of the same name apart. */
export interface SearchedItem {
  readonly name: string;
  readonly suggestedBidCents: number | null;
  readonly pageUrl: string | null;
  readonly imageUrl: string | null;
}

export interface Candidate {
  readonly itemId: string;
  /** Null if unknown. */
  readonly name: string | null;
  readonly source: CandidateSource;
  /** Absent if no search has returned it. */
  readonly facts?: Omit<SearchedItem, 'name'> | undefined;
}

/** Known data for the candidates. */
export interface IdEvidence {
  /** New id by old id, as the service has renamed them. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Names by ids of items that the account has on the service; null for a nameless one. */
  readonly known: ReadonlyMap<string, string | null>;
  /** Results of the item search for IDs, by ID. */
  readonly searched: ReadonlyMap<string, SearchedItem>;
}

/** An item that the search lists under a name. */
export interface NamedItem extends SearchedItem {
  readonly itemId: string;
}

/** Most candidates offered for selection. */
const CANDIDATES_MAX = 8;

/**
 * The candidates of one damaged id.
 *
 * @param named items that the search lists under the item's name; an equal name ranks above a similar one
 */
export function suggestItemIds(
  damaged: DamagedId,
  evidence: IdEvidence,
  named: readonly NamedItem[],
  name: string | null,
) {
  const found = new Map<string, Candidate>();
  const add = (itemId: string, itemName: string | null, source: CandidateSource, item?: SearchedItem): void => {
    if (found.has(itemId) || itemId === damaged.text) return;
    found.set(itemId, { itemId, name: itemName, source, ...factsOf(item ?? evidence.searched.get(itemId)) });
  };
  const nameOf = (itemId: string): string | null =>
    evidence.searched.get(itemId)?.name ?? evidence.known.get(itemId) ?? null;
  const renamed = evidence.renamed.get(damaged.text) ?? damaged.ask.map((id) => evidence.renamed.get(id)).find(Boolean);
  if (renamed !== undefined) add(renamed, nameOf(renamed), 'service');
  for (const id of damaged.ask) if (evidence.searched.has(id)) add(id, nameOf(id), 'search');
  for (const [id, itemName] of evidence.known) if (damaged.couldBe(id)) add(id, nameOf(id) ?? itemName, 'account');
  const sure = [...found.values()];
  for (const item of named) add(item.itemId, item.name, 'name', item);
  const candidates = [...found.values()].slice(0, CANDIDATES_MAX);
  return { candidates /** The one that is meant, where nothing else can be. */, itemId: chosen(sure, named, name) };
}

/** The candidate with the name and the details that a search has returned since. */
export const withItemDetails = (candidate: Candidate, item: SearchedItem | undefined): Candidate =>
  item === undefined ? candidate : { ...candidate, name: candidate.name ?? item.name, ...factsOf(item) };

function factsOf(item: SearchedItem | undefined): Pick<Candidate, 'facts'> {
  if (item === undefined) return {};
  const { suggestedBidCents, pageUrl, imageUrl } = item;
  return { facts: { suggestedBidCents, pageUrl, imageUrl } };
}

/** The only candidate; of those found by name alone, only one of exactly that name. */
function chosen(sure: readonly Candidate[], named: readonly NamedItem[], name: string | null): string | null {
  const [first, second] = sure;
  if (first?.source === 'service') return first.itemId;
  if (first !== undefined) return second === undefined ? first.itemId : null;
  const equal = name === null ? [] : named.filter((item) => fold(item.name) === fold(name));
  return equal.length === 1 ? (equal[0]?.itemId ?? null) : null;
}

const fold = (text: string): string => text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
