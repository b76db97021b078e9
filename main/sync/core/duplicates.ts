import type { Kind } from '../../../shared/model/kinds.ts';
import { ownerOf } from './books.ts';
import type { RoundContext } from './context.ts';
import { tell, type Work } from './effects.ts';
import type { Sighting } from './sightings.ts';

/**
 * The last net: a service that carries a request out after the settle window can still make a second of something
 * we sent. When a read shows a thing nobody here knows beside one of ours that looks the same, the user is told.
 */
export function* tellPossibleDuplicates(ctx: RoundContext, kind: Kind, sightings: readonly Sighting[]): Work<void> {
  for (const [look, alike] of Map.groupBy(sightings, (sighting) => lookOf(kind, sighting))) {
    const ours = alike.filter(({ remoteId }) => ownerOf(ctx, kind, remoteId) !== null);
    const unknown = alike.filter(({ remoteId }) => ownerOf(ctx, kind, remoteId) === null);
    if (look === '' || ours.length === 0 || unknown.length === 0) continue;
    const ids = unknown.map(({ remoteId }) => remoteId).join(', ');
    yield* tell({
      type: 'notice',
      workspaceId: ctx.workspaceId,
      severity: 'warning',
      message: `The service has another ${WORDS[kind] ?? kind} "${look}" (id ${ids}) that was not made here. It may be a duplicate: compare the two in the retailer's console and end the one you do not need.`,
      params: { kind, look, ids },
    });
  }
}

const WORDS: Readonly<Partial<Record<Kind, string>>> = {
  campaign: 'campaign',
  adGroup: 'ad group',
  sbaProfile: 'brand profile',
};

/** What makes two things of a kind without an identity of its own look the same; empty for kinds that have one. */
function lookOf(kind: Kind, { values }: Sighting): string {
  if (kind === 'campaign' || kind === 'adGroup') return String(values['name'] ?? '');
  return kind === 'sbaProfile' ? [values['brand'], values['headline']].filter(Boolean).join(': ') : '';
}
