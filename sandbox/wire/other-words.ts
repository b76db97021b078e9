/**
 * A test mode for clients: some enumeration words differ in requests and responses, while the store keeps those of the
 * document. A client that drops, replaces or refuses unknown words then loses a row, or sends a wrong word.
 *
 * By call (the last parts of its path) and member, the document's word and the sent one:
 *
 *   {"adItems": {"status": {"disabled": "retired"}}, "multipliers/placement": {"placementType": {"Buy-Box": "Aisle"}}}
 */
export type OtherWords = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/** One word of every enumeration in the document, for `--quirks words=other`. */
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

/** No API call nests deeper; a malicious body could nest until the stack overflows. */
export const DEPTH_MAX = 8;

type Members = OtherWords[string];

const membersOf = (words: OtherWords, path: string): Members | undefined => {
  const name = Object.keys(words).find((end) => path.endsWith(`/${end}`));
  return name === undefined ? undefined : words[name];
};

/** Replaces words in a response body. */
export function withOtherWords(words: OtherWords, path: string, body: unknown): unknown {
  const members = membersOf(words, path);
  return members === undefined ? body : replaced(body, members, (member, word) => member[word] ?? word);
}

/** Replaces words in a request body by those of the document, which are accepted too. */
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
