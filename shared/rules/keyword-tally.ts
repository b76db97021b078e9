import type { KeywordShape } from './ad-group.ts';

const EXACT = 1;
const PHRASE = 2;
const BROAD = 4;
const ON = 8;
const BID_SHIFT = 16;

/**
 * What an ad group's keywords are, counted row by row: one map entry per distinct text, holding the match types
 * seen, whether one is enabled, and the exact bid, packed in one number so that a million rows stay cheap.
 */
export class KeywordTally {
  /** Distinct texts with at least one enabled keyword: what the service counts against its limit. */
  distinctOn = 0;
  /** Texts whose broad bid turned out to be above the exact bid when the exact keyword came after the broad one. */
  readonly belowBroad = new Set<string>();
  private count = 0;
  private matchTypes = 0;
  private bid: number | null | undefined;
  private readonly byText = new Map<string, number>();
  private readonly broadBids = new Map<string, number>();

  /** `another` says that the row raised the number of distinct enabled texts. */
  add(
    key: string,
    matchType: 'exact' | 'phrase' | 'broad',
    bid: number | null,
    isOn: boolean,
  ): 'known' | 'another' | 'duplicate' {
    const bit = matchType === 'exact' ? EXACT : matchType === 'phrase' ? PHRASE : BROAD;
    const before = this.byText.get(key) ?? 0;
    this.count++;
    this.matchTypes |= bit;
    if (this.bid === undefined) this.bid = bid;
    else if (this.bid !== bid) this.bid = null;
    if ((before & bit) !== 0) return 'duplicate';
    const exactBid = bit === EXACT ? (bid ?? 0) : Math.floor(before / 2 ** BID_SHIFT);
    const marks = (before & 0xffff) | bit | (isOn ? ON : 0);
    this.byText.set(key, exactBid * 2 ** BID_SHIFT + marks);
    if (bit === BROAD) this.broadBids.set(key, bid ?? 0);
    else if (bit === EXACT && (before & BROAD) !== 0 && this.isBroadAboveExact(key)) this.belowBroad.add(key);
    if (!isOn || (before & ON) !== 0) return 'known';
    this.distinctOn++;
    return 'another';
  }

  /** Whether both bids are known so far and the broad one is higher. */
  isBroadAboveExact(key: string): boolean {
    const exactBid = Math.floor((this.byText.get(key) ?? 0) / 2 ** BID_SHIFT);
    return exactBid > 0 && (this.broadBids.get(key) ?? 0) > exactBid;
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
