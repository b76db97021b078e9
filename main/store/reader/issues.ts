import { setImmediate as yieldToQueue } from 'node:timers/promises';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { type CustomRule, USER_RULE_PREFIX, userRuleIssue } from '../../../shared/rules/custom-rules.ts';
import { RULES } from '../../../shared/rules/registry.ts';
import type { Issue, IssueCounts, RuleTally } from '../../../shared/rules/rule.ts';
import { type Checker, createRuleChecker } from '../check.ts';
import { asNumber, asText, type Db, rowIdOf, rowIdsOf } from '../db/db.ts';
import { ACCOUNT, campaignNames, readAccountCampaigns } from '../rows/campaign-ids.ts';
import { addCounts, countIssues, createTallyReader } from '../rows/issue-counts.ts';
import { readRows, readRowsWithIds } from '../rows/read-rows.ts';
import { readTrees } from '../rows/read-trees.ts';
import { currentRevision } from '../rows/revision.ts';
import { tableOf } from '../schema/tables.ts';
import { type MarkedRows, markedRowsOf, metricIssues, rowMetricsOf, setMarkedRows, viewOfRule } from './row-metrics.ts';
import { filterSql } from './search-sql.ts';
import { selectSql } from './view-values.ts';

export interface IssuesPage {
  /** Length of the whole list. */
  readonly total: number;
  /** Counts of the account or the campaign, even if the list shows one rule only; the same for `rules`. */
  readonly counts: IssueCounts;
  readonly rules: readonly RuleTally[];
  readonly issues: readonly (Issue & { readonly label: string; readonly campaignName: string })[];
}

export type IssuesReader = ReturnType<typeof createIssuesReader>;

/** Selects issues: of a campaign or the account, of one rule or all, and a page of them. */
export interface IssuesQuery {
  readonly from: number;
  readonly count: number;
  readonly campaignId: RowId | null;
  readonly rule: string | null;
  /** IDs of the custom rules with metrics to include; none if omitted. */
  readonly metricRules?: readonly string[];
}

type Shown = IssuesPage['issues'][number];

/**
 * The file stores a bit per rule and row, and the number of issues per campaign and rule. The issues themselves,
 * with their parameters, are calculated again for the campaigns of a requested page.
 */
export function createIssuesReader(db: Db, profile: DeploymentSettings, migrated: boolean | null) {
  const judge = createRuleChecker(db, profile, migrated);
  const readTallies = createTallyReader();
  const checkerFor = (nowMs: number): Checker => judge(nowMs).checker;
  const ofAccount = (nowMs: number) =>
    checkerFor(nowMs).account(readAccountCampaigns(db), readRows(db, 'media', 'true'));
  const ofCampaign = (nowMs: number, tree: CampaignTree) => [
    ...ofAccount(nowMs).filter((issue) => issue.campaignId === tree.campaign.id),
    ...checkerFor(nowMs).campaign(tree),
  ];
  const metricMatches = createMetricMatches(db);
  const storedPage = async (nowMs: number, { from, count, campaignId, rule }: IssuesQuery): Promise<IssuesPage> => {
    if (campaignId !== null) {
      const found = readTrees(db, [campaignId]).flatMap((tree) => shown(ofCampaign(nowMs, tree), tree));
      const list = rule === null ? found : found.filter((issue) => issue.rule === rule);
      const said = { counts: countOf(found), rules: inOrder(countIssues(found)) };
      return { total: list.length, ...said, issues: list.slice(from, from + count) };
    }
    const counted = readCounted(db, readTallies);
    const parts = rule === null ? partsBySeverity(counted) : partsOfRule(counted, rule);
    const made = new Map<RowId, readonly Shown[]>();
    const issues: Shown[] = [];
    let at = 0;
    for (const { id, size, isOf } of parts) {
      if (at >= from + count) break;
      if (at + size > from) {
        await yieldToQueue();
        const said =
          made.get(id) ?? (id === ACCOUNT ? accountShown(db, ofAccount(nowMs)) : ownShown(db, checkerFor(nowMs), id));
        made.set(id, said);
        issues.push(...said.filter(isOf).slice(Math.max(0, from - at), Math.min(size, from + count - at)));
      }
      at += size;
    }
    return {
      total: parts.reduce((sum, { size }) => sum + size, 0),
      counts: readIssueCounts(db),
      rules: inOrder(addCounts(counted.map(({ rules }) => rules))),
      issues,
    };
  };
  return {
    ofAccount,
    /** All issues of this campaign's rows, including those of account rules. */
    ofCampaign,
    /** The same without those of account rules, which read the stored rows. */
    ofTree: (nowMs: number, tree: CampaignTree) => checkerFor(nowMs).campaign(tree),
    /** Campaigns with an issue of this rule, by the stored counts. */
    campaignsWith: (rule: string): readonly RowId[] =>
      partsOfRule(readCounted(db, readTallies), rule).flatMap(({ id }) => (id === ACCOUNT ? [] : [id])),
    /** Issues of the marked rules with metrics for these rows. */
    ofMetrics: (kind: Kind, ids: readonly RowId[]) => metricIssues(db, kind, ids),
    /** Issues of these rows, campaign by campaign. Yields to other calls in between. */
    ofRows: async (nowMs: number, kind: Kind, ids: readonly RowId[]): Promise<readonly Issue[]> => {
      const asked = new Set<number>(ids);
      const said: Issue[] = [];
      const keep = (issues: readonly Issue[]): void => {
        for (const issue of issues) if (issue.kind === kind && asked.has(issue.id)) said.push(issue);
      };
      keep(ofAccount(nowMs));
      keep(metricIssues(db, kind, ids));
      for (const campaign of campaignsOf(db, kind, ids)) {
        await yieldToQueue();
        for (const tree of readTrees(db, [campaign])) keep(checkerFor(nowMs).campaign(tree));
      }
      return said;
    },
    /** Stores the rows of a rule with metrics until rows or metrics change. Its metrics must have been passed in. */
    matchMetricRule: metricMatches.match,
    markMetricMatches: metricMatches.mark,
    /** Yields to other calls in between. */
    page: async (nowMs: number, query: IssuesQuery): Promise<IssuesPage> =>
      metricMatches.behind(await storedPage(nowMs, query), query),
  };
}

/**
 * Issues of rules with metrics. Metrics are not part of a draft, so these issues are suggestions, kept with the
 * metrics and not in the `issues` of rows.
 */
function createMetricMatches(db: Db) {
  const known = new Map<string, MetricMatch>();
  return {
    match: (rule: CustomRule): void => {
      const table = tableOf(rule.kind);
      // Its rows must not depend on the marks of earlier ones.
      const conditions = filterSql(table, viewOfRule(rule), { ...rowMetricsOf(db), markedSql: () => null });
      if (!conditions.ok) throw new Error(`the rule ${rule.id} cannot be searched: ${conditions.error.problem}`);
      const { sql, bind } = selectSql(table, conditions.value, 'k.id, k.campaign_id');
      // The SQL contains column numbers, which change with the metrics.
      const madeWith = JSON.stringify([currentRevision(db), sql, bind]);
      const before = known.get(rule.id);
      const rows = before?.madeWith === madeWith ? before.rows : db.all(`${sql} ORDER BY k.campaign_id, k.id`, ...bind);
      known.set(rule.id, { rule, madeWith, rows });
    },
    /**
     * Marks the rows of these rules and no others.
     *
     * @returns the marks, and the kinds whose marks changed
     */
    mark: (ruleIds: readonly string[]): { readonly kinds: readonly Kind[]; readonly marked: readonly MarkedRows[] } => {
      for (const id of known.keys()) if (!ruleIds.includes(id)) known.delete(id);
      const marked = [...known.values()].map(({ rule, rows }) => ({
        rule,
        ids: new Set(rows.map(([id]) => asNumber(id))),
      }));
      const kinds = KINDS.filter((kind) => {
        const before = markedRowsOf(db, kind);
        const own = marked.filter(({ rule }) => rule.kind === kind);
        return own.length !== before.length || own.some((one, at) => !isSameMark(one, before[at]));
      });
      setMarkedRows(db, marked);
      return { kinds, marked };
    },
    /** The page of stored issues, followed by those of these rules: suggestions come last. */
    behind: (stored: IssuesPage, { from, count, campaignId, rule, metricRules = [] }: IssuesQuery): IssuesPage => {
      const matches = metricRules.flatMap((id) => {
        const match = known.get(id);
        if (match === undefined) return [];
        const rows = match.rows.filter((row) => campaignId === null || row[1] === campaignId);
        return rows.length === 0 ? [] : [{ rule: match.rule, id: USER_RULE_PREFIX + id, rows }];
      });
      const issues = [...stored.issues];
      let at = stored.total;
      for (const { rule: own, rows } of matches.filter(({ id }) => rule === null || rule === id)) {
        const ids = rows.slice(Math.max(0, from - at), Math.max(0, from + count - at)).map(([id]) => asNumber(id));
        if (ids.length > 0) issues.push(...metricShown(db, own, ids));
        at += rows.length;
      }
      const suggestions = stored.counts.advice + matches.reduce((sum, { rows }) => sum + rows.length, 0);
      const tallies = matches.map(({ id, rows }) => ({ ...SUGGESTION, rule: id, found: rows.length }));
      return {
        total: at,
        counts: { ...stored.counts, advice: suggestions },
        rules: [...stored.rules, ...tallies],
        issues,
      };
    },
  };
}

function isSameMark({ rule, ids }: MarkedRows, before: MarkedRows | undefined): boolean {
  // Name and condition are part of an issue's text.
  return (
    before !== undefined &&
    rule.id === before.rule.id &&
    rule.name === before.rule.name &&
    rule.query === before.rule.query &&
    ids.size === before.ids.size &&
    [...ids].every((id) => before.ids.has(id))
  );
}

const SUGGESTION = { severity: 'advice', fixable: 0 } as const;

interface MetricMatch {
  readonly rule: CustomRule;
  readonly madeWith: string;
  /** Row ID and campaign ID. */
  readonly rows: ReturnType<Db['all']>;
}

function metricShown(db: Db, rule: CustomRule, ids: readonly number[]): readonly Shown[] {
  const rows = readRowsWithIds(db, rule.kind, ids);
  const names = campaignNames(db, rows);
  const places = new Map(ids.map((id, place) => [id, place]));
  return rows
    .toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
    .map((row) => {
      const issue = userRuleIssue(rule, row as AnyRow);
      return { ...issue, label: labelOf(issue), campaignName: names.get(row.campaignId ?? 0) ?? '' };
    });
}

/** The campaigns of rows of a kind; none for media files. */
function campaignsOf(db: Db, kind: Kind, ids: readonly RowId[]): readonly RowId[] {
  if (kind === 'campaign') return ids;
  if (kind === 'media') return [];
  const sql = `SELECT DISTINCT campaign_id FROM ${tableOf(kind).name} WHERE id IN (SELECT value FROM json_each(?))`;
  return rowIdsOf(db, sql, JSON.stringify(ids));
}

/** The number of all issues, from the stored counts per campaign. */
export function readIssueCounts(db: Db): IssueCounts {
  const row = db.get('SELECT total(error), total(warning), total(advice) FROM finding_count') ?? [];
  return { error: asNumber(row[0]), warning: asNumber(row[1]), advice: asNumber(row[2]) };
}

/** A campaign, or 0 for the account, with the number of its issues. */
interface Counted extends IssueCounts {
  readonly id: RowId;
  readonly rules: readonly RuleTally[];
}

function readCounted(db: Db, readTallies: (text: string) => readonly RuleTally[]): readonly Counted[] {
  const sql = 'SELECT campaign_id, error, warning, advice, rules FROM finding_count ORDER BY campaign_id';
  return db.all(sql).map(([id, error, warning, advice, rules]) => ({
    id: rowIdOf(id),
    error: asNumber(error),
    warning: asNumber(warning),
    advice: asNumber(advice),
    rules: readTallies(asText(rules)),
  }));
}

/** Issues of a campaign that are listed together in the account's list. */
interface Part {
  readonly id: RowId;
  readonly size: number;
  readonly isOf: (issue: Issue) => boolean;
}

/** All errors, then all warnings, then all suggestions, each across campaigns. */
const partsBySeverity = (counted: readonly Counted[]): readonly Part[] =>
  SEVERITIES.flatMap((severity) => {
    const isOf = (issue: Issue): boolean => issue.severity === severity;
    return counted.flatMap((one) => (one[severity] === 0 ? [] : [{ id: one.id, size: one[severity], isOf }]));
  });

function partsOfRule(counted: readonly Counted[], rule: string): readonly Part[] {
  const isOf = (issue: Issue): boolean => issue.rule === rule;
  return counted.flatMap(({ id, rules }) => {
    const size = rules.find((tally) => tally.rule === rule)?.found ?? 0;
    return size === 0 ? [] : [{ id, size, isOf }];
  });
}

/** By severity, then in the order of the documentation; custom rules come last. */
const inOrder = (tallies: readonly RuleTally[]): readonly RuleTally[] =>
  [...tallies].sort((a, b) => RANK[a.severity] - RANK[b.severity] || placeOf(a.rule) - placeOf(b.rule));

const PLACES = new Map(RULES.map(({ id }, place) => [id, place]));
const placeOf = (rule: string): number => PLACES.get(rule) ?? RULES.length;

const ownShown = (db: Db, checker: Checker, id: RowId): readonly Shown[] =>
  readTrees(db, [id]).flatMap((tree) => shown(checker.campaign(tree), tree));

const shown = (issues: readonly Issue[], tree: CampaignTree): readonly Shown[] =>
  bySeverity(issues).map((issue) => ({
    ...issue,
    label: labelOf(issue),
    campaignName: tree.campaign.values.name ?? '',
  }));

function accountShown(db: Db, issues: readonly Issue[]): readonly Shown[] {
  const names = new Map(readAccountCampaigns(db).map(({ id, name }) => [id, name]));
  return bySeverity(issues).map((issue) => {
    const campaignName = issue.campaignId === null ? '' : (names.get(issue.campaignId) ?? '');
    return { ...issue, label: labelOf(issue), campaignName };
  });
}

/** Every issue has the label of its row as a parameter. */
const labelOf = (issue: Issue): string => String(issue.params['label'] ?? '');

const SEVERITIES = ['error', 'warning', 'advice'] as const;
const RANK = { error: 0, warning: 1, advice: 2 } as const;

/** The most severe first; those of one severity keep their order. */
export const bySeverity = (issues: readonly Issue[]): readonly Issue[] =>
  [...issues].sort((a, b) => RANK[a.severity] - RANK[b.severity]);

function countOf(issues: readonly Issue[]): IssueCounts {
  const counts = { error: 0, warning: 0, advice: 0 };
  for (const issue of issues) counts[issue.severity]++;
  return counts;
}
