import { type ChangeSet, isEmpty } from './change-set.ts';
import type { Share } from './share.ts';

/** A place in the log: the number of an entry and the hash of the chain up to it. 0 and an empty hash precede the first. */
export interface LogPlace {
  readonly seq: number;
  readonly hash: string;
}

export const LOG_START: LogPlace = { seq: 0, hash: '' };

/** An entry in the log. */
export interface LogEntry extends LogPlace {
  readonly desk: number;
  /** Counts the pushes of a computer from 1, without gaps. */
  readonly push: number;
  readonly changes: ChangeSet;
}

/** Content of an entry: rows edited by a member, notes on rows, or data of the service. */
export type SetKind = 'edit' | 'note' | 'service';

/** An entry with its author and time, by the clock of the database in milliseconds since 1970. */
export interface TeamEntry extends LogEntry {
  readonly member: number;
  readonly at: number;
  readonly kind: SetKind;
  readonly label: string;
}

/** State of one computer relative to the log of its team. */
export interface Position {
  readonly desk: number;
  /** The last entry that is folded. */
  readonly seen: LogPlace;
  /** Its own last push that is folded. */
  readonly lastPush: number;
  /** A push that may or may not be in the log. */
  readonly offered: Push | null;
  /** Something happened that only reading the log can resolve. */
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
 *   duplicate      this push, or another with its number, was in the log already
 *   behind         another computer has written to one of its campaigns since the place it is based on
 *   gap            an earlier push of this computer is missing
 *   wait           another computer is pushing
 *   other-history  the place it is based on is not in this log: the log has lost entries
 *   old-format     the team requires a newer version to share
 */
export type PushAnswer = 'ok' | 'duplicate' | 'behind' | 'gap' | 'wait' | 'other-history' | 'old-format';

/** The next push; null if there is nothing to share, or the log must be read first. */
export function nextPush(position: Position, share: () => Share): Position {
  if (position.mustPull || position.offered !== null) return position;
  const shared = share();
  if (isEmpty(shared.changes)) return position;
  const { desk, seen, lastPush } = position;
  return { ...position, offered: { ...shared, desk, push: lastPush + 1, based: seen } };
}

/** A response only triggers a read of the log: the log decides whether the push is in it. */
export function afterAnswer(position: Position, answer: PushAnswer): Position {
  return answer === 'wait' ? position : { ...position, mustPull: true };
}

/** After the log was read to its end: an offered push is in it, or was refused and is offered again with later changes. */
export const afterPull = (position: Position): Position => ({ ...position, offered: null, mustPull: false });

/** After one entry was folded. */
export const afterEntry = (position: Position, { seq, hash, desk, push }: LogEntry): Position => ({
  ...position,
  seen: { seq, hash },
  lastPush: desk === position.desk ? push : position.lastPush,
});
