import { IconArrowDownRight, IconArrowUpRight, IconChevronDown } from '@tabler/icons-react';
import { skipToken, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { Overview, Pace, TileName } from '../../../shared/api/overview.ts';
import { TILES } from '../../../shared/api/overview.ts';
import { FIELDS } from '../../../shared/model/fields.ts';
import type { PlainDate } from '../../../shared/model/scalars.ts';
import { metricField } from '../../../shared/reports/account-metrics.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { commandOf } from '../../app/commands.ts';
import { choiceName, suggestionKindNames } from '../../app/field-names.ts';
import { locale } from '../../app/locale/current.ts';
import { countText, dayText, moneyText, timeText, weekdayText, wholeMoneyText } from '../../app/locale/numbers.ts';
import { Waiting } from '../../app/Problem.tsx';
import { appTexts } from '../../app/texts.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { Chip } from '../../components/Chip.tsx';
import { Choice } from '../../components/Choice.tsx';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { PictureOrInitial } from '../../grid/ItemPicture.tsx';
import { PeriodPicker } from '../period/PeriodPicker.tsx';
import { DayChart } from './DayChart.tsx';
import styles from './overview.module.css';
import { overviewTexts as texts } from './text.ts';

type CampaignType = (typeof FIELDS.campaign.campaignType.type.choices)[number];

interface OverviewProps {
  readonly workspaceId: string;
  /** Cards of other features, above those of the overview. */
  readonly children: ReactNode;
}

/** The home page of an account: its metrics, what needs the user, and what is next. */
export function OverviewScreen({ workspaceId, children }: OverviewProps) {
  const api = useApi();
  const period = useView((s) => s.period);
  const campaignType = useView((s) => s.scope);
  const { data, error } = useQuery({
    ...api.overview.get.queryOptions({ input: { workspaceId, period, campaignType } }),
    // The data of the period before stays visible until the new one is loaded, so that the layout does not jump.
    placeholderData: (before) => before,
  });
  useMissingDays(workspaceId, data);
  const showDay = useShowDay();
  const ids = data === undefined ? [] : shownCampaigns(data);
  const pictures = useQuery(
    api.pictures.ofCampaigns.queryOptions({
      input: ids.length === 0 ? skipToken : { workspaceId, campaignIds: ids },
      placeholderData: (before) => before,
    }),
  ).data;
  const urls = new Map(pictures?.map(({ campaignId, url }) => [campaignId as number, url]));
  if (error !== null && data === undefined) return <Waiting error={error} />;
  return (
    <div className={styles['screen']}>
      <Head workspaceId={workspaceId} data={data} />
      {data !== undefined && data.damaged.length > 0 && <Damaged data={data} />}
      <Tiles data={data} />
      <div className={styles['columns']}>
        <DayChart data={data} onDay={showDay} />
        <div className={styles['side']}>
          {children}
          <Suggested workspaceId={workspaceId} />
          <LastSync data={data} />
          <LargestChanges data={data} urls={urls} />
        </div>
        <div className={styles['pair']}>
          <Starting data={data} urls={urls} />
          <Pacing data={data} urls={urls} />
        </div>
      </div>
    </div>
  );
}

const shownCampaigns = ({ changes, pacing, starting }: Overview) => [
  ...new Set(
    [...changes, ...pacing.campaigns.slice(0, LISTED), ...starting.launches].map(({ campaignId }) => campaignId),
  ),
];

const overviewActions = (context: ActionContext) => ({
  request: (again: boolean) =>
    runAction(context, (workspaceId) =>
      context.connection.client.overview.request({ workspaceId, period: context.store.getState().period, again }),
    ),
});

/** Requests days that no report covers when the service can be reached; main sends one request for the same days. */
function useMissingDays(workspaceId: string, data: Overview | undefined): void {
  const { connection, store } = useAppContext();
  const api = useApi();
  const isReached = useQuery(api.accountStatus.get.queryOptions({ input: { workspaceId } })).data?.reachable !== false;
  const missing = data?.missing ?? null;
  const wanted = missing === null || !isReached ? null : `${missing.from} ${missing.to}`;
  useEffect(() => {
    if (wanted === null) return;
    const { period } = store.getState();
    // If the request fails now, the days are shown as missing, and a click requests them and shows the reason.
    connection.client.overview.request({ workspaceId, period }).catch(() => undefined);
  }, [wanted, workspaceId, connection, store]);
}

interface DataProps {
  readonly data: Overview | undefined;
}

function Head({ workspaceId, data }: DataProps & { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const scope = useView((s) => s.scope);
  const now = useNow();
  const isAway =
    useQuery(useApi().accountStatus.get.queryOptions({ input: { workspaceId } })).data?.reachable === false;
  const today = data?.today ?? new Date(now).toISOString().slice(0, 10);
  return (
    <header className={styles['head']}>
      <h1>{locale().longWeekday(today)}</h1>
      {data?.lastSync != null && (
        <span className={styles['head-sync']}>
          {texts.lastSync(data.lastSync.at === null ? '' : timeText(data.lastSync.at, now))}{' '}
          <button
            type="button"
            className={ui['card-link']}
            onClick={() => store.getState().openSync({ isResult: true })}
          >
            {syncResult(data.lastSync)}
          </button>
        </span>
      )}
      <span className={styles['gap']} />
      {data !== undefined && (
        <span
          className={ui['quiet']}
          title={data.fetchedAt === null ? '' : texts.received(timeText(data.fetchedAt, now))}
        >
          {isAway && texts.offline}
          {/* Without a campaign there is nothing that the reports could be about. */}
          {data.hasCampaigns && data.through !== null && texts.through(dayText(data.through))}
        </span>
      )}
      <PeriodPicker workspaceId={workspaceId} today={today as PlainDate} />
      <span className={styles['scope']}>
        <Choice
          className=""
          aria-label={texts.scope}
          options={[
            [null, texts.all],
            ...FIELDS.campaign.campaignType.type.choices.map((type) => [type, choiceName(type)] as const),
          ]}
          value={scope}
          onChoose={(type) => store.getState().chooseScope(type)}
        />
        <IconChevronDown size={12} aria-hidden="true" />
      </span>
    </header>
  );
}

function syncResult({ sent, failed, unresolved, notSent, isRunning }: NonNullable<Overview['lastSync']>): string {
  if (isRunning) return texts.syncing;
  const all = sent + failed + unresolved + notSent;
  const asking = failed + unresolved;
  return `${texts.sentOf(sent, all)}${asking === 0 ? '' : `, ${texts.needAttention(asking)}`}`;
}

/** Shown when the file of a report is damaged: which days are unknown, with a button to get them again. */
function Damaged({ data }: { readonly data: Overview }) {
  const actions = useActions(overviewActions);
  const [first] = data.damaged;
  if (first === undefined) return null;
  return (
    <div className={styles['problem']} role="alert">
      <span>{texts.damaged(dayText(first.startDate), dayText(first.endDate))}</span>
      <Chip onClick={() => void actions.request(true)}>{texts.again}</Chip>
    </div>
  );
}

const columnOf = (name: TileName): string => metricField({ name, window: null, isChange: false });

/** Whether a higher value is better (1) or worse (-1). The color shows better or worse; spend alone is neither. */
const BETTER: Readonly<Record<TileName, 1 | -1 | 0>> = { sales: 1, spend: 0, roas: 1, orders: 1, cpc: -1 };

function tileText(name: TileName, value: number | null): string {
  if (value === null) return '–';
  if (name === 'orders') return countText(value);
  if (name === 'roas') return locale().amount(value);
  return name === 'cpc' ? moneyText(value) : wholeMoneyText(value);
}

function Tiles({ data }: DataProps) {
  const { store } = useAppContext();
  const actions = useActions(overviewActions);
  const scope = useView((s) => s.scope);
  const isEmpty = data !== undefined && (data.through === null || !data.hasCampaigns);
  // Until the first refresh has ended, nobody knows whether the account has campaigns.
  const isRefreshing = useView((s) => s.refreshing.includes(s.workspaceId ?? ''));
  const noCampaigns = isRefreshing ? appTexts.sync.refreshing : texts.noCampaigns;
  return (
    <section className={styles['tiles']} aria-label={texts.tiles} aria-busy={data === undefined}>
      {TILES.map((name) => {
        const tile = data?.tiles[name];
        if (data === undefined || tile === undefined || isEmpty) {
          return (
            <div key={name} className={styles['tile']}>
              <span className={styles['tile-name']}>{texts.names[name]}</span>
              <span className={styles['tile-none']}>
                {!isEmpty ? '' : name !== 'sales' ? '–' : data.hasCampaigns ? texts.noMetrics : noCampaigns}
              </span>
              {isEmpty && name === 'sales' && !data.hasCampaigns && !isRefreshing && <AddCampaign />}
              {isEmpty && name === 'sales' && data.hasCampaigns && (
                <Chip onClick={() => void actions.request(true)}>{texts.get}</Chip>
              )}
            </div>
          );
        }
        const open = (): void =>
          store.getState().showRows({
            kind: 'campaign',
            filter: metricFilter(data.span.from, data.span.to, scope),
            sort: [{ column: columnOf(name), descending: true }],
          });
        return (
          <button
            key={name}
            type="button"
            className={styles['tile']}
            title={texts.campaigns(data.campaigns)}
            data-rows={data.campaigns}
            onClick={open}
          >
            <span className={styles['tile-name']}>{texts.names[name]}</span>
            <span className={styles['tile-value']}>{tileText(name, tile.now)}</span>
            <span className={styles['tile-change']}>
              <Change better={BETTER[name]} now={tile.now} before={tile.before} />{' '}
              {tile.before !== null && <span>{texts.before(tileText(name, tile.before))}</span>}
            </span>
            <Sparkline values={tile.days} />
          </button>
        );
      })}
    </section>
  );
}

/** Adds the first campaign of an account: a new one on the simulated service, an existing one on a real service. */
function AddCampaign() {
  const context = useCommandContext();
  const { title, run } = commandOf(context.practice ? 'campaign.new' : 'campaign.add-by-id');
  return <Chip onClick={() => run(context)}>{title}</Chip>;
}

/** The filter for the rows behind a number. */
const metricFilter = (from: string, to: string, scope: CampaignType | null): string =>
  `metrics:${from === to ? from : `${from}..${to}`}${scope === null ? '' : ` campaignType:${scope}`}`;

function useShowDay(): (day: string) => void {
  const { store } = useAppContext();
  return (day) =>
    store.getState().showRows({
      kind: 'campaign',
      filter: metricFilter(day, day, store.getState().scope),
      sort: [{ column: columnOf('sales'), descending: true }],
    });
}

interface ChangeProps {
  readonly better: 1 | -1 | 0;
  readonly now: number | null;
  readonly before: number | null;
}

function Change({ better, now, before }: ChangeProps) {
  if (now === null || before === null || before === 0) return null;
  const tenths = Math.round((1000 * (now - before)) / before);
  const isUp = tenths > 0;
  const Arrow = isUp ? IconArrowUpRight : IconArrowDownRight;
  const tone = tenths === 0 || better === 0 ? '' : isUp === better > 0 ? styles['better'] : styles['worse'];
  return (
    <span className={tone}>
      {tenths !== 0 && <Arrow size={12} stroke={2} aria-label={isUp ? texts.up : texts.down} />}
      {locale().tenths(Math.abs(tenths) / 10)}%
    </span>
  );
}

interface CardProps {
  readonly title: string;
  readonly className?: string | undefined;
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

function Card({ title, className, end, children }: CardProps) {
  return (
    <section className={`${styles['card']} ${className ?? ''}`} aria-label={title}>
      <header className={styles['card-head']}>
        <h2>{title}</h2>
        <span className={styles['gap']} />
        {end}
      </header>
      {children}
    </section>
  );
}

interface ListProps extends DataProps {
  /** Picture URLs by campaign. */
  readonly urls: ReadonlyMap<number, string>;
}

interface LineProps {
  readonly campaignId: number;
  readonly name: string;
  readonly field: string | null;
  readonly urls: ReadonlyMap<number, string>;
  readonly children: ReactNode;
}

/** A campaign in a list, which opens its row. */
function Line({ campaignId, name, field, urls, children }: LineProps) {
  const { store } = useAppContext();
  return (
    <li>
      <button
        type="button"
        className={styles['line']}
        onClick={() => store.getState().reveal('campaign', null, campaignId, field)}
      >
        <PictureOrInitial url={urls.get(campaignId) ?? null} name={name} size={24} />
        <span className={styles['line-name']}>{name}</span>
        {children}
      </button>
    </li>
  );
}

function Starting({ data, urls }: ListProps) {
  const { store } = useAppContext();
  return (
    <Card
      title={texts.starting}
      end={
        <button type="button" className={ui['card-link']} onClick={() => store.getState().openPlace('launch')}>
          {texts.launch}
        </button>
      }
    >
      {data !== undefined && data.starting.total === 0 && <p className={styles['none']}>{texts.startingNone}</p>}
      <ul className={styles['lines']}>
        {data?.starting.launches.slice(0, LISTED).map((launch) => (
          <Line key={launch.campaignId} campaignId={launch.campaignId} name={launch.name} field="startDate" urls={urls}>
            <span className={styles['line-state']}>
              <StatusShape state={launch.state} text={choiceName(launch.state)} />
            </span>
            <span className={styles['line-day']}>{launch.startDate === null ? '' : weekdayText(launch.startDate)}</span>
            <span className={styles['line-words']}>{texts.next(launch)}</span>
          </Line>
        ))}
      </ul>
    </Card>
  );
}

const LISTED = 5;

function Pacing({ data, urls }: ListProps) {
  const paces = data?.pacing.campaigns.slice(0, LISTED) ?? [];
  return (
    <Card
      title={texts.pacing}
      end={
        data !== undefined &&
        data.pacing.daily > 0 && <span className={ui['quiet']}>{texts.aDay(moneyText(data.pacing.daily))}</span>
      }
    >
      {data !== undefined && paces.length === 0 && <p className={styles['none']}>{texts.pacingNone}</p>}
      <ul className={styles['lines']}>
        {paces.map((pace) => (
          <Line key={pace.campaignId} campaignId={pace.campaignId} name={pace.name} field="dailyBudget" urls={urls}>
            <PaceBar pace={pace} />
            <span className={`${styles['pace-words']} ${pace.is === 'on-pace' ? '' : styles['off-pace']}`}>
              {texts.pace(pace)}
            </span>
          </Line>
        ))}
      </ul>
    </Card>
  );
}

/** The share of a budget that is spent, with a mark at the share of time that has passed. */
function PaceBar({ pace: { budget, spent, elapsed, is } }: { readonly pace: Pace }) {
  const share = Math.min(100, budget === 0 ? 0 : (100 * spent) / budget);
  return (
    <span className={styles['pace']} role="img" aria-label={texts.spent(moneyText(spent), moneyText(budget))}>
      <span
        className={`${styles['pace-spent']} ${is === 'on-pace' ? '' : styles['pace-off']}`}
        style={{ width: `${share}%` }}
      />
      <span className={styles['pace-today']} style={{ left: `${elapsed / 100}%` }} />
    </span>
  );
}

function LastSync({ data }: DataProps) {
  const { store } = useAppContext();
  const now = useNow();
  const sync = data?.lastSync;
  if (sync == null) return null;
  const { sent, failed, unresolved, notSent } = sync;
  const parts = [
    { is: 'sent', n: sent },
    { is: 'failed', n: failed },
    { is: 'unresolved', n: unresolved },
    { is: 'not-sent', n: notSent },
  ].filter(({ n }) => n > 0);
  return (
    <Card title={texts.lastSyncTitle} className={styles['wide-only']}>
      {sync.at !== null && <p>{timeText(sync.at, now)}</p>}
      <div className={styles['result-bar']} aria-hidden="true">
        {parts.map(({ is, n }) => (
          <span key={is} data-is={is} style={{ flexGrow: n }} />
        ))}
      </div>
      <p className={ui['quiet']}>{texts.result(sync)}</p>
      <button type="button" className={ui['card-link']} onClick={() => store.getState().openSync({ isResult: true })}>
        {texts.showResults}
      </button>
    </Card>
  );
}

/** The number of suggestions by kind; each kind opens its list. */
function Suggested({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const query = useApi().suggestions.list.queryOptions({ input: { workspaceId, from: 0, count: 0 } });
  const data = useQuery(query).data;
  const kinds = data?.kinds.filter(({ count }) => count > 0) ?? [];
  if (data === undefined || (data.hasGoal && kinds.length === 0)) return null;
  const { openSuggestions } = store.getState();
  return (
    <Card
      title={texts.suggestions}
      end={
        <button type="button" className={ui['card-link']} onClick={() => openSuggestions(null)}>
          {texts.showAll}
        </button>
      }
    >
      <ul className={styles['lines']}>
        {kinds.map(({ kind, count }) => (
          <li key={kind}>
            <button type="button" className={styles['line']} onClick={() => openSuggestions(kind)}>
              <span className={styles['line-name']}>{suggestionKindNames[kind]}</span>
              <span className={`${styles['gap']} ${styles['amount']}`}>{countText(count)}</span>
            </button>
          </li>
        ))}
      </ul>
      {data.whatIf !== null && <p className={ui['quiet']}>{texts.whatIf(data.whatIf)}</p>}
      {!data.hasGoal && (
        <>
          <p className={ui['quiet']}>{texts.noTarget}</p>
          <Chip onClick={() => openSuggestions(null, 'account')}>{texts.setTarget}</Chip>
        </>
      )}
    </Card>
  );
}

function LargestChanges({ data, urls }: ListProps) {
  if (data === undefined || data.changes.length === 0) return null;
  return (
    <Card
      title={texts.changes}
      className={styles['wide-only']}
      end={<span className={ui['quiet']}>{texts.names.sales}</span>}
    >
      <ul className={styles['lines']}>
        {data.changes.map(({ campaignId, name, change }) => (
          <Line key={campaignId} campaignId={campaignId} name={name} field={null} urls={urls}>
            <span className={`${styles['gap']} ${styles['amount']} ${change > 0 ? styles['better'] : styles['worse']}`}>
              {change > 0 ? '+' : '−'}
              {wholeMoneyText(Math.abs(change))}
            </span>
          </Line>
        ))}
      </ul>
    </Card>
  );
}

const LINE_WIDTH = 82;
const LINE_HEIGHT = 28;
const LINE_MARGIN = 3;

/** A small line chart without axes; unknown days are gaps. */
function Sparkline({ values }: { readonly values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (at: number): number => LINE_MARGIN + (at * (LINE_WIDTH - 2 * LINE_MARGIN)) / (values.length - 1);
  const y = (value: number): number =>
    most === least
      ? LINE_HEIGHT / 2
      : LINE_HEIGHT - LINE_MARGIN - ((value - least) * (LINE_HEIGHT - 2 * LINE_MARGIN)) / (most - least);
  const points = values.flatMap((value, at) => (value === null ? [] : [{ x: x(at), y: y(value) }]));
  const line = points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(' ');
  const [first, last] = [points[0], points.at(-1)];
  return (
    <svg className={styles['spark']} width={LINE_WIDTH} height={LINE_HEIGHT} aria-hidden="true">
      <polygon points={`${first?.x},${LINE_HEIGHT} ${line} ${last?.x},${LINE_HEIGHT}`} className={styles['fill']} />
      <polyline points={line} className={styles['sales']} />
      <circle cx={last?.x} cy={last?.y} r={2} className={styles['dot']} />
    </svg>
  );
}
