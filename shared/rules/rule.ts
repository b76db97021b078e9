import type { DeploymentSettings } from '../deployment/deployment-settings.ts';
import type { CreativeMemory } from '../model/creative.ts';
import type { Catalog } from '../model/item-check.ts';
import type { Kind } from '../model/kinds.ts';
import { type AnyRow, cellOf, isNew, type Row } from '../model/row.ts';
import type { PlainDate, RowId } from '../model/scalars.ts';
import { isUnseen, unseenExcerpt, withoutUnseen } from '../model/text.ts';

/** Input of a check besides the rows. */
export interface RuleEnv {
  readonly profile: DeploymentSettings;
  readonly today: PlainDate;
  /** Whether the account's item IDs have been migrated; null if unknown. */
  readonly migrated: boolean | null;
  /** Results of item searches so far; absent without any. */
  readonly catalog?: Catalog;
  /** Results of reviews by creative; absent without any. */
  readonly verdicts?: CreativeMemory;
}

/**
 * One rule: its bit in the `issues` mask of a row, its subject, and its sentence. The sentence has the subject, the rule
 * and the next step; `{name}` is replaced by a fact of the issue, `{x:money}`, `{x:factor}` and `{x:day}` by cents,
 * hundredths of a percent and a date.
 */
export interface Rule {
  readonly id: string;
  readonly kind: Kind;
  /** Bit in the mask, unique within the kind. Stored: never renumbered, never reused. */
  readonly bit: number;
  readonly severity: Severity;
  readonly fields: readonly string[];
  /** The rows needed: the row alone, its ad group, its campaign, or the whole account. */
  readonly scope: 'row' | 'ad group' | 'campaign' | 'account';
  /** Section of the partner API document, or `practice` where the rule is good practice. */
  readonly section: string;
  /** The data needed besides the draft. */
  readonly needs: 'draft' | 'service state' | 'media facts' | 'migration status' | 'catalog';
  /** The kind of issue in a few words, for lists of issues: unique within the kind of row. */
  readonly name: string;
  readonly text: string;
}

type Usual = Partial<Pick<Rule, 'fields' | 'scope' | 'needs' | 'section'>>;
type Spec = Omit<Rule, 'id' | 'kind' | keyof Usual> & Usual;

/**
 * Declares the rules of one kind under one prefix.
 *
 * @param usual the section of the document, or other defaults of these rules; without them a rule concerns no field,
 *   and needs only the row and the draft
 */
export function rulesOf<const Specs extends Readonly<Record<string, Spec>>>(
  kind: Kind,
  prefix: string,
  usual: string | (Usual & Pick<Rule, 'section'>),
  specs: Specs,
): { readonly [Name in keyof Specs]: Rule } {
  const shared = typeof usual === 'string' ? { section: usual } : usual;
  const entries = Object.entries(specs).map(([name, spec]) => {
    const id = `${prefix}.${name}`;
    return [name, { fields: [], scope: 'row', needs: 'draft', ...shared, ...spec, id, kind }] as const;
  });
  return Object.fromEntries(entries) as { readonly [Name in keyof Specs]: Rule };
}

/**
 * Whether a required field is certainly missing. A row from the service may not have been read completely, so an empty
 * field is missing only if an edit emptied it.
 */
export function isMissing(row: Row, field: string): boolean {
  const value = cellOf(row.values, field);
  if (value !== null) return typeof value === 'string' && isUnseen(value);
  return isNew(row) || cellOf(row.base, field) !== null;
}

/**
 * Reports a text with invisible characters, with a fix that removes them if the field can still be changed. A text of
 * only such characters counts as missing and is reported as that.
 */
export function reportUnseen(rule: Rule, row: Row, field: string, text: string, report: Report): void {
  const excerpt = isUnseen(text) ? null : unseenExcerpt(text);
  if (excerpt === null) return;
  const isFixed = row.kind === 'keyword' && !isNew(row);
  report.add(rule, row, { shown: excerpt }, isFixed ? undefined : { field, value: withoutUnseen(text).trim() });
}

/** Collects the results of checks. */
export type Report = ReturnType<typeof newReport>;

/** A report that writes issues as plain data. The row's label is always among the facts. */
export function newReport() {
  const issues: Issue[] = [];
  return {
    issues,
    /** @param field the field it is about, where that is not the rule's first */
    add: (rule: Rule, row: Row, params?: Issue['params'], fix?: Fix, field?: string) => {
      issues.push({
        rule: rule.id,
        severity: rule.severity,
        kind: row.kind,
        id: row.id,
        campaignId: row.campaignId,
        field: field ?? rule.fields[0] ?? null,
        params: { label: rowLabel(row), ...params },
        // A cell never contains empty text, so a fix that leaves nothing is omitted.
        fix: fix === undefined || fix.value === '' ? null : fix,
      });
    },
  };
}

export type Severity = 'error' | 'warning' | 'advice';

/** The result of a rule for one row: the rule and the facts for its text. `messages.ts` writes the sentence. */
export interface Issue {
  /** Stable id of the rule, such as `keyword.bid-floor`. */
  readonly rule: string;
  readonly severity: Severity;
  readonly kind: Kind;
  readonly id: RowId;
  readonly campaignId: RowId | null;
  /** The field to change, or null for the whole row. */
  readonly field: string | null;
  /** Facts for the text: limits, actual values, names. */
  readonly params: Readonly<Record<string, string | number>>;
  /** A change that would end the issue, when there is exactly one sensible one. */
  readonly fix: Fix | null;
}

export interface Fix {
  readonly field: string;
  readonly value: string | number | null;
}

/** Number of issues of each severity. */
export interface IssueCounts {
  readonly error: number;
  readonly warning: number;
  readonly advice: number;
}

/** Number of issues of one rule, and how many of them can be fixed automatically. */
export interface RuleTally {
  readonly rule: string;
  readonly severity: Severity;
  readonly found: number;
  readonly fixable: number;
}

/** Documented reads return an ID without a name. */
const nameless = (what: string, { remoteId }: AnyRow): string =>
  remoteId === null ? `${what} without a name` : `${what} ${remoteId}`;

/** The label of a row: a keyword's text, an item's ID, a headline. */
export function rowLabel(row: Row): string {
  const any = row as AnyRow;
  switch (any.kind) {
    case 'campaign':
      return any.values.name ?? nameless('campaign', any);
    case 'adGroup':
      return any.values.name ?? nameless('ad group', any);
    case 'adItem':
      return any.values.itemName ?? any.values.itemId ?? 'ad item without an ID';
    case 'keyword':
      return [any.values.text ?? 'keyword without text', any.values.matchType]
        .filter((part) => part !== null)
        .join(', ');
    case 'sbaProfile':
      return any.values.headline ?? any.values.brand ?? 'SBA profile without a headline';
    case 'videoProfile':
      return 'video profile';
    case 'placementMultiplier':
      return any.values.placement ?? 'placement multiplier';
    case 'platformMultiplier':
      return any.values.platform ?? 'platform multiplier';
    case 'media':
      return any.values.mediaName ?? any.values.fileName ?? 'media file without a name';
  }
}

/**
 * The stages of a check: each row alone, rows against each other, and rows against data of the service.
 *
 *   row (while typing) --> across (with the edit, or soon after it) --> service (as of the last refresh)
 */
export const CHECK_STAGES = ['row', 'across', 'service'] as const;
type CheckStage = (typeof CHECK_STAGES)[number];

/** The latest stage that a rule needs. */
export function stageOf({ needs, scope }: Pick<Rule, 'needs' | 'scope'>): CheckStage {
  if (needs === 'service state' || needs === 'catalog' || needs === 'migration status') return 'service';
  return scope === 'row' ? 'row' : 'across';
}
