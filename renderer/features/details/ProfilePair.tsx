import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { isNew } from '../../../shared/model/row.ts';
import { useApi } from '../../app/app-context.ts';
import { choiceName } from '../../app/field-names.ts';
import { useLimits } from '../../app/locale/limits.ts';
import { textOf } from '../../app/row-cells.ts';
import { useFile, useRows } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { ServicePicture } from '../../grid/ServicePicture.tsx';
import styles from './details.module.css';

const texts = {
  banner: 'Banner preview',
  bannerBy: 'Sponsored',
  bannerBrand: 'Brand name',
  bannerHeadline: 'Headline',
  bannerCta: 'Shop now',
  noLogo: 'No logo yet',
  profiles: 'Profiles side by side',
  willBeEnabled: 'Will be enabled',
  log: 'Banner log',
  open: 'Swap banner without pausing…',
  goOn: (step: string) => `Swap in progress: ${step}`,
} as const;

const text = (row: WindowRow, field: string): string => textOf('sbaProfile', row, field);

interface ProfilePairProps {
  readonly workspaceId: string;
  readonly row: WindowRow;
  /** Unsaved texts of this row's fields. */
  readonly typed: Readonly<Record<string, string | null>>;
}

/**
 * The banner of this profile with unsaved text, beside the ad group's other profile. The service enables the first of
 * the profiles created together (document, "SBA profile create"), so the first is marked.
 */
export function ProfilePair({ workspaceId, row, typed }: ProfilePairProps) {
  const found = useRows(
    workspaceId,
    row.campaignId === null ? null : { kind: 'sbaProfile', campaignId: row.campaignId },
  ).data?.rows;
  const profiles = (found ?? [row]).filter((each) => each.adGroupId === row.adGroupId);
  const allNew = profiles.length > 1 && profiles.every(isNew);
  return (
    <section className={styles['profiles']} aria-label={profiles.length > 1 ? texts.profiles : texts.banner}>
      {profiles.map((profile, i) => {
        const mine = profile.id === row.id;
        const shown = (field: string): string => (mine ? (typed[field] ?? text(row, field)) : text(profile, field));
        const status = text(profile, 'status');
        return (
          <div key={profile.id}>
            <BannerPreview
              workspaceId={workspaceId}
              brand={shown('brand')}
              headline={shown('headline')}
              logo={Number(text(profile, 'logo')) || null}
              onService={text(profile, 'logoUrl') === '' ? null : profile.id}
            />
            {profiles.length > 1 && (
              <p className={styles['profile-state']}>
                <StatusShape state={status} text={choiceName(status)} />
                {allNew && i === 0 && <span className={ui['badge']}>{texts.willBeEnabled}</span>}
              </p>
            )}
          </div>
        );
      })}
      {profiles.length > 1 && !allNew && row.campaignId !== null && (
        <SwapButton workspaceId={workspaceId} campaignId={row.campaignId} />
      )}
      {row.remoteId !== null && row.campaignId !== null && (
        <LogButton workspaceId={workspaceId} campaignId={row.campaignId} />
      )}
    </section>
  );
}

interface BannerPreviewProps {
  readonly workspaceId: string;
  readonly brand: string;
  readonly headline: string;
  /** Row ID of the logo in the media library. */
  readonly logo: number | null;
  /** The profile whose logo picture comes from the service, for a logo that is not in the library; null for none. */
  readonly onService: WindowRow['id'] | null;
}

/** The banner as shoppers see it, with the logo in its real size in pixels. */
function BannerPreview({ workspaceId, brand, headline, logo, onService }: BannerPreviewProps) {
  const picture = useFile(workspaceId, logo).data;
  const { width, height } = useLimits().logo;
  const size = { width, height };
  return (
    <figure className={styles['banner']} data-banner="" aria-label={texts.banner}>
      <div className={styles['banner-logo']}>
        {logo === null && onService !== null ? (
          <ServicePicture
            workspaceId={workspaceId}
            of={{ is: 'row', kind: 'sbaProfile', id: onService }}
            alt={brand}
            size={size}
          />
        ) : picture === undefined ? (
          <span>{texts.noLogo}</span>
        ) : (
          <img src={picture.url} alt={brand} {...size} />
        )}
      </div>
      <figcaption className={styles['banner-text']}>
        <span className={styles['banner-by']}>{texts.bannerBy}</span>
        <strong className={headline === '' ? styles['banner-empty'] : ''}>{headline || texts.bannerHeadline}</strong>
        <span className={brand === '' ? styles['banner-empty'] : ''}>{brand || texts.bannerBrand}</span>
        <span className={styles['banner-cta']}>{texts.bannerCta}</span>
      </figcaption>
    </figure>
  );
}

const BannerSwap = lazyComponent(async () => (await import('./BannerSwap.tsx')).BannerSwap);

const BannerLog = lazyComponent(async () => (await import('./BannerLog.tsx')).BannerLog);

interface InCampaign {
  readonly workspaceId: string;
  readonly campaignId: number;
}

function LogButton(of: InCampaign) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Chip aria-expanded={opened} onClick={() => setOpened(!opened)}>
        {texts.log}
      </Chip>
      {opened && <BannerLog {...of} />}
    </>
  );
}

/** Opens the banner swap, for a campaign with two profiles of which one is shown. */
function SwapButton({ workspaceId, campaignId }: InCampaign) {
  const [opened, setOpened] = useState(false);
  const view = useQuery(useApi().bannerSwaps.state.queryOptions({ input: { workspaceId, campaignId } })).data ?? null;
  if (view === null) return null;
  const step = view.under?.step ?? 'done';
  return (
    <>
      <Chip aria-expanded={opened} onClick={() => setOpened(!opened)}>
        {step === 'done' ? texts.open : texts.goOn(appTexts.swap.steps[step])}
      </Chip>
      {opened && <BannerSwap workspaceId={workspaceId} campaignId={campaignId} onClose={() => setOpened(false)} />}
    </>
  );
}
