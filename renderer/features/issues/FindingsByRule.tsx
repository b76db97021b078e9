import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { ruleById } from '../../../shared/rules/registry.ts';
import type { RuleTally, Severity } from '../../../shared/rules/rule.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { fieldName, findingText, KIND_NAMES, ruleName } from '../../app/field-names.ts';
import { countText } from '../../app/locale/numbers.ts';
import { Waiting } from '../../app/Problem.tsx';
import { usePagesOf } from '../../app/pages.ts';
import { appTexts } from '../../app/texts.ts';
import type { Client } from '../../app/transport/connection.ts';
import { Chip } from '../../components/Chip.tsx';
import { Empty } from '../../components/Empty.tsx';
import ui from '../../components/ui.module.css';
import { VirtualList } from '../../components/VirtualList.tsx';
import styles from './issues.module.css';

const texts = {
  advice: 'Suggestions',
  fixAll: 'Fix all similar issues',
  fixKind: (n: number) => (n === 1 ? 'Fix issue' : `Fix all ${countText(n)}`),
  fixKindText: (fixable: number, found: number) =>
    fixable === found
      ? `Fixes ${found === 1 ? 'the issue' : `all ${countText(found)} issues`} in one step.`
      : `Fixes ${countText(fixable)} of ${countText(found)} issues. ${found - fixable === 1 ? 'The other one needs' : 'The others need'} your decision.`,
  mute: 'Mute',
  muteRule: (text: string) => `Mute this rule in this account: ${text}`,
} as const;

interface FindingsByRuleProps {
  readonly workspaceId: string;
  /** Only of this campaign; null for the whole account. */
  readonly campaignId: number | null;
}

/** What each rule finds below its title, folded until somebody wants to see it; all of a kind is mended at the title. */
export function FindingsByRule({ workspaceId, campaignId }: FindingsByRuleProps) {
  const api = useApi();
  const { data, error } = useQuery(
    api.workspace.findings.queryOptions({ input: { workspaceId, from: 0, count: 0, campaignId } }),
  );
  const own = useQuery(api.rules.list.queryOptions({ input: { workspaceId } })).data ?? [];
  const [open, setOpen] = useState<readonly string[]>([]);
  const listOf = usePagesOf(
    open,
    (rule, from, count) =>
      api.workspace.findings.queryOptions({ input: { workspaceId, from, count, campaignId, rule } }),
    ({ findings }) => findings,
  );
  if (data === undefined) return <Waiting error={error} />;
  const { rules } = data;
  if (rules.length === 0) return <Empty title={appTexts.drawer.noFindings} text={appTexts.drawer.noFindingsText} />;
  const groups = rules.map(({ rule, found }) => ({
    rule,
    lines: open.includes(rule) ? (listOf(rule).newest?.total ?? found) : 0,
  }));
  return (
    <VirtualList
      count={countLines(groups)}
      label={appTexts.drawer.findings}
      resetOn={String(campaignId)}
      onWant={(from, to) => {
        for (const part of inSight(groups, from, to)) listOf(part.rule).want(part.from, part.to);
      }}
      line={(index) => {
        const at = placeAt(groups, index);
        const tally = rules.find(({ rule }) => rule === at?.rule);
        if (at === null || tally === undefined) return null;
        if (at.place !== 'title') return <FindingLine isGrouped finding={listOf(at.rule).at(at.place)} />;
        return (
          <RuleTitle
            tally={tally}
            name={ruleName(tally.rule, own)}
            campaignId={campaignId}
            isOpen={open.includes(tally.rule)}
            onToggle={() =>
              setOpen(open.includes(tally.rule) ? open.filter((rule) => rule !== tally.rule) : [...open, tally.rule])
            }
          />
        );
      }}
    />
  );
}

/** Unfolding brings the title to the top, for in a low drawer what comes below it would be out of sight. */
function toggleInSight(title: Element, isOpen: boolean, toggle: () => void): void {
  flushSync(toggle);
  const box = title.closest('[data-scrolls]');
  if (isOpen || box === null) return;
  box.scrollTop += title.getBoundingClientRect().top - box.getBoundingClientRect().top;
}

interface RuleTitleProps {
  readonly tally: RuleTally;
  readonly name: string;
  readonly campaignId: number | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function RuleTitle({ tally, name, campaignId, isOpen, onToggle }: RuleTitleProps) {
  const { rule, severity, found, fixable } = tally;
  const sign = SEVERITY_SIGNS.find((each) => each.severity === severity)?.sign;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div className={`${ui['line']} ${styles['rule-title']}`}>
      <h2 className={styles['rule-name']}>
        <button
          type="button"
          className={ui['line-main']}
          aria-expanded={isOpen}
          title={name}
          onClick={(event) => toggleInSight(event.currentTarget, isOpen, onToggle)}
        >
          <Chevron size={14} stroke={1.5} aria-hidden />
          <span className={ui[`note-${severity}`]} role="img" aria-label={appTexts.rules.severityWord[severity]}>
            {sign}
          </span>
          <span className={ui['line-text']}>{name}</span>
          <span className={ui['badge']}>{countText(found)}</span>
        </button>
      </h2>
      {fixable > 0 && (
        <FixAll
          rule={rule}
          campaignId={campaignId}
          name={texts.fixKind(fixable)}
          hint={texts.fixKindText(fixable, found)}
        />
      )}
      <Mute rule={rule} severity={severity} text={name} />
    </div>
  );
}

/** A rule that finds something, with the lines below its title; 0 while it is folded. */
export interface RuleLines {
  readonly rule: string;
  readonly lines: number;
}

/** What stands in a line: the title of a rule, or the finding of a rule at a place of its list. */
interface RulePlace {
  readonly rule: string;
  readonly place: number | 'title';
}

/** How many lines the titles and what is unfolded below them make. */
export const countLines = (groups: readonly RuleLines[]): number =>
  groups.reduce((sum, { lines }) => sum + 1 + lines, 0);

/** @returns null below the last line */
export function placeAt(groups: readonly RuleLines[], index: number): RulePlace | null {
  let line = index;
  for (const { rule, lines } of groups) {
    if (line === 0) return { rule, place: 'title' };
    if (line <= lines) return { rule, place: line - 1 };
    line -= lines + 1;
  }
  return null;
}

/** The part of a rule's list that is within sight. */
interface Sight {
  readonly rule: string;
  readonly from: number;
  readonly to: number;
}

/** Which places of which lists stand in the lines from `from` up to, but without, `to`. */
export function inSight(groups: readonly RuleLines[], from: number, to: number): readonly Sight[] {
  const seen: Sight[] = [];
  let first = 1;
  for (const { rule, lines } of groups) {
    const part = { rule, from: Math.max(0, from - first), to: Math.min(lines, to - first) };
    if (part.from < part.to) seen.push(part);
    first += lines + 1;
  }
  return seen;
}

interface FixAllProps {
  readonly rule: string;
  /** Only within this campaign; null for the whole account. */
  readonly campaignId: number | null;
  readonly name: string;
  readonly hint?: string;
}

/** Mends all that a rule finds, as one step of the history. */
export function FixAll({ rule, campaignId, name, hint }: FixAllProps) {
  const { actions } = useAppContext();
  return (
    <Chip title={hint} onClick={() => void actions.fixAll(rule, campaignId)}>
      {name}
    </Chip>
  );
}

interface MuteProps {
  readonly rule: string;
  readonly severity: Severity;
  readonly text: string;
}

/** Silences a rule in this account. Errors cannot be, and a rule of the user's own is switched off where it was written. */
export function Mute({ rule, severity, text }: MuteProps) {
  const { actions } = useAppContext();
  if (severity === 'error' || ruleById(rule) === undefined) return null;
  return (
    <Chip title={texts.muteRule(text)} onClick={() => void actions.muteRule(rule, true)}>
      {texts.mute}
    </Chip>
  );
}

/** What a rule says of a row, as the lower panel lists it. */
type Found = Awaited<ReturnType<Client['workspace']['findings']>>['findings'][number];

interface FindingLineProps {
  /** Undefined while it has not arrived. */
  readonly finding: Found | undefined;
  /** True below the title of its rule, where what is done to all of a kind stands already. */
  readonly isGrouped?: boolean;
}

/** What a rule says of a row, and where. A click goes to the cell; a fix is one more click. */
export function FindingLine({ finding, isGrouped = false }: FindingLineProps) {
  const { actions, store } = useAppContext();
  if (finding === undefined) return <span className={ui['long-skeleton']} />;
  const { fix, kind, id } = finding;
  const where = [
    finding.campaignName,
    kind === 'campaign' ? '' : KIND_NAMES[kind].one,
    kind === 'campaign' ? '' : finding.label,
  ];
  const text = findingText(finding);
  const path = `${where.filter((part) => part !== '').join(' › ')}${finding.field === null ? '' : ` › ${fieldName(finding.field, kind)}`}`;
  return (
    <div className={isGrouped ? `${ui['line']} ${styles['line-grouped']}` : ui['line']}>
      <button
        type="button"
        className={ui['line-main']}
        title={`${text}\n${path}`}
        onClick={() => store.getState().reveal(kind, finding.campaignId, id, finding.field)}
      >
        <span className={ui['line-text']}>{text}</span>
        <span className={`${ui['line-where']} ${ui['quiet']}`}>{path}</span>
      </button>
      {fix !== null && (
        <Chip
          onClick={() => void actions.edit(appTexts.inspector.fix, [{ kind, id, field: fix.field, value: fix.value }])}
        >
          {appTexts.inspector.fix}
        </Chip>
      )}
      {fix !== null && !isGrouped && <FixAll rule={finding.rule} campaignId={null} name={texts.fixAll} />}
      {!isGrouped && <Mute rule={finding.rule} severity={finding.severity} text={text} />}
    </div>
  );
}

/** What stands for a severity beside its colour, and what several findings of it are called; gravest first. */
export const SEVERITY_SIGNS: readonly { readonly severity: Severity; readonly sign: string; readonly name: string }[] =
  [
    { severity: 'error', sign: '!', name: appTexts.drawer.errors },
    { severity: 'warning', sign: '▲', name: appTexts.drawer.warnings },
    { severity: 'advice', sign: 'i', name: texts.advice },
  ];
