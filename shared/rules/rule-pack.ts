import { cellProblemText, parseCell } from '../model/cell-text.ts';
import type { Cell } from '../model/field-types.ts';
import { type AnyValues, fieldNames } from '../model/fields.ts';
import { KINDS, type Kind } from '../model/kinds.ts';
import { type AnyRow, DELETED, HELD, NEW } from '../model/row.ts';
import { asRowId } from '../model/scalars.ts';
import { isMetricName, type MetricName } from '../reports/account-metrics.ts';
import { err, ok, type Result } from '../result.ts';
import { parseSearch } from '../search/parse-search.ts';
import type { SearchRow } from '../search/predicate.ts';
import { compilePredicate } from '../search/predicate.ts';
import { type SignalName, searchField } from '../search/query.ts';
import { type CustomRule, parseUserRule, type RuleSample, USER_RULES_MAX } from './custom-rules.ts';
import type { Severity } from './rule.ts';

/**
 * Custom rules as a text file that can be read, compared and versioned. Each rule has sample rows that it must match or
 * not match, so that a wrong condition is noticed before it is shared.
 *
 *   adslate-rules 1
 *   name: House rules
 *
 *   rule: high-bid
 *   type: keyword
 *   severity: warning
 *   message: Bids above $5
 *   find: bid>5
 *   finds: text="garden hose" bid=6.00
 *   passes: text="garden hose" bid=5.00
 */
export interface RulePack {
  readonly name: string;
  readonly rules: readonly CustomRule[];
}

export interface PackProblem {
  /** Counts from 1. */
  readonly line: number;
  readonly problem: string;
}

/** The first line of a pack; a later format has another number. */
const HEAD = 'adslate-rules 1';
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'advice'];
const KEYS = ['rule', 'type', 'severity', 'message', 'find', 'finds', 'passes', 'on'] as const;
type Key = (typeof KEYS)[number];

interface Started {
  readonly line: number;
  readonly id: string;
  readonly texts: Partial<Record<Key, string>>;
  readonly samples: RuleSample[];
}

/** All problems of a pack at once, each with its line. */
export function parsePack(text: string): Result<RulePack, readonly PackProblem[]> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const head = lines[0]?.trim() ?? '';
  if (head !== HEAD) {
    const problem = head.startsWith('adslate-rules ')
      ? 'The pack was made by a newer version. Update Adslate, then open it again.'
      : `This is not a rule pack. The first line must be "${HEAD}".`;
    return err([{ line: 1, problem }]);
  }
  const problems: PackProblem[] = [];
  const started: Started[] = [];
  let name = '';
  lines.forEach((raw, at) => {
    const line = raw.trim();
    if (at === 0 || line === '' || line.startsWith('#')) return;
    const report = (problem: string) => void problems.push({ line: at + 1, problem });
    const cut = line.indexOf(':');
    const key = line.slice(0, Math.max(0, cut)).trim().toLowerCase();
    const value = line.slice(cut + 1).trim();
    const rule = started.at(-1);
    const known = KEYS.find((each) => each === key);
    if (key === 'name' && rule === undefined) name = value;
    else if (known === undefined) report(`"${line.slice(0, 40)}" is unknown. Use one of: ${KEYS.join(', ')}.`);
    else if (known === 'rule') started.push({ line: at + 1, id: value, texts: {}, samples: [] });
    else if (rule === undefined) report(`"${key}" belongs to a rule. Start one with "rule: ID".`);
    else if (known === 'finds' || known === 'passes') rule.samples.push({ finds: known === 'finds', row: value });
    else if (rule.texts[known] !== undefined) report(`The rule "${rule.id}" has "${key}" twice. Remove one.`);
    else rule.texts[known] = value;
  });
  const rules = started.flatMap((each) => {
    const read = ruleOf(each);
    if (read.ok) return [read.value];
    problems.push({ line: each.line, problem: read.error });
    return [];
  });
  const ids = started.map(({ id }) => id);
  for (const { line, id } of started.filter(({ id }, at) => ids.indexOf(id) !== at))
    problems.push({ line, problem: `The ID "${id}" is used twice. Give each rule its own ID.` });
  if (started.length === 0 && problems.length === 0) problems.push({ line: 1, problem: 'The pack has no rules.' });
  if (started.length > USER_RULES_MAX)
    problems.push({ line: 1, problem: `The pack has ${started.length} rules. The maximum is ${USER_RULES_MAX}.` });
  return problems.length === 0 ? ok({ name, rules }) : err(problems.toSorted((a, b) => a.line - b.line));
}

function ruleOf({ id, texts, samples }: Started): Result<CustomRule, string> {
  const kind = KINDS.find((each) => letters(each) === letters(texts.type ?? ''));
  if (kind === undefined) return err(`The rule "${id}" needs a type: ${KINDS.join(', ')}.`);
  const severity = SEVERITIES.find((each) => each === (texts.severity ?? 'warning'));
  if (severity === undefined) return err(`The severity of "${id}" must be ${SEVERITIES.join(', ')}.`);
  const rule: CustomRule = {
    id,
    name: texts.message ?? id,
    kind,
    severity,
    query: texts.find ?? '',
    enabled: texts.on !== 'no',
    ...(samples.length === 0 ? {} : { samples }),
  };
  const parsed = parseUserRule(rule);
  if (!parsed.ok) return err(parsed.error.problem);
  for (const { row } of samples) {
    const read = readSample(kind, row);
    if (!read.ok) return err(`The sample "${row}" of "${id}": ${read.error}`);
  }
  return ok(rule);
}

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** A pack as text; parsed again, it is the same pack. */
export function printPack({ name, rules }: RulePack): string {
  const blocks = rules.map(({ id, kind, severity, name: message, query, enabled, samples = [] }) => [
    '',
    `rule: ${id}`,
    `type: ${kind}`,
    `severity: ${severity}`,
    `message: ${message}`,
    `find: ${query}`,
    ...(enabled ? [] : ['on: no']),
    ...samples.map(({ finds, row }) => `${finds ? 'finds' : 'passes'}: ${row}`),
  ]);
  return `${[HEAD, ...(name === '' ? [] : [`name: ${name}`]), ...blocks.flat()].join('\n')}\n`;
}

export interface SampleOutcome {
  readonly rule: string;
  readonly row: string;
  /** Expected by the sample, and the result of the rule. */
  readonly expected: boolean;
  readonly found: boolean;
}

/** Runs every sample of rules with valid conditions. */
export function testSamples(rules: readonly CustomRule[]): readonly SampleOutcome[] {
  return rules.flatMap(({ id, kind, query, samples = [] }) => {
    const search = parseSearch(query, kind);
    if (!search.ok) return [];
    const matches = compilePredicate(search.value, kind);
    return samples.flatMap(({ finds, row }) => {
      const read = readSample(kind, row);
      return read.ok ? [{ rule: id, row, expected: finds, found: matches(read.value) }] : [];
    });
  });
}

const MARKS: Readonly<Record<string, number>> = { new: NEW, deleted: DELETED, held: HELD, changed: 1 };
const PART = /(\w+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))|(\S+)/g;

/**
 * Parses a sample row: `field=value`, `campaign=NAME`, metrics such as `spend=20.50` or `trend=down`, and marks such
 * as `new`. All other fields are empty.
 */
function readSample(kind: Kind, text: string): Result<SearchRow, string> {
  const values: Record<string, Cell> = Object.fromEntries(fieldNames(kind).map((field) => [field, null]));
  const metrics: Partial<Record<MetricName, number>> = {};
  const signals: Partial<Record<SignalName, string>> = {};
  let campaignName: string | null = null;
  let dirty = 0;
  for (const [, name, quoted, plain, word] of text.matchAll(PART)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
    if (word !== undefined) {
      const mark = MARKS[word.toLowerCase()];
      if (mark === undefined) return err(`"${word}" is unknown. Write field=value, or new, changed, deleted or held.`);
      dirty |= mark;
    } else if (name?.toLowerCase() === 'campaign' && kind !== 'campaign') campaignName = value;
    else {
      // Parsed like a search, where names of metrics come before those of fields.
      const asked = parseSearch(`${name}:"${value.replace(/[\\"]/g, '\\$&')}"`, kind);
      if (asked.ok && asked.value.is === 'metric' && asked.value.value !== null) {
        metrics[asked.value.name] = asked.value.value;
        continue;
      }
      if (asked.ok && asked.value.is === 'signal') {
        signals[asked.value.what] = asked.value.word;
        continue;
      }
      const field = searchField(kind, name ?? '');
      if (field === null && isMetricName(name ?? '') && !asked.ok) return err(asked.error.problem);
      if (field === null) return err(`There is no field "${name}". Use one of ${fieldNames(kind).join(', ')}.`);
      const cell = parseCell(kind, field, value);
      if (!cell.ok) return err(cellProblemText(cell.error));
      values[field] = cell.value;
    }
  }
  const row = { kind, id: asRowId(1), campaignId: asRowId(1), adGroupId: null, remoteId: null, base: null, dirty };
  const whole = { ...row, values: values as AnyValues } as AnyRow;
  return ok({ row: whole, campaignName, severity: null, outbox: null, metrics, signals });
}

/** Something that a review rejected, as far as its words go. */
export interface RejectedWording {
  readonly number: number;
  readonly kind: Kind;
  readonly day: string;
  readonly reason: string | null;
  readonly creative: { readonly headline: string | null; readonly brand: string | null };
}

/** Characters of a message. */
export const MESSAGE_MAX = 200;

/** Wording that reviews rejected, as rules that warn wherever it is used again; the newest reason of each wording. */
export function packOfRejections(rejections: readonly RejectedWording[], name: string): RulePack {
  const newest = new Map<string, RejectedWording>();
  for (const rejection of rejections.toSorted((a, b) => b.number - a.number)) {
    const { headline } = rejection.creative;
    if (rejection.kind === 'sbaProfile' && headline !== null && !newest.has(headline)) newest.set(headline, rejection);
  }
  const rules = [...newest].map(([headline, { number, day, reason }]): CustomRule => {
    const quoted = `"${headline.replace(/[\\"]/g, '\\$&')}"`;
    const message = `Rejected on ${day}: ${reason ?? 'no reason given'}`.replace(/\s+/g, ' ');
    return {
      id: `rejected-${number}`,
      name: message.slice(0, MESSAGE_MAX),
      kind: 'sbaProfile',
      severity: 'warning',
      query: `headline:${quoted}`,
      enabled: true,
      samples: [
        { finds: true, row: `headline=${quoted}` },
        { finds: false, row: 'headline="Another headline"' },
      ],
    };
  });
  return { name, rules };
}
