import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { asRowId } from '../../../shared/model/scalars.ts';
import { useApi, useAppContext, useViewOf } from '../../app/app-context.ts';
import styles from './navigation.module.css';

const texts = { here: (names: string) => `Here now: ${names}` } as const;

/** Shapes of colleagues. Shape and color follow from the member's number, so all computers show the same. */
const SHAPES = ['round', 'square', 'cut', 'drop'] as const;

/** The initials of the first and the last name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const letters = [words[0], ...(words.length > 1 ? [words.at(-1)] : [])].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toUpperCase();
}

/** The colleagues at a campaign: a shape with initials each, and their names as text. */
export function PresenceDots({
  workspaceId,
  campaignId,
}: {
  readonly workspaceId: string;
  readonly campaignId: number;
}) {
  const all = useQuery(useApi().team.presence.queryOptions({ input: { workspaceId } })).data ?? [];
  const here = new Map(
    all.filter(({ place }) => place.campaignId === campaignId).map(({ member }) => [member.no, member.display]),
  );
  if (here.size === 0) return null;
  const names = texts.here([...here.values()].join(', '));
  return (
    <span className={styles['presence']} role="img" aria-label={names} title={names}>
      {[...here].map(([no, display]) => (
        <span key={no} className={styles['person']} data-shape={SHAPES[no % SHAPES.length]} aria-hidden="true">
          {initialsOf(display)}
        </span>
      ))}
    </span>
  );
}

/** Shows colleagues the campaign and screen of this window, until presence is off or the window closes. */
export function TellPlace({ workspaceId }: { readonly workspaceId: string }) {
  const { client } = useAppContext().connection;
  const { campaignId, screen } = useViewOf((s) => ({
    campaignId: s.place === 'rows' ? s.campaignId : null,
    screen: s.place === 'rows' ? s.kind : s.place,
  }));
  useEffect(() => {
    const place = { campaignId: campaignId === null ? null : asRowId(campaignId), screen };
    // A failed call is ignored: the next change of the screen sends it again.
    client.team.setPlace({ workspaceId, place }).catch(() => undefined);
  }, [client, workspaceId, campaignId, screen]);
  useEffect(
    () => () => void client.team.setPlace({ workspaceId, place: null }).catch(() => undefined),
    [client, workspaceId],
  );
  return null;
}
