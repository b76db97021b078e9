import type { KnownKind } from '../../../shared/model/known-id.ts';
import type { RemoteId } from '../../../shared/model/scalars.ts';
import type { RoundContext } from './context.ts';
import { tx, type Work } from './effects.ts';
import type { Readable } from './pull.ts';

/** Reads that the document has refused for an id that is not there; others may answer with nothing (document, "Errors"). */
const REFUSES_UNKNOWN: ReadonlySet<Readable> = new Set<Readable>([
  'placementMultiplier',
  'platformMultiplier',
  'sbaProfile',
]);

/** Whether an answer with so many elements shows that the ids it was asked by are there. */
export const isProof = (kind: Readable, elements: number): boolean => elements > 0 || REFUSES_UNKNOWN.has(kind);

/** Remembers that reads by these ids were answered, until `noteConfirmed` writes it down. */
export function confirm(ctx: RoundContext, kind: KnownKind, id: RemoteId | null): void {
  if (id !== null) ctx.confirmed.set(`${kind}:${id}`, { kind, id });
}

/** Writes down, once for all reads so far, which ids the service has answered for. */
export function* noteConfirmed(ctx: RoundContext): Work<void> {
  const ids = [...ctx.confirmed.values()];
  ctx.confirmed.clear();
  if (ids.length > 0) yield* tx('confirm', (ports) => ports.outbox.confirmKnown({ ids }));
}
