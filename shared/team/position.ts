import { type ChangeSet, isEmpty } from './change-set.ts';
import type { Share } from './share.ts';

/** A place in the log: the number of an entry and the hash of the chain up to it. 0 and an empty hash stand before the first. */
export interface LogPlace {
  readonly seq: number;
  readonly hash: string;
}

export const LOG_START: LogPlace = { seq: 0, hash: '' };

/** An entry as it stands in the log. */
export interface LogEntry extends LogPlace {
  readonly desk: number;
  /** Counts the pushes of a computer from 1, without gaps. */
  readonly push: number;
  readonly changes: ChangeSet;
}

/** What an entry is about: rows that a member edited, notes beside them, or what the service said of them. */
export type SetKind = 'edit' | 'note' | 'service';

/** An entry with who shared it and when, by the clock of the database in milliseconds since 1970. */
export interface TeamEntry extends LogEntry {
  readonly member: number;
  readonly at: number;
  readonly kind: SetKind;
  readonly label: string;
}

/** How far one computer is with the log of its team. */
export interface Position {
  readonly desk: number;
  /** The last entry that is folded. */
  readonly seen: LogPlace;
  /** Its own last push that is folded. */
  readonly lastPush: number;
  /** A push of which it is not known yet whether it is in the log. */
  readonly offered: Push | null;
  /** Something has been heard that only the log can settle. */
  readonly mustPull: boolean;
}

/** A push: its content, and the place in the log that its computer had folded when it was read, from one transaction. */
export interface Push extends Share {
  readonly desk: number;
  readonly push: number;
  readonly based: LogPlace;
}

/**
 * The result of a push in the team's database:
 *
 *   ok             it is in the log now
 *   duplicate      this push, or another of its number, was in the log already
 *   behind         another computer has written to one of its campaigns since the place it is based on
 *   gap            an earlier push of this computer is missing
 *   wait           another computer has the turn
 *   other-history  the place it is based on is not in this log: it has forgotten entries
 *   old-format     the team asks for a newer version to share
 */
export type PushAnswer = 'ok' | 'duplicate' | 'behind' | 'gap' | 'wait' | 'other-history' | 'old-format';

/** The next push; null where there is nothing to share, or what is known has to be folded first. */
export function nextPush(position: Position, share: () => Share): Position {
  if (position.mustPull || position.offered !== null) return position;
  const shared = share();
  if (isEmpty(shared.changes)) return position;
  const { desk, seen, lastPush } = position;
  return { ...position, offered: { ...shared, desk, push: lastPush + 1, based: seen } };
}

/** An answer moves nothing but the wish to look: what is in the log is known from the log. */
export function afterAnswer(position: Position, answer: PushAnswer): Position {
  return answer === 'wait' ? position : { ...position, mustPull: true };
}

/** After the log was read to its end: what was offered is in it, or it was refused and is offered anew with what came since. */
export const afterPull = (position: Position): Position => ({ ...position, offered: null, mustPull: false });

/** After one entry was folded. */
export const afterEntry = (position: Position, { seq, hash, desk, push }: LogEntry): Position => ({
  ...position,
  seen: { seq, hash },
  lastPush: desk === position.desk ? push : position.lastPush,
});
