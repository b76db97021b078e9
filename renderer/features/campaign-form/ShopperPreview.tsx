import { IconDeviceDesktop, IconDeviceMobile, IconPhoto, IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../app/app-context.ts';
import { useFile } from '../../app/shared-queries.ts';
import type { CampaignShape } from '../../app/store/dialog.ts';
import { ServicePicture } from '../../grid/ServicePicture.tsx';
import styles from './campaign-form.module.css';
import type { ShownItem } from './ItemFinder.tsx';

const texts = {
  title: 'Shopper preview',
  devices: 'Preview on',
  desktop: 'Desktop',
  phone: 'Phone',
  by: 'Sponsored',
  brand: 'Brand name',
  headline: 'Headline',
  cta: 'Shop now',
  noLogo: 'No logo yet',
  noVideo: 'No video yet',
  noItem: 'Add an item',
  search: 'Search',
} as const;

interface ShopperPreviewProps {
  readonly workspaceId: string;
  readonly shape: CampaignShape;
  readonly brand: string;
  readonly headline: string;
  /** Row ID of the logo or video in the media library; null for none. */
  readonly file: number | null;
  /** The shopper's search text: the first keyword. */
  readonly words: string;
  readonly items: readonly ShownItem[];
  /** The highlighted search result, shown faded. */
  readonly peeked: ShownItem | null;
}

/** The ad among search results, in its real size. */
export function ShopperPreview({ words, ...ad }: ShopperPreviewProps) {
  const [isPhone, setPhone] = useState(false);
  const devices = [
    [texts.desktop, IconDeviceDesktop, false],
    [texts.phone, IconDeviceMobile, true],
  ] as const;
  return (
    <>
      <div className={styles['preview-head']}>
        <h2>{texts.title}</h2>
        <div role="group" aria-label={texts.devices} className={styles['devices']}>
          {devices.map(([name, Icon, phone]) => (
            <button
              key={name}
              type="button"
              aria-label={name}
              title={name}
              aria-pressed={isPhone === phone}
              onClick={() => setPhone(phone)}
            >
              <Icon size={16} stroke={1.5} aria-hidden="true" />
            </button>
          ))}
        </div>
      </div>
      <figure
        className={isPhone ? `${styles['shop']} ${styles['shop-phone']}` : styles['shop']}
        aria-label={texts.title}
      >
        <div className={styles['shop-bar']}>
          <span className={styles['shop-mark']} />
          <span className={styles['shop-search']}>{words || texts.search}</span>
          <span className={styles['shop-dot']} />
          <span className={styles['shop-dot']} />
        </div>
        <div className={styles['shop-page']}>
          <span className={styles['shop-by']}>{texts.by}</span>
          <Ad {...ad} isPhone={isPhone} />
          <div className={styles['shop-rest']} aria-hidden="true">
            <span />
            <span />
            <span />
          </div>
        </div>
      </figure>
    </>
  );
}

type AdProps = Omit<ShopperPreviewProps, 'words'> & { readonly isPhone: boolean };

function Ad({ workspaceId, shape, brand, headline, file, items, peeked, isPhone }: AdProps) {
  const most = shape === 'video' ? 1 : isPhone ? 2 : 3;
  const shown = items.slice(0, most);
  const isNew = peeked !== null && !items.some(({ itemId }) => itemId === peeked.itemId);
  const ghost = isNew ? peeked : null;
  const tiles = (
    <ul className={styles['tiles']}>
      {(ghost === null ? shown : shown.slice(0, most - 1)).map((item) => (
        <Tile key={item.itemId} workspaceId={workspaceId} item={item} />
      ))}
      {ghost !== null && <Tile workspaceId={workspaceId} item={ghost} isGhost />}
      {shown.length + (ghost === null ? 0 : 1) < most && (
        <li className={styles['tile-none']}>
          <IconPlus size={16} stroke={1.5} aria-hidden="true" />
          {texts.noItem}
        </li>
      )}
    </ul>
  );
  if (shape === 'manual' || shape === 'auto') return tiles;
  if (shape === 'video') {
    return (
      <>
        <VideoPlace workspaceId={workspaceId} file={file} />
        {tiles}
      </>
    );
  }
  return (
    <>
      <div className={styles['banner']}>
        <LogoPlace workspaceId={workspaceId} file={file} brand={brand} />
        <span className={styles['banner-text']}>
          <span className={headline === '' ? styles['banner-none'] : styles['banner-title']}>
            {headline || texts.headline}
          </span>
          <span className={brand === '' ? styles['banner-none'] : ''}>{brand || texts.brand}</span>
          <span className={styles['banner-cta']}>{texts.cta}</span>
        </span>
      </div>
      {tiles}
    </>
  );
}

interface TileProps {
  readonly workspaceId: string;
  readonly item: ShownItem;
  readonly isGhost?: boolean;
}

function Tile({ workspaceId, item: { itemId, name }, isGhost = false }: TileProps) {
  const known = useQuery(useApi().items.get.queryOptions({ input: name === '' ? { workspaceId, itemId } : skipToken }));
  return (
    <li className={isGhost ? `${styles['tile']} ${styles['tile-ghost']}` : styles['tile']}>
      <ServicePicture workspaceId={workspaceId} of={{ is: 'item', itemId }} alt="" size={{ width: 112, height: 76 }} />
      <span>{name || known.data?.name || itemId}</span>
    </li>
  );
}

interface FilePlaceProps {
  readonly workspaceId: string;
  readonly file: number | null;
}

function LogoPlace({ brand, workspaceId, file }: FilePlaceProps & { readonly brand: string }) {
  const logo = useFile(workspaceId, file).data;
  if (logo === undefined) {
    return (
      <span className={styles['banner-logo']}>
        <IconPhoto size={20} stroke={1.5} aria-hidden="true" />
        {texts.noLogo}
      </span>
    );
  }
  return <img className={styles['banner-logo']} src={logo.url} alt={brand} />;
}

function VideoPlace({ workspaceId, file }: FilePlaceProps) {
  const video = useFile(workspaceId, file).data;
  if (video === undefined) {
    return (
      <span className={styles['video-none']}>
        <IconPlayerPlay size={20} stroke={1.5} aria-hidden="true" />
        {texts.noVideo}
      </span>
    );
  }
  return <video className={styles['video']} src={video.url} muted controls preload="metadata" />;
}
