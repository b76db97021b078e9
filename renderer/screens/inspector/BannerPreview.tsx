import { preview } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';

interface BannerPreviewProps {
  readonly workspaceId: string;
  readonly brand: string;
  readonly headline: string;
  /** Row id of the logo in the media library. */
  readonly logo: number | null;
}

/** The banner as shoppers see it: the logo at its real 100 × 100 pixels. */
export function BannerPreview({ workspaceId, brand, headline, logo }: BannerPreviewProps) {
  const picture = useQuery(logo === null ? null : preview(workspaceId, logo)).data;
  return (
    <figure className="banner" aria-label={en.inspector.banner}>
      <div className="banner-logo">
        {picture === undefined ? (
          <span>{en.inspector.noLogo}</span>
        ) : (
          <img src={picture.url} alt={brand} width={100} height={100} />
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
