import { setImmediate as yieldToQueue } from 'node:timers/promises';
import type { DeploymentSettings } from '../../../shared/deployment/deployment-settings.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import type { AnyRow } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';
import { type CustomRule, USER_RULE_PREFIX, userFinding } from '../../../shared/rules/custom-rules.ts';
import { RULES } from '../../../shared/rules/registry.ts';
import type { Finding, FindingCounts, RuleTally } from '../../../shared/rules/rule.ts';
import { type Checker, createRuleChecker } from '../check.ts';
import { asNumber, asText, type Db, rowIdOf, rowIdsOf } from '../db/db.ts';
import { ACCOUNT, campaignNames, readAccountCampaigns } from '../rows/campaign-ids.ts';
import { addCounts, countIssues, createTallyReader } from '../rows/issue-counts.ts';
import { readRows, readRowsWithIds } from '../rows/read-rows.ts';
import { readTrees } from '../rows/read-trees.ts';
import { currentRevision } from '../rows/revision.ts';
import { tableOf } from '../schema/tables.ts';
import {
  type MarkedRows,
  markedRowsOf,
  metricFindings,
  rowMetricsOf,
  setMarkedRows,
  viewOfRule,
} from './row-metrics.ts';
import { filterSql } from './search-sql.ts';
import { selectSql } from './view-values.ts';

export interface FindingsPage {
  /** Length of the whole list. */
  readonly total: number;
  /** Counts of the account or the campaign, even if the list shows one rule only; the same for `rules`. */
  readonly counts: FindingCounts;
  readonly rules: readonly RuleTally[];
  readonly findings: readonly (Finding & { readonly label: string; readonly campaignName: string })[];
}

export type FindingsReader = ReturnType<typeof createFindings>;

/** Selects findings: of a campaign or the account, of one rule or all, and a page of them. */
export interface FindingsQuery {
  readonly from: number;
  readonly count: number;
  readonly campaignId: RowId | null;
  readonly rule: string | null;
  /** IDs of the custom rules with metrics to include; none if omitted. */
  readonly metricRules?: readonly string[];
}

type Shown = FindingsPage['findings'][number];

/**
 * The file stores a bit per rule and row, and the number of findings per campaign and rule. The findings themselves,
 * with their parameters, are calculated again for the campaigns of a requested page.
 */
export function createFindings(db: Db, profile: DeploymentSettings, migrated: boolean | null) {
  const judge = createRuleChecker(db, profile, migrated);
  const readTallies = createTallyReader();
  const checkerFor = (nowMs: number): Checker => judge(nowMs).checker;
  const ofAccount = (nowMs: number) =>
    checkerFor(nowMs).account(readAccountCampaigns(db), readRows(db, 'media', 'true'));
  const ofCampaign = (nowMs: number, tree: CampaignTree) => [
    ...ofAccount(nowMs).filter((finding) => finding.campaignId === tree.campaign.id),
    ...checkerFor(nowMs).campaign(tree),
  ];
  const metricMatches = createMetricMatches(db);
  const storedPage = async (nowMs: number, { from, count, campaignId, rule }: FindingsQuery): Promise<FindingsPage> => {
    if (campaignId !== null) {
      const found = readTrees(db, [campaignId]).flatMap((tree) => shown(ofCampaign(nowMs, tree), tree));
      const list = rule === null ? found : found.filter((finding) => finding.rule === rule);
      const said = { counts: countOf(found), rules: inOrder(countIssues(found)) };
      return { total: list.length, ...said, findings: list.slice(from, from + count) };
    }
    const counted = readCounted(db, readTallies);
    const parts = rule === null ? partsBySeverity(counted) : partsOfRule(counted, rule);
    const made = new Map<RowId, readonly Shown[]>();
    const findings: Shown[] = [];
    let at = 0;
    for (const { id, size, isOf } of parts) {
      if (at >= from + count) break;
      if (at + size > from) {
        await yieldToQueue();
        const said =
          made.get(id) ?? (id === ACCOUNT ? accountShown(db, ofAccount(nowMs)) : ownShown(db, checkerFor(nowMs), id));
        made.set(id, said);
        findings.push(...said.filter(isOf).slice(Math.max(0, from - at), Math.min(size, from + count - at)));
      }
      at += size;
    }
    return {
      total: parts.reduce((sum, { size }) => sum + size, 0),
      counts: readFindingCounts(db),
      rules: inOrder(addCounts(counted.map(({ rules }) => rules))),
      findings,
    };
  };
  return {
    ofAccount,
    /** All findings of this campaign's rows, including those of account rules. */
    ofCampaign,
    /** Findings of the marked rules with metrics for these rows. */
    ofMetrics: (kind: Kind, ids: readonly RowId[]) => metricFindings(db, kind, ids),
    /** Findings of these rows, campaign by campaign. Yields to other calls in between. */
    ofRows: async (nowMs: number, kind: Kind, ids: readonly RowId[]): Promise<readonly Finding[]> => {
      const asked = new Set<number>(ids);
      const said: Finding[] = [];
      const keep = (findings: readonly Finding[]): void => {
        for (const finding of findings) if (finding.kind === kind && asked.has(finding.id)) said.push(finding);
      };
      keep(ofAccount(nowMs));
      keep(metricFindings(db, kind, ids));
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
    page: async (nowMs: number, query: FindingsQuery): Promise<FindingsPage> =>
      metricMatches.behind(await storedPage(nowMs, query), query),
  };
}

/**
 * Findings of rules with metrics. Metrics are not part of a draft, so these findings are suggestions, kept with the
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
    /** The page of stored findings, followed by those of these rules: suggestions come last. */
    behind: (
      stored: FindingsPage,
      { from, count, campaignId, rule, metricRules = [] }: FindingsQuery,
    ): FindingsPage => {
      const matches = metricRules.flatMap((id) => {
        const match = known.get(id);
        if (match === undefined) return [];
        const rows = match.rows.filter((row) => campaignId === null || row[1] === campaignId);
        return rows.length === 0 ? [] : [{ rule: match.rule, id: USER_RULE_PREFIX + id, rows }];
      });
      const findings = [...stored.findings];
      let at = stored.total;
      for (const { rule: own, rows } of matches.filter(({ id }) => rule === null || rule === id)) {
        const ids = rows.slice(Math.max(0, from - at), Math.max(0, from + count - at)).map(([id]) => asNumber(id));
        if (ids.length > 0) findings.push(...metricShown(db, own, ids));
        at += rows.length;
      }
      const advice = stored.counts.advice + matches.reduce((sum, { rows }) => sum + rows.length, 0);
      const tallies = matches.map(({ id, rows }) => ({ ...ADVICE, rule: id, found: rows.length }));
      return {
        total: at,
        counts: { ...stored.counts, advice },
        rules: [...stored.rules, ...tallies],
        findings,
      };
    },
  };
}

function isSameMark({ rule, ids }: MarkedRows, before: MarkedRows | undefined): boolean {
  // Name and condition are part of a finding's text.
  return (
    before !== undefined &&
    rule.id === before.rule.id &&
    rule.name === before.rule.name &&
    rule.query === before.rule.query &&
    ids.size === before.ids.size &&
    [...ids].every((id) => before.ids.has(id))
  );
}

const ADVICE = { severity: 'advice', fixable: 0 } as const;

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
      const finding = userFinding(rule, row as AnyRow);
      return { ...finding, label: labelOf(finding), campaignName: names.get(row.campaignId ?? 0) ?? '' };
    });
}

/** The campaigns of rows of a kind; none for media files. */
function campaignsOf(db: Db, kind: Kind, ids: readonly RowId[]): readonly RowId[] {
  if (kind === 'campaign') return ids;
  if (kind === 'media') return [];
  const sql = `SELECT DISTINCT campaign_id FROM ${tableOf(kind).name} WHERE id IN (SELECT value FROM json_each(?))`;
  return rowIdsOf(db, sql, JSON.stringify(ids));
}

/** The number of all findings, from the stored counts per campaign. */
export function readFindingCounts(db: Db): FindingCounts {
  const row = db.get('SELECT total(error), total(warning), total(advice) FROM finding_count') ?? [];
  return { error: asNumber(row[0]), warning: asNumber(row[1]), advice: asNumber(row[2]) };
}

/** A campaign, or 0 for the account, with the number of its findings. */
interface Counted extends FindingCounts {
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

/** Findings of a campaign that are listed together in the account's list. */
interface Part {
  readonly id: RowId;
  readonly size: number;
  readonly isOf: (finding: Finding) => boolean;
}

/** All errors, then all warnings, then all suggestions, each across campaigns. */
const partsBySeverity = (counted: readonly Counted[]): readonly Part[] =>
  SEVERITIES.flatMap((severity) => {
    const isOf = (finding: Finding): boolean => finding.severity === severity;
    return counted.flatMap((one) => (one[severity] === 0 ? [] : [{ id: one.id, size: one[severity], isOf }]));
  });

function partsOfRule(counted: readonly Counted[], rule: string): readonly Part[] {
  const isOf = (finding: Finding): boolean => finding.rule === rule;
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

const shown = (findings: readonly Finding[], tree: CampaignTree): readonly Shown[] =>
  bySeverity(findings).map((finding) => ({
    ...finding,
    label: labelOf(finding),
    campaignName: tree.campaign.values.name ?? '',
  }));

function accountShown(db: Db, findings: readonly Finding[]): readonly Shown[] {
  const names = new Map(readAccountCampaigns(db).map(({ id, name }) => [id, name]));
  return bySeverity(findings).map((finding) => {
    const campaignName = finding.campaignId === null ? '' : (names.get(finding.campaignId) ?? '');
    return { ...finding, label: labelOf(finding), campaignName };
  });
}

/** Every finding has the label of its row as a parameter. */
const labelOf = (finding: Finding): string => String(finding.params['label'] ?? '');

const SEVERITIES = ['error', 'warning', 'advice'] as const;
const RANK = { error: 0, warning: 1, advice: 2 } as const;
const bySeverity = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort((a, b) => RANK[a.severity] - RANK[b.severity]);

function countOf(findings: readonly Finding[]): FindingCounts {
  const counts = { error: 0, warning: 0, advice: 0 };
  for (const finding of findings) counts[finding.severity]++;
  return counts;
}
