import type { Contract } from '../../shared/api/contract.ts';
import { type MetricsGroup, type MetricsLook, NOT_IN_REPORT } from '../../shared/api/metrics.ts';
import type { ViewSpec } from '../../shared/api/workspace.ts';
import { addDays } from '../../shared/model/plain-date.ts';
import type { PlainDate, WorkspaceId } from '../../shared/model/scalars.ts';
import { metricOfField, metricsFrom, SUMMED, type Sums } from '../../shared/reports/account-metrics.ts';
import { isReported, quotient, type ReportedKind } from '../../shared/reports/metric.ts';
import { keptAsDaysFrom } from '../../shared/reports/metric-calendar.ts';
import { comparedSpan, periodSpan } from '../../shared/reports/period.ts';
import { fail, ok } from '../../shared/result.ts';
import { usesMetrics } from '../../shared/search/parse-search.ts';
import { SIGNALS } from '../../shared/search/query.ts';
import { createSerialQueue } from '../../shared/serial-queue.ts';
import type { AppEvents } from '../app/events.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import type { Answered, Grouped } from '../cube/queries.ts';
import type { SpanLook } from '../cube/span-sums.ts';
import { type MetricColumn, viewOfRule, wantedMetrics } from '../store/reader/row-metrics.ts';
import { WorkspaceClosed } from '../store/worker/pending-calls.ts';
import type { MetricColumns } from '../store/workspace.ts';
import { askSuggestions, type SuggestionAccount } from '../suggestions/setup.ts';
import { createSuggestionSettings } from '../suggestions/suggestion-settings.ts';
import { resolveGrant } from './failures.ts';
import type { MainOperations, RouterContext } from './router.ts';

/** The days of a query, and the days to which they are compared. */
interface Looks {
  readonly now: SpanLook;
  readonly before: SpanLook | null;
}

async function looksOf(
  { reports }: Pick<ActiveAccount, 'reports'>,
  { period, comparison, window, settledOnly }: MetricsLook,
): Promise<Looks> {
  const span = periodSpan(period, await reports.today());
  const compared = comparedSpan(span, comparison);
  return {
    now: { span, window, settledOnly },
    before: compared === null ? null : { span: compared, window, settledOnly },
  };
}

const answeredOf = ({ now, before }: Looks, { version, fetchedAt, notSettledDays, unknownDays }: Answered) => ({
  version,
  span: now.span,
  previousSpan: before?.span ?? null,
  fetchedAt,
  notSettledDays,
  unknownDays,
});

/** Metrics of rows of a kind, in the form in which the reader thread sorts and filters by them. */
export const metricColumns = (account: SuggestionAccount, kind: ReportedKind, signal?: AbortSignal): MetricColumns => ({
  version: async () => {
    const settings = createSuggestionSettings(account.workspace);
    // A new dismissal is appended, so the last one changes with it.
    const asked = JSON.stringify([await settings.goals(), (await settings.dismissals()).at(-1)]);
    return `${await account.reports.today()} ${await (await account.cube()).version(kind)} ${asked}`;
  },
  read: async ({ column, look }) => {
    if (column === 'evidence' || column === 'suggestion') return signalColumn(account, kind, column);
    const { now, before } = await looksOf(account, look);
    const key = column === 'has' || column === 'trend' ? column : metricOfField(column);
    if (key === null) return null;
    const [values] = await (await account.cube()).until(signal).rowColumns(kind, now, before, [key]);
    return values ?? null;
  },
});

/**
 * Finds the rows of the user's enabled rules with metrics, using current metrics.
 *
 * @returns the IDs of those rules
 */
export async function matchMetricRules(account: ActiveAccount, signal?: AbortSignal): Promise<readonly string[]> {
  const { workspace } = account;
  const matched: string[] = [];
  for (const rule of await account.rules.list()) {
    const { id, kind, enabled, problem } = rule;
    if (!enabled || problem !== null || !usesMetrics(rule) || !isReported(kind)) continue;
    await workspace.keepMetrics(wantedMetrics(viewOfRule(rule)), metricColumns(account, kind, signal));
    await workspace.matchMetricRule(rule);
    matched.push(id);
  }
  return matched;
}

/** Edits and reports come in bursts; rules are run after this time without one. */
const REST_MS = 300;
const SEARCHED_BY: readonly string[] = ['rules', 'metrics', 'suggestions', 'practice'] satisfies (keyof Contract)[];
const marking = new WeakSet<ActiveAccount>();

/**
 * Updates the marks of rows that rules with metrics find, until the account is closed: now, and after each change of
 * rules, metrics or rows. Windows get the same event as for other issues.
 */
export function markMetricRules(account: ActiveAccount, workspaceId: WorkspaceId, events: AppEvents): void {
  if (marking.has(account)) return;
  marking.add(account);
  const { workspace } = account;
  const stop = new AbortController();
  const inTurn = createSerialQueue();
  let hasMarks = false;
  let heard = 0;
  let timer: NodeJS.Timeout | undefined;
  const search = async (): Promise<void> => {
    const found = await matchMetricRules(account, stop.signal);
    hasMarks = found.length > 0;
    const { kinds, marked } = await workspace.markMetricMatches(found);
    if (kinds.length === 0) return;
    await workspace.markRows(marked);
    const revision = Math.max(heard, (await workspace.summary()).revision);
    events.publish({ type: 'workspace.changed', workspaceId, revision, kinds: [...kinds], only: 'issues' });
  };
  const failed = (error: unknown): void => {
    if (stop.signal.aborted || error instanceof WorkspaceClosed) return;
    const message = `Rows can't be checked by rules with metrics: ${error instanceof Error ? error.message : 'unknown'}.`;
    events.publish({ type: 'notice', workspaceId, severity: 'warning', message, params: {} });
  };
  const soon = (): void => {
    if (stop.signal.aborted) return;
    timer = timer?.refresh() ?? setTimeout(() => void inTurn(() => search().catch(failed)), REST_MS);
  };
  workspace.onChanged((revision, _kinds, only) => {
    heard = revision;
    if (only === null && hasMarks) soon();
  });
  const follow = async (): Promise<void> => {
    for await (const event of events.subscribe(stop.signal)) {
      if (event.type !== 'settings.changed' || event.workspaceId !== workspaceId) continue;
      if (SEARCHED_BY.includes(event.area)) soon();
    }
  };
  follow().catch(failed);
  account.onClose(async () => {
    stop.abort();
    clearTimeout(timer);
    await inTurn(async () => undefined);
  });
  void inTurn(() => search().catch(failed));
}

/** The metrics by which a view is sorted and filtered. */
export async function metricsOfView(account: SuggestionAccount, view: ViewSpec | null): Promise<MetricColumn[]> {
  if (view === null || !isReported(view.kind)) return [];
  const { read } = metricColumns(account, view.kind);
  const found: MetricColumn[] = [];
  for (const wanted of wantedMetrics(view)) {
    const values = await read(wanted);
    if (values !== null) found.push({ wanted, values });
  }
  return found;
}

/** For every row with a suggested bid or pause, the index of its word among those of the signal; NaN for other rows. */
async function signalColumn(account: SuggestionAccount, kind: ReportedKind, signal: 'evidence' | 'suggestion') {
  const query = {
    is: 'page',
    kinds: ['bid', 'no-sale'],
    campaignId: null,
    from: 0,
    count: Number.MAX_SAFE_INTEGER,
  } as const;
  const found = (await askSuggestions(account, query)).suggestions.filter(({ type }) => type === kind);
  const values = new Float64Array(found.reduce((most, { id }) => Math.max(most, id ?? 0), 0) + 1).fill(Number.NaN);
  for (const { id, current, suggested, evidence } of found) {
    const isLower = typeof suggested === 'number' && typeof current === 'number' && suggested < current;
    const word = typeof suggested === 'string' ? 'pause' : isLower ? 'lower' : 'higher';
    const words: readonly string[] = SIGNALS[signal];
    if (id !== null) values[id] = words.indexOf(signal === 'evidence' ? evidence : word);
  }
  return values;
}

/** Metrics of rows, groups, views and days, from the cube; sends no requests to the service. */
export const metricsOperations = ({ grants }: Pick<RouterContext, 'grants'>): Pick<MainOperations, 'metrics'> => ({
  metrics: {
    ofRows: async ({ account, signal }, { kind, ids, look }) => {
      const looks = await looksOf(account, look);
      const cube = (await account.cube()).until(signal);
      const now = await cube.ofRows(kind, ids, looks.now, true);
      const before = looks.before === null ? null : await cube.ofRows(kind, ids, looks.before, false);
      const { spend = 0 } = await cube.total(looks.now);
      const { spend: spendBefore = 0 } = looks.before === null ? {} : await cube.total(looks.before);
      const rows = ids.flatMap((id, at) => {
        const row = now.rows[at];
        const earlier = before?.rows[at];
        if (row === undefined && earlier === undefined) return [];
        const { sums = {}, notSettled = 0, trend = [] } = row ?? {};
        const metrics = metricsWithShare(sums, spend);
        const previous = earlier === undefined ? null : metricsWithShare(earlier.sums, spendBefore);
        return [{ id, metrics, previous, notSettled, trend }];
      });
      return ok({ ...answeredOf(looks, now), rows });
    },
    grouped: async ({ account, signal }, { group, reportType = null, look }) =>
      ok(await groupedMetrics(account, group, reportType, look, signal)),
    ofView: async ({ account, signal }, { viewId, kind, look, ranges }) => {
      const looks = await looksOf(account, look);
      const cube = (await account.cube()).until(signal);
      const version = await cube.version(kind);
      const sumsOf = async (span: SpanLook) => {
        const columns = await cube.rowColumns(kind, span, null, SUMMED);
        return account.workspace.viewMetricSums(viewId, ranges, columns);
      };
      const now = await sumsOf(looks.now);
      const before = looks.before === null ? null : await sumsOf(looks.before);
      if (now === null) return fail('NO_VIEW', { viewId });
      const sums = sumsFrom(now.sums);
      const { spend = 0 } = await cube.total(looks.now);
      const { spend: spendBefore = 0 } = looks.before === null ? {} : await cube.total(looks.before);
      const answered = await cube.ofRows(kind, [], looks.now, false);
      return ok({
        ...answeredOf(looks, { ...answered, version }),
        rows: now.rows,
        metrics: { ...metricsWithShare(sums, spend), ...coverageOf(sums, spend) },
        previous: before === null ? null : metricsWithShare(sumsFrom(before.sums), spendBefore),
      });
    },
    days: async ({ account }, { reportType, from, to, window }) => {
      const cube = await account.cube();
      const days = await cube.dayStates(reportType, { from: from as PlainDate, to: to as PlainDate }, window);
      return ok({ version: await cube.version(null), days });
    },
    decide: async ({ account }, { reportType, days, take }) =>
      ok({ decided: await (await account.cube()).decide(reportType, days, take) }),
    previewFile: ({ account }, input) => reportFile(grants, account, input, true),
    addFile: ({ account }, input) => reportFile(grants, account, input, false),
    settings: async ({ account }) => {
      const cube = await account.cube();
      const { bytes, sources, problems } = await cube.sizes();
      return ok({
        keepFresh: await account.metricsFetch.keepsFresh(),
        problem: cube.problem?.detail ?? '',
        monthProblem: problems.month,
        damageProblem: problems.damage,
        bytes,
        sources: sources.map(({ firstDaily: _, lastReduced: _last, ...source }) => ({
          ...source,
          keys: [...source.keys],
        })),
        reducible: monthsToReduce(sources, await account.reports.today()),
      });
    },
    keepMonths: async ({ account }, input) => ok(await keepMonths(account, input.before)),
    set: async ({ account }, { keepFresh }) => {
      await account.metricsFetch.setFresh(keepFresh);
      account.metricsFetch.soon();
      return ok({});
    },
  },
});

/**
 * Months before which daily data can be reduced to months, because those days are no longer requested from the service.
 */
function monthsToReduce(
  sources: readonly { readonly firstDaily: string | null }[],
  today: PlainDate,
): readonly string[] {
  const last = keptAsDaysFrom(today);
  const first = sources.flatMap(({ firstDaily }) => firstDaily ?? []).toSorted()[0] ?? last;
  const months: string[] = [];
  for (let month = nextMonth(first.slice(0, 7)); month <= last; month = nextMonth(month)) months.push(month);
  return months;
}

const nextMonth = (month: string): string => addDays(`${month}-01` as PlainDate, 31).slice(0, 7);

/** Reduces daily data before a month, or before the last month that allows it, to months. */
export async function keepMonths({ cube: open, reports }: Pick<ActiveAccount, 'cube' | 'reports'>, wanted: string) {
  const last = keptAsDaysFrom(await reports.today());
  const before = wanted < last ? wanted : last;
  const cube = await open();
  const { bytes: bytesBefore } = await cube.sizes();
  const { days, left, problem } = await cube.keepMonths(before);
  return { before, days, left, bytesBefore, bytes: (await cube.sizes()).bytes, problem };
}

/** Previews or imports a report file of the user. */
async function reportFile(
  grants: RouterContext['grants'],
  account: ActiveAccount,
  { grant, modifiedAt }: { readonly grant: string; readonly modifiedAt: number | null },
  isPreview: boolean,
) {
  const file = await resolveGrant(grants, grant);
  if (!file.ok) return file;
  const read = await account.importReport(file.value.path, { isPreview, modifiedAt });
  if (!read.ok) return ok({ is: 'refused' as const, problem: read.error.detail });
  const { reportType, rows, skipped, unreadable, taken, older, held, gaps } = read.value;
  const [first = null, last = null] = [taken[0], taken.at(-1)];
  const days = { taken: taken.length, older: older.length, held: held.length, gaps: gaps.length };
  return ok({ is: 'read' as const, reportType, rows, skipped, unreadable, first, last, ...days });
}

const sumsFrom = (sums: readonly (number | null)[]): Sums =>
  Object.fromEntries(
    SUMMED.flatMap((name, at) => {
      const sum = sums[at] ?? null;
      return sum === null ? [] : [[name, sum] as const];
    }),
  );

const share = (part: number, whole: number): number | null => quotient('percent', part, whole);

/** @param total the spend of all campaigns on the same days */
function metricsWithShare(sums: Sums, total: number): Record<string, number> {
  const spendShare = sums.spend === undefined ? null : share(sums.spend, total);
  return { ...metricsFrom(sums), ...(spendShare === null ? {} : { spendShare }) };
}

function coverageOf({ spend }: Sums, total: number): { readonly coverage?: number } {
  const coverage = spend === undefined ? null : share(spend, total);
  return coverage === null ? {} : { coverage };
}

/** Metrics by group; rows missing in the report are a group of their own. */
async function groupedMetrics(
  account: Pick<ActiveAccount, 'reports' | 'cube'>,
  group: Parameters<Awaited<ReturnType<ActiveAccount['cube']>>['grouped']>[0],
  reportType: string | null,
  look: MetricsLook,
  signal: AbortSignal | undefined,
) {
  const looks = await looksOf(account, look);
  const cube = (await account.cube()).until(signal);
  const ask = (span: SpanLook): Promise<Grouped> => cube.grouped(group, reportType, span, looks.now.span);
  const now = await ask(looks.now);
  const before = looks.before === null ? null : await ask(looks.before);
  const total = now.total.spend ?? 0;
  const withRest = ({ groups, sum, total }: Grouped): Grouped['groups'] => {
    const rest = restOf(sum, total);
    return rest === null ? groups : [...groups, { key: NOT_IN_REPORT, label: '', rowId: null, sums: rest, others: {} }];
  };
  const earlier = before === null ? null : new Map(withRest(before).map((each) => [each.key, each]));
  const own = withRest(now);
  const keys = new Set(own.map(({ key }) => key));
  // A group with rows only in the compared days is shown without current metrics.
  const gone = [...(earlier?.values() ?? [])]
    .filter(({ key }) => !keys.has(key))
    .map((each) => ({ ...each, sums: {}, others: {} }));
  const groups = [...own, ...gone].map(({ key, label, rowId, sums, others }): MetricsGroup => {
    const was = earlier?.get(key);
    return {
      key,
      label,
      rowId,
      metrics: { ...others, ...metricsWithShare(sums, total) },
      previous: was === undefined ? null : { ...was.others, ...metricsWithShare(was.sums, before?.total.spend ?? 0) },
    };
  });
  const coverage = now.sum.spend === undefined ? null : share(now.sum.spend, total);
  return {
    ...answeredOf(looks, now),
    groups,
    total: { ...metricsFrom(now.total), ...coverageOf(now.sum, total) },
    previousTotal: before === null ? null : { ...metricsFrom(before.total) },
    coverage,
  };
}

/** The part of the total that is in no group; null for none. */
function restOf(sum: Sums, total: Sums): Sums | null {
  const rest = Object.entries(total).map(([name, value]) => [name, value - (sum[name as keyof Sums] ?? 0)] as const);
  return rest.every(([, value]) => value === 0) ? null : Object.fromEntries(rest);
}
