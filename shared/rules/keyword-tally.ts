import type { KeywordShape } from './ad-group.ts';

const EXACT = 1;
const PHRASE = 2;
const BROAD = 4;
const ON = 8;

/** What is known so far of the keywords of an ad group that have one text. */
interface TextSeen {
  readonly key: string;
  /** The match types seen, and whether one of the keywords is enabled. */
  marks: number;
  /** 0 while no such keyword was seen, or its bid is missing. */
  exactBid: number;
  broadBid: number;
}

/** How many match types a text has so far. */
export const matchTypesOf = ({ marks }: TextSeen): number => (marks & 1) + ((marks >> 1) & 1) + ((marks >> 2) & 1);

/**
 * What an ad group's keywords are, counted row by row: one entry per distinct text, which is looked up once per row,
 * so that a million rows stay cheap.
 */
export class KeywordTally {
  /** Distinct texts with at least one enabled keyword: what the service counts against its limit. */
  distinctOn = 0;
  /** Texts whose broad bid turned out to be above the exact bid when the exact keyword came after the broad one. */
  readonly belowBroad = new Set<string>();
  private count = 0;
  private matchTypes = 0;
  private bid: number | null | undefined;
  private readonly byText = new Map<string, TextSeen>();

  /** What is known of the text with this key, to be handed to `add`. */
  seen(key: string): TextSeen {
    const known = this.byText.get(key);
    if (known !== undefined) return known;
    const fresh = { key, marks: 0, exactBid: 0, broadBid: 0 };
    this.byText.set(key, fresh);
    return fresh;
  }

  /** `another` says that the row raised the number of distinct enabled texts. */
  add(
    seen: TextSeen,
    matchType: 'exact' | 'phrase' | 'broad',
    bid: number | null,
    isOn: boolean,
  ): 'known' | 'another' | 'duplicate' {
    const bit = matchType === 'exact' ? EXACT : matchType === 'phrase' ? PHRASE : BROAD;
    this.count++;
    this.matchTypes |= bit;
    if (this.bid === undefined) this.bid = bid;
    else if (this.bid !== bid) this.bid = null;
    const before = seen.marks;
    if ((before & bit) !== 0) return 'duplicate';
    seen.marks = before | bit | (isOn ? ON : 0);
    if (bit === BROAD) seen.broadBid = bid ?? 0;
    else if (bit === EXACT) {
      seen.exactBid = bid ?? 0;
      if (isBroadAboveExact(seen)) this.belowBroad.add(seen.key);
    }
    if (!isOn || (before & ON) !== 0) return 'known';
    this.distinctOn++;
    return 'another';
  }

  shape(): KeywordShape {
    const only = this.matchTypes === EXACT ? 'exact' : this.matchTypes === PHRASE ? 'phrase' : 'broad';
    const isOnly = this.matchTypes === EXACT || this.matchTypes === PHRASE || this.matchTypes === BROAD;
    return {
      count: this.count,
      distinct: this.distinctOn,
      onlyMatchType: isOnly ? only : null,
      onlyBid: this.bid ?? null,
    };
  }
}

/** Whether both bids are known so far and the broad one is higher. */
export const isBroadAboveExact = ({ exactBid, broadBid }: TextSeen): boolean => exactBid > 0 && broadBid > exactBid;
