import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { LoggedBanner } from '../../../shared/api/campaigns.ts';
import { percent, signedPercent } from '../../../shared/suggestions/explanation.ts';
import { useApi } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { countText, dayText, moneyText, plural } from '../../app/locale/numbers.ts';
import { appTexts } from '../../app/texts.ts';
import { Empty } from '../../components/Empty.tsx';
import { FactList } from '../../components/Figures.tsx';
import ui from '../../components/ui.module.css';
import styles from './details.module.css';

const texts = {
  title: 'Banner log',
  intro:
    'Metrics are of whole days with one banner. The difference in click rate allows for other SBA campaigns on the same days.',
  none: 'No banner yet',
  noneText: 'The log starts when the service shows an approved banner. Check for changes to read it now.',
  facts: {
    shown: 'Shown',
    days: 'Days',
    metrics: 'Metrics',
    spend: 'Spend',
    rate: 'Click rate',
    sales: 'Sales',
    difference: 'Difference (80% likely)',
  },
  live: 'now',
  noMetrics: 'None',
  first: 'First banner',
  little: 'Too little evidence',
  likely: (low: string, high: string) => `${low} to ${high}`,
  unclear: 'Not clear yet',
  more: (days: number) => `Not clear yet, about ${plural(days, 'more day')} needed`,
  better: 'More clicks',
  worse: 'Fewer clicks',
} as const;

interface BannerLogProps {
  readonly workspaceId: string;
  readonly campaignId: number;
}

/** The banners that a campaign has shown: period, metrics, and the difference to the banner before. */
export function BannerLog({ workspaceId, campaignId }: BannerLogProps) {
  const { data, error } = useQuery(useApi().bannerSwaps.log.queryOptions({ input: { workspaceId, campaignId } }));
  return (
    <section className={styles['swap']} aria-label={texts.title}>
      <h3>{texts.title}</h3>
      {data === undefined && <p>{error === null ? appTexts.grid.loading : errorText(error)}</p>}
      {data?.length === 0 && <Empty title={texts.none} text={texts.noneText} />}
      {data !== undefined && data.length > 0 && (
        <>
          <p>{texts.intro}</p>
          <ol className={styles['swap-log']}>
            {data.map((banner) => (
              <BannerLine key={`${banner.from} ${banner.to} ${banner.headline}`} banner={banner} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

/** One banner as a card, which fits into a narrow pane. */
function BannerLine({ banner }: { readonly banner: LoggedBanner }) {
  const { headline, brand, from, to, days, impressions, clicks, spend, sales } = banner;
  const facts: readonly (readonly [name: keyof typeof texts.facts, value: ReactNode])[] = [
    ['shown', `${dayText(from)} – ${to === null ? texts.live : dayText(to)}`],
    ['days', countText(days)],
    ...(days === 0
      ? ([['metrics', texts.noMetrics]] as const)
      : ([
          ['spend', moneyText(spend)],
          ['rate', impressions === 0 ? '–' : percent(clicks / impressions)],
          ['sales', moneyText(sales)],
        ] as const)),
    ['difference', <Difference key="difference" banner={banner} />],
  ];
  return (
    <li>
      <strong>{headline}</strong> <span className={ui['quiet']}>{brand}</span>
      <FactList isNumeric facts={facts.map(([name, value]) => [texts.facts[name], value])} />
    </li>
  );
}

function Difference({ banner: { isFirst, difference } }: { readonly banner: LoggedBanner }) {
  if (difference === null) return isFirst ? texts.first : texts.little;
  const { low, high, verdict, moreDays } = difference;
  const told = verdict !== 'unclear' ? texts[verdict] : moreDays === null ? texts.unclear : texts.more(moreDays);
  return (
    <>
      <strong>{signedPercent(difference.difference)}</strong> ({texts.likely(signedPercent(low), signedPercent(high))})
      <span className={ui['quiet']}> {told}</span>
    </>
  );
}
