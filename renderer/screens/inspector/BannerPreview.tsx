import type { WindowRow } from '../../../shared/contract/workspace.ts';
import { preview } from '../../data/questions.ts';
import { useLimits } from '../../data/use-limits.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { ServicePicture } from '../frame/ServicePicture.tsx';

interface BannerPreviewProps {
  readonly workspaceId: string;
  readonly brand: string;
  readonly headline: string;
  /** Row id of the logo in the media library. */
  readonly logo: number | null;
  /** The profile whose logo is on the service; null where there is none. */
  readonly onService: WindowRow['id'] | null;
}

/** The banner as shoppers see it: the logo at its real size in pixels. */
export function BannerPreview({ workspaceId, brand, headline, logo, onService }: BannerPreviewProps) {
  const picture = useQuery(logo === null ? null : preview(workspaceId, logo)).data;
  const { width, height } = useLimits().logo;
  const size = { width, height };
  return (
    <figure className="banner" aria-label={en.inspector.banner}>
      <div className="banner-logo">
        {logo === null && onService !== null ? (
          <ServicePicture
            workspaceId={workspaceId}
            of={{ is: 'row', kind: 'sbaProfile', id: onService }}
            alt={brand}
            size={size}
          />
        ) : picture === undefined ? (
          <span>{en.inspector.noLogo}</span>
        ) : (
          <img src={picture.url} alt={brand} {...size} />
        )}
      </div>
      <figcaption className="banner-text">
        <span className="banner-by">{en.inspector.bannerBy}</span>
        <strong className={headline === '' ? 'banner-empty' : ''}>{headline || en.inspector.bannerHeadline}</strong>
        <span className={brand === '' ? 'banner-empty' : ''}>{brand || en.inspector.bannerBrand}</span>
        <span className="banner-cta">{en.inspector.bannerCta}</span>
      </figcaption>
    </figure>
  );
}
