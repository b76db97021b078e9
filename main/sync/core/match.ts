import { canonicalClickUrl } from '../../../shared/model/click-url.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import type { AnyValues } from '../../../shared/model/fields.ts';
import { keywordKey } from '../../../shared/model/keyword-key.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import type { RemoteId } from '../../../shared/model/scalars.ts';
import { compareIds } from '../../api/reviews.ts';
import type { LiveBatch, LiveOp } from '../../workspace/outbox/outbox-types.ts';
import type { Sighting } from './sightings.ts';

/**
 * What a read proves about one op in doubt.
 *
 *   exists   exactly one thing fits, and it is nobody else's: it is ours
 *   absent   nothing fits: not there, or not there yet
 *   several  more than one fits, or one that cannot be read may: only a person can tell
 *   changed  the row is there and shows neither what was sent nor what was before: somebody else wrote
 */
export type Verdict =
  | { readonly is: 'exists'; readonly remoteId: RemoteId | null; readonly seen: AnyValues | null }
  | { readonly is: 'absent' }
  | { readonly is: 'several' }
  | { readonly is: 'changed' };

/** What matching needs to know beside the op and the read. */
export interface MatchFacts {
  readonly batch: Pick<LiveBatch, 'kind' | 'verb' | 'preImage' | 'body'>;
  readonly sightings: readonly Sighting[];
  /** Whether what the read lacks is absent: false while it holds a row that cannot be read. */
  readonly isWhole: boolean;
  /** The service's id of the row, when it has one. */
  readonly own: RemoteId | null;
  readonly group: RemoteId | null;
  /** The media that a video profile was to show. */
  readonly mediaId: RemoteId | null;
  readonly isTaken: (id: RemoteId) => boolean;
}

export function verdictOf(op: Pick<LiveOp, 'kind' | 'sent' | 'base'>, facts: MatchFacts): Verdict {
  switch (facts.batch.verb) {
    case 'create':
      return ofCreate(op, facts);
    case 'update':
      return ofUpdate(op, facts);
    case 'logo':
      return ofLogo(op, facts);
    case 'upload':
      return ofUpload(facts);
    case 'submit':
      return ofSubmit(facts);
    case 'cancel':
      return ofCancel(op, facts);
  }
}

function ofCreate(op: Pick<LiveOp, 'kind' | 'sent'>, facts: MatchFacts): Verdict {
  const known = new Set(facts.batch.preImage ?? []);
  const fitting = facts.sightings.filter(
    (sighting) => !known.has(sighting.remoteId) && !facts.isTaken(sighting.remoteId) && fits(op, sighting, facts),
  );
  const [one] = fitting;
  if (one === undefined) return { is: facts.isWhole ? 'absent' : 'several' };
  return fitting.length > 1 ? { is: 'several' } : { is: 'exists', remoteId: one.remoteId, seen: seenOf(op, one) };
}

/** Whether a thing of the service can be the one that was created, by the identity its resource has. */
function fits(op: Pick<LiveOp, 'kind' | 'sent'>, { values, adGroupId, mediaId }: Sighting, facts: MatchFacts): boolean {
  const { sent } = op;
  const inGroup = facts.group === null || adGroupId === null || adGroupId === facts.group;
  switch (op.kind) {
    case 'campaign':
    case 'adGroup':
      return sameText(sent['name'], values['name']);
    case 'adItem':
      return inGroup && values['itemId'] === sent['itemId'];
    case 'keyword':
      return (
        inGroup &&
        keywordKey(String(values['text'] ?? '')) === keywordKey(String(sent['text'] ?? '')) &&
        values['matchType'] === sent['matchType']
      );
    case 'sbaProfile':
      return inGroup && ['brand', 'headline', 'clickUrl'].every((field) => sameCell(op.kind, field, sent, values));
    case 'videoProfile':
      return inGroup && (facts.mediaId === null || mediaId === facts.mediaId);
    case 'placementMultiplier':
      return values['placement'] === sent['placement'];
    case 'platformMultiplier':
      return values['platform'] === sent['platform'];
    case 'media':
      return false;
  }
}

function ofUpdate(op: Pick<LiveOp, 'kind' | 'sent' | 'base'>, facts: MatchFacts): Verdict {
  const there = facts.sightings.find((sighting) => sighting.remoteId === facts.own);
  const isSwitchedOff = op.sent['status'] === 'deleted' || op.sent['state'] === 'archived';
  // A deleted row may or may not be listed any more (document, "Ad item").
  if (there === undefined) return isSwitchedOff ? { is: 'exists', remoteId: facts.own, seen: null } : { is: 'changed' };
  // Of a field that came unreadable nothing is proven; an update does no harm when it is sent again.
  if (there.misread?.some(({ field }) => field in op.sent) === true) return { is: 'absent' };
  const fields = Object.keys(op.sent).filter((field) => there.values[field] !== undefined);
  if (fields.every((field) => sameCell(op.kind, field, op.sent, there.values))) {
    return { is: 'exists', remoteId: facts.own, seen: seenOf(op, there) };
  }
  const { base } = op;
  const isAsBefore = base !== null && fields.every((field) => sameCell(op.kind, field, base, there.values));
  return { is: isAsBefore ? 'absent' : 'changed' };
}

/**
 * The list shows no hash, only an address, which is new when the first logo arrived. Sending the same picture
 * again is harmless, so that is what happens in every other case.
 */
function ofLogo(op: Pick<LiveOp, 'base'>, facts: MatchFacts): Verdict {
  const url = facts.sightings.find((sighting) => sighting.remoteId === facts.own)?.values['logoUrl'] ?? '';
  const isFirst = (op.base?.['logo'] ?? null) === null;
  return isFirst && url !== '' ? { is: 'exists', remoteId: facts.own, seen: null } : { is: 'changed' };
}

/** Finished uploads are found by the name that was made unique for this; without names, by being the only new one. */
function ofUpload(facts: MatchFacts): Verdict {
  const name = uniqueNameIn(facts.batch.body);
  const known = new Set(facts.batch.preImage ?? []);
  const fresh = facts.sightings.filter(({ remoteId }) => !known.has(remoteId) && !facts.isTaken(remoteId));
  const named = fresh.filter(({ word }) => name !== null && word === name);
  const nameless = fresh.filter(({ word }) => word === null || word === undefined);
  const [one] = named;
  if (one !== undefined) {
    return named.length > 1 ? { is: 'several' } : { is: 'exists', remoteId: one.remoteId, seen: null };
  }
  const [only] = nameless;
  if (only === undefined) return { is: facts.isWhole ? 'absent' : 'several' };
  const provable = nameless.length === 1 && facts.batch.preImage !== null;
  return provable ? { is: 'exists', remoteId: only.remoteId, seen: null } : { is: 'several' };
}

function ofSubmit(facts: MatchFacts): Verdict {
  const before = (facts.batch.preImage ?? []).toSorted(compareIds).at(-1) ?? '';
  const fresh = facts.sightings.filter(({ remoteId }) => compareIds(remoteId, before) > 0);
  const newest = fresh.toSorted((a, b) => compareIds(a.remoteId, b.remoteId)).at(-1);
  if (newest === undefined && !facts.isWhole) return { is: 'several' };
  return newest === undefined ? { is: 'absent' } : { is: 'exists', remoteId: newest.remoteId, seen: null };
}

function ofCancel(op: Pick<LiveOp, 'sent'>, facts: MatchFacts): Verdict {
  const review = facts.sightings.find(({ remoteId }) => remoteId === op.sent['reviewId']);
  if (review === undefined) return { is: 'changed' };
  return review.word === 'cancelled' ? { is: 'exists', remoteId: review.remoteId, seen: null } : { is: 'absent' };
}

/** The fields that were sent, as the read shows them; a difference of notation alone keeps what was sent. */
function seenOf(op: Pick<LiveOp, 'kind' | 'sent'>, sighting: Sighting): AnyValues {
  const entries = Object.entries(op.sent).map(([field, sent]): [string, Cell] => {
    const seen = sighting.values[field];
    return [field, seen === undefined || sameCell(op.kind, field, op.sent, sighting.values) ? sent : seen];
  });
  return Object.fromEntries(entries);
}

function sameCell(kind: Kind, field: string, mine: AnyValues, theirs: Partial<AnyValues>): boolean {
  const a = mine[field] ?? null;
  const b = theirs[field] ?? null;
  if (kind === 'sbaProfile' && field === 'clickUrl') return canonical(a) === canonical(b);
  return a === b || (typeof a === 'string' && sameText(a, b));
}

const canonical = (cell: Cell): string | null => (typeof cell === 'string' ? canonicalClickUrl(cell).url : null);
const sameText = (a: Cell | undefined, b: Cell | undefined): boolean =>
  typeof a === 'string' && typeof b === 'string' && a.trim() === b.trim();

/** The media name inside a frozen `media/complete` body, which this program wrote itself. */
function uniqueNameIn(body: string): string | null {
  const found: unknown = body === '' ? null : JSON.parse(body);
  const name = typeof found === 'object' && found !== null && 'mediaName' in found ? found.mediaName : null;
  return typeof name === 'string' ? name : null;
}
