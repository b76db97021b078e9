import { IconPhoto } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../app/app-context.ts';
import styles from './grid.module.css';

interface ItemPictureProps {
  readonly workspaceId: string;
  /** The item to show; null for none. */
  readonly itemId: string | null;
  /** The text after the picture. Its first letter, in a color derived from it, replaces a missing picture. */
  readonly name: string;
  /** Side in CSS pixels. */
  readonly size: number;
}

/** Main caches pictures; a result stays valid while the window is open. */
const FOREVER = Number.POSITIVE_INFINITY;

/** The picture of an item before a name; without a picture, the first letter of the name or an icon. */
export function ItemPicture({ workspaceId, itemId, name, size }: ItemPictureProps) {
  const of = { is: 'item', itemId: itemId ?? '' } as const;
  const shown = useQuery(
    useApi().pictures.show.queryOptions({
      input: { workspaceId, of },
      enabled: itemId !== null && itemId !== '',
      staleTime: FOREVER,
    }),
  ).data;
  return <PictureOrInitial url={shown?.url ?? null} name={name} size={size} />;
}

interface PictureOrInitialProps extends Pick<ItemPictureProps, 'name' | 'size'> {
  readonly url: string | null;
}

/** The same picture if its URL is already known. */
export function PictureOrInitial({ url, name, size }: PictureOrInitialProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const style = { width: size, height: size };
  if (url === null || url === broken) {
    // The first letter, because a digit of an item ID identifies nothing.
    const initial = /\p{L}/u.exec(name)?.[0].toUpperCase();
    const hue = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
    return (
      <span
        className={`${styles['picture']} ${styles['picture-none']}`}
        style={{ ...style, '--hue': hue } as React.CSSProperties}
        aria-hidden="true"
        data-initial={initial}
      >
        {initial === undefined && <IconPhoto size={Math.round(size * 0.6)} stroke={1.5} />}
      </span>
    );
  }
  return (
    <img className={styles['picture']} src={url} alt="" style={style} loading="lazy" onError={() => setBroken(url)} />
  );
}
