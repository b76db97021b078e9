import { IconPhoto } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PictureOf, ShownPicture } from '../../shared/api/items.ts';
import { useApi } from '../app/app-context.ts';
import styles from './grid.module.css';

const texts = {
  none: 'The service has no image.',
  unfit: "Can't show this image.",
  unreachable: "Can't load the image right now.",
  host: (host: string) =>
    `Images from ${host} are not allowed. Add the host to picture.hosts in the deployment settings.`,
} as const;

interface ServicePictureProps {
  readonly workspaceId: string;
  readonly of: PictureOf;
  /** Alternative text; empty if the text beside the picture says the same. */
  readonly alt: string;
  readonly size: { readonly width: number; readonly height: number };
}

/** A picture from a URL of the service, or a placeholder. */
export function ServicePicture({ workspaceId, of, alt, size }: ServicePictureProps) {
  const shown = useQuery(useApi().pictures.show.queryOptions({ input: { workspaceId, of } })).data;
  const [broken, setBroken] = useState<string | null>(null);
  const url = shown?.url ?? null;
  if (url === null || url === broken) {
    const why = shown === undefined ? '' : whyText(shown);
    return (
      <span className={`${styles['service-picture']} ${styles['no-picture']}`} style={size} title={why}>
        <IconPhoto size={Math.min(20, size.height / 2)} stroke={1.5} aria-hidden="true" />
      </span>
    );
  }
  return (
    <img
      className={styles['service-picture']}
      src={url}
      alt={alt}
      {...size}
      loading="lazy"
      onError={() => setBroken(url)}
    />
  );
}

function whyText({ why, host, url }: ShownPicture): string {
  if (url !== null) return texts.unfit;
  return why === 'host' ? texts.host(host) : why === null ? '' : texts[why];
}
