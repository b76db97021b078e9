/**
 * A test mode for clients: some words of enumerations are others on the wire, while the store keeps those of the document.
 * A client that drops, replaces or refuses a word it does not know then loses a row, or sends what is not understood.
 *
 * By call (the last parts of its path) and member, the document's word and the one on the wire:
 *
 *   {"adItems": {"status": {"disabled": "retired"}}, "multipliers/placement": {"placementType": {"Buy-Box": "Aisle"}}}
 */
export type OtherWords = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/** One word of every enumeration that the document names, for `--quirks words=other`. */
export const ONE_OF_EACH: OtherWords = {
  campaigns: {
    campaignType: { video: 'shoppableVideo' },
    targetingType: { manual: 'handpicked' },
    status: { paused: 'suspended' },
  },
  adGroups: { status: { disabled: 'dormant' } },
  adItems: { status: { disabled: 'retired' }, reviewStatus: { approved: 'provisionally-approved' } },
  keywords: {
    matchType: { phrase: 'nearPhrase' },
    state: { paused: 'resting' },
    status: { approved: 'provisionally-approved' },
  },
  sba_profile: { status: { disabled: 'dormant' }, reviewStatus: { pending: 'escalated' } },
  'adGroup/media': { status: { disabled: 'dormant' }, reviewStatus: { pending: 'escalated' } },
  review: { reviewStatus: { pending: 'escalated' }, status: { approved: 'provisionally-approved' } },
  media: { status: { processing: 'transcoding' } },
  'multipliers/placement': { placementType: { 'Buy-Box': 'Aisle End' } },
  'multipliers/platform': { platformType: { Mobile: 'Kiosk' }, placementType: { Mobile: 'Kiosk' } },
};

/** No call of the API nests deeper; a hostile body may, until the stack ends. */
export const DEPTH_MAX = 8;

type Members = OtherWords[string];

const membersOf = (words: OtherWords, path: string): Members | undefined => {
  const name = Object.keys(words).find((end) => path.endsWith(`/${end}`));
  return name === undefined ? undefined : words[name];
};

/** A body as it leaves. */
export function withOtherWords(words: OtherWords, path: string, body: unknown): unknown {
  const members = membersOf(words, path);
  return members === undefined ? body : replaced(body, members, (member, word) => member[word] ?? word);
}

/** A body as it arrives: the words of the wire are the document's again. Those of the document are understood, too. */
export function withoutOtherWords(words: OtherWords, path: string, body: unknown): unknown {
  const members = membersOf(words, path);
  if (members === undefined) return body;
  const known = (member: Members[string], word: string): string =>
    Object.entries(member).find(([, other]) => other === word)?.[0] ?? word;
  return replaced(body, members, known);
}

function replaced(
  value: unknown,
  members: Members,
  wordOf: (member: Readonly<Record<string, string>>, word: string) => string,
  name = '',
  depth = 0,
): unknown {
  if (depth > DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((entry: unknown) => replaced(entry, members, wordOf, name, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, replaced(entry, members, wordOf, key, depth + 1)]),
    );
  }
  const member = Object.hasOwn(members, name) ? members[name] : undefined;
  return member === undefined || typeof value !== 'string' ? value : wordOf(member, value);
}
