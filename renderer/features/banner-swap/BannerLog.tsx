import { useQuery } from '@tanstack/react-query';
import type { LoggedBanner } from '../../../shared/api/campaigns.ts';
import { percent, signedPercent } from '../../../shared/suggestions/explanation.ts';
import { useApi } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { countText, dayText, moneyText, plural } from '../../app/locale/numbers.ts';
import { appTexts } from '../../app/texts.ts';
import { Empty } from '../../components/Empty.tsx';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import styles from './banner-swap.module.css';

const texts = {
  title: 'Banner log',
  intro:
    'Metrics are of whole days with one banner. The difference in click rate allows for other SBA campaigns on the same days.',
  none: 'No banner yet',
  noneText: 'The log starts when the service shows an approved banner. Check for changes to read it now.',
  heads: ['Banner', 'From', 'To', 'Days', 'Spend', 'Click rate', 'Sales', 'Difference (80% likely)'],
  live: 'Live now',
  noMetrics: 'No metrics',
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

/** Which banner a campaign showed when, what it brought, and how it did against the one before. */
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
          <ScrollBox className={styles['swap-scroll']} label={texts.title}>
            <table className={`${ui['diff']} ${ui['plain-table']} ${styles['swap-log']}`}>
              <TableHead titles={texts.heads} />
              <tbody>
                {data.map((banner) => (
                  <BannerLine key={`${banner.from} ${banner.to} ${banner.headline}`} banner={banner} />
                ))}
              </tbody>
            </table>
          </ScrollBox>
        </>
      )}
    </section>
  );
}

function BannerLine({ banner }: { readonly banner: LoggedBanner }) {
  const { headline, brand, from, to, days, impressions, clicks, spend, sales } = banner;
  const metrics = [moneyText(spend), impressions === 0 ? '' : percent(clicks / impressions), moneyText(sales)];
  return (
    <tr>
      <th scope="row">
        {headline}
        <span className={ui['quiet']}> {brand}</span>
      </th>
      <td>{dayText(from)}</td>
      <td>{to === null ? texts.live : dayText(to)}</td>
      <td className={ui['numeric']}>{countText(days)}</td>
      {days === 0 ? (
        <td colSpan={metrics.length}>{texts.noMetrics}</td>
      ) : (
        metrics.map((text, at) => (
          <td key={texts.heads[at + 4]} className={ui['numeric']}>
            {text}
          </td>
        ))
      )}
      <td>
        <Difference banner={banner} />
      </td>
    </tr>
  );
}

function Difference({ banner: { isFirst, difference } }: { readonly banner: LoggedBanner }) {
  if (difference === null) return isFirst ? texts.first : texts.little;
  const { low, high, verdict, moreDays } = difference;
  const told = verdict !== 'unclear' ? texts[verdict] : moreDays === null ? texts.unclear : texts.more(moreDays);
  return (
    <>
      <strong className={ui['numeric']}>{signedPercent(difference.difference)}</strong>{' '}
      <span className={ui['numeric']}>({texts.likely(signedPercent(low), signedPercent(high))})</span>
      <span className={ui['quiet']}> {told}</span>
    </>
  );
}
