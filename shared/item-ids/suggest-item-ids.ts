import type { DamagedId } from './damaged-id.ts';

/**
 * Where a candidate comes from, the strongest first.
 *
 *   service  the service itself lists what was sent under the old id under this one now
 *   search   the item search answered a question for this id
 *   account  the account has an item of this id
 *   name     the item search found it under the item's name
 */
export type CandidateSource = 'service' | 'search' | 'account' | 'name';

/** What a search says of an item beside its id: what tells it from others that are called the same. */
export interface SearchedItem {
  readonly name: string;
  readonly suggestedBidCents: number | null;
  readonly pageUrl: string | null;
  readonly imageUrl: string | null;
}

export interface Candidate {
  readonly itemId: string;
  /** Null where nobody has told. */
  readonly name: string | null;
  readonly source: CandidateSource;
  /** Absent where no search has told of it. */
  readonly facts?: Omit<SearchedItem, 'name'> | undefined;
}

/** What is known when candidates are gathered. */
export interface IdEvidence {
  /** New id by old id, as the service has renamed them. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Names by ids of items that the account has on the service; null for a nameless one. */
  readonly known: ReadonlyMap<string, string | null>;
  /** What the item search has listed when it was asked for ids, by these. */
  readonly searched: ReadonlyMap<string, SearchedItem>;
}

export interface Suggestion {
  readonly candidates: readonly Candidate[];
  /** The one that is meant, where nothing else can be. */
  readonly itemId: string | null;
}

/** An item that the search lists under a name. */
export interface NamedItem extends SearchedItem {
  readonly itemId: string;
}

/** Most candidates that are worth choosing from. */
const CANDIDATES_MAX = 8;

/**
 * The candidates of one damaged id.
 *
 * @param named what the item search lists under the name of the item; an equal name counts for more than a similar one
 */
export function suggestItemIds(
  damaged: DamagedId,
  evidence: IdEvidence,
  named: readonly NamedItem[],
  name: string | null,
): Suggestion {
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
  return { candidates, itemId: chosen(sure, named, name) };
}

/** A candidate that a search has told of since: with its name, where that was not known, and what tells it apart. */
export const withItemDetails = (candidate: Candidate, item: SearchedItem | undefined): Candidate =>
  item === undefined ? candidate : { ...candidate, name: candidate.name ?? item.name, ...factsOf(item) };

function factsOf(item: SearchedItem | undefined): Pick<Candidate, 'facts'> {
  if (item === undefined) return {};
  const { suggestedBidCents, pageUrl, imageUrl } = item;
  return { facts: { suggestedBidCents, pageUrl, imageUrl } };
}

/** One id and no other; of those found by the name alone, one of exactly that name. */
function chosen(sure: readonly Candidate[], named: readonly NamedItem[], name: string | null): string | null {
  const [first, second] = sure;
  if (first?.source === 'service') return first.itemId;
  if (first !== undefined) return second === undefined ? first.itemId : null;
  const equal = name === null ? [] : named.filter((item) => fold(item.name) === fold(name));
  return equal.length === 1 ? (equal[0]?.itemId ?? null) : null;
}

const fold = (text: string): string => text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
