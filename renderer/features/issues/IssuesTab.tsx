import { Menu } from '@mantine/core';
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconChevronDown,
  IconChevronRight,
  IconDots,
  IconInfoCircle,
} from '@tabler/icons-react';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { ruleNextStep, ruleShortName } from '../../../shared/rules/messages.ts';
import { ruleById } from '../../../shared/rules/registry.ts';
import { CHECK_STAGES, type RuleTally, type Severity } from '../../../shared/rules/rule.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { fieldName, KIND_NAMES } from '../../app/field-names.ts';
import { issueText, LONG_VIDEO_RULE, longVideoTexts, ruleName } from '../../app/issue-text.ts';
import { countText, plural, timeText } from '../../app/locale/numbers.ts';
import { Waiting } from '../../app/Problem.tsx';
import { usePagesOf } from '../../app/pages.ts';
import { appTexts } from '../../app/texts.ts';
import type { Client } from '../../app/transport/connection.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChipChoice } from '../../components/ChipChoice.tsx';
import { Empty } from '../../components/Empty.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import { useNow } from '../../components/use-now.ts';
import { VirtualList } from '../../components/VirtualList.tsx';
import { ItemPicture } from '../../grid/ItemPicture.tsx';
import styles from './issues.module.css';
import { type OwnRule, runVerb, verbOf } from './verbs.ts';

const texts = {
  scopeAll: 'All campaigns',
  scopeHere: 'This campaign',
  scope: 'Show issues in',
  checked: (time: string) => `All rules checked, ${time}`,
  unchecked: 'Not checked against the service yet',
  run: 'Check now',
  runText: 'Runs all remaining checks and reads what they need from the service.',
  muted: (n: number) => `${plural(n, 'rule')} muted`,
  unmute: (rule: string) => `Unmute: ${rule}`,
  more: (name: string) => `More: ${name}`,
  mute: 'Mute this rule in this account',
  example: (sentence: string) => `For example: ${sentence}`,
  unmutable: "Errors can't be muted.",
  ownRule: 'To change this rule, open Custom rules in the settings.',
} as const;

const ICONS = { error: IconAlertCircle, warning: IconAlertTriangle, advice: IconInfoCircle } as const;

interface IssuesProps {
  readonly workspaceId: string;
  /** Whether only issues of the open campaign are shown. */
  readonly here: boolean;
}

/** Issues grouped by rule, worst first, each group with its fix. */
export function IssuesTab({ workspaceId, here }: IssuesProps) {
  const open = useView((s) => s.campaignId);
  const campaignId = here ? open : null;
  return (
    <div className={ui['drawer-body']}>
      <Kinds key={`${workspaceId} ${campaignId}`} workspaceId={workspaceId} campaignId={campaignId} />
    </div>
  );
}

/** Beside the tabs: the time of the last check, and the scope of the issues shown. */
export function IssuesBar({ workspaceId, here, onHere }: IssuesProps & { readonly onHere: (here: boolean) => void }) {
  const open = useView((s) => s.campaignId);
  return (
    <>
      <CheckLine workspaceId={workspaceId} />
      {open !== null && (
        <ChipChoice
          label={texts.scope}
          choices={[
            { value: false, name: texts.scopeAll },
            { value: true, name: texts.scopeHere },
          ]}
          chosen={here}
          onChoose={onHere}
        />
      )}
    </>
  );
}

/** The time of the last full check, a button to check again, and the muted rules. */
function CheckLine({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { actions } = useAppContext();
  const now = useNow();
  const [isBusy, during] = useBusy();
  const [isOpen, setOpen] = useState(false);
  const stages = useQuery(api.rules.check.queryOptions({ input: { workspaceId } })).data?.stages ?? [];
  const muted = useQuery(api.rules.muted.queryOptions({ input: { workspaceId } })).data ?? [];
  const times = stages.map(({ at }) => at).filter((at) => at !== null);
  return (
    <>
      <span className={ui['quiet']}>
        {times.length === CHECK_STAGES.length ? texts.checked(timeText(Math.min(...times), now)) : texts.unchecked}
      </span>
      <Chip title={texts.runText} disabled={isBusy} onClick={() => void during(actions.check())}>
        {texts.run}
      </Chip>
      {muted.length > 0 && (
        <Chip aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {texts.muted(muted.length)}
        </Chip>
      )}
      {isOpen &&
        muted.map((rule) => (
          <Chip key={rule} onClick={() => void actions.muteRule(rule, false)}>
            {texts.unmute(ruleShortName(rule) ?? rule)}
          </Chip>
        ))}
    </>
  );
}

interface KindsProps {
  readonly workspaceId: string;
  /** Only issues of this campaign; null for the whole account. */
  readonly campaignId: number | null;
}

function Kinds({ workspaceId, campaignId }: KindsProps) {
  const api = useApi();
  const { data, error } = useQuery(
    api.workspace.issues.queryOptions({ input: { workspaceId, from: 0, count: 0, campaignId } }),
  );
  const own = useQuery(api.rules.list.queryOptions({ input: { workspaceId } })).data ?? [];
  const [open, setOpen] = useState<readonly string[]>([]);
  const listOf = usePagesOf(
    open,
    (rule, from, count) => api.workspace.issues.queryOptions({ input: { workspaceId, from, count, campaignId, rule } }),
    ({ issues }) => issues,
  );
  const counts = useQuery(api.workspace.summary.queryOptions({ input: { workspaceId } })).data?.issues;
  if (data === undefined) return <Waiting error={error} />;
  const { rules } = data;
  // After a large edit, issues are counted before they are listed.
  if (rules.length === 0 && campaignId === null && Object.values(counts ?? {}).some((count) => count > 0))
    return <Waiting />;
  if (rules.length === 0) return <Empty title={appTexts.drawer.noIssues} text={appTexts.drawer.noIssuesText} />;
  const groups = rules.map(({ rule, found }) => ({
    rule,
    lines: open.includes(rule) ? (listOf(rule).newest?.total ?? found) : 0,
  }));
  return (
    <VirtualList
      count={countLines(groups)}
      label={appTexts.drawer.issues}
      resetOn={String(campaignId)}
      onWant={(from, to) => {
        for (const part of inSight(groups, from, to)) listOf(part.rule).want(part.from, part.to);
      }}
      line={(index) => {
        const at = placeAt(groups, index);
        const tally = rules.find(({ rule }) => rule === at?.rule);
        if (at === null || tally === undefined) return null;
        const { rule } = tally;
        if (at.place !== 'title') return <IssueLine workspaceId={workspaceId} issue={listOf(rule).at(at.place)} />;
        return (
          <KindLine
            tally={tally}
            own={own}
            campaignId={campaignId}
            isOpen={open.includes(rule)}
            onToggle={() => setOpen(open.includes(rule) ? open.filter((each) => each !== rule) : [...open, rule])}
          />
        );
      }}
    />
  );
}

/** Scrolls an opened title to the top, because in a low panel the lines below it could be out of view. */
function toggleInSight(title: Element, isOpen: boolean, toggle: () => void): void {
  flushSync(toggle);
  const box = title.closest('[data-scrolls]');
  if (isOpen || box === null) return;
  box.scrollTop += title.getBoundingClientRect().top - box.getBoundingClientRect().top;
}

interface KindLineProps {
  readonly tally: RuleTally;
  readonly own: readonly OwnRule[];
  readonly campaignId: number | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** A rule with issues: its name, the number of rows, one sentence, and the fix for all of them. */
function KindLine({ tally, own, campaignId, isOpen, onToggle }: KindLineProps) {
  const app = useAppContext();
  const { rule, severity, found } = tally;
  const name = ruleName(rule, own);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const verb = verbOf(tally);
  return (
    <div className={`${ui['line']} ${styles['kind']}`}>
      <h2 className={styles['kind-name']}>
        <button
          type="button"
          className={ui['line-main']}
          aria-expanded={isOpen}
          onClick={(event) => toggleInSight(event.currentTarget, isOpen, onToggle)}
        >
          <Chevron size={14} stroke={1.5} aria-hidden />
          <SeverityIcon severity={severity} />
          <b>{name}</b>
          <span className={styles['kind-count']}>{countText(found)}</span>
        </button>
      </h2>
      <span className={styles['kind-text']}>{ruleNextStep(rule)}</span>
      <Chip onClick={() => runVerb(app, verb, tally, campaignId, own)}>{verb.name}</Chip>
      <KindMenu tally={tally} name={name} campaignId={campaignId} />
    </div>
  );
}

export function SeverityIcon({ severity }: { readonly severity: Severity }) {
  const Icon = ICONS[severity];
  return (
    <span className={ui[`note-${severity}`]} role="img" aria-label={appTexts.rules.severityWord[severity]}>
      <Icon size={15} stroke={1.75} aria-hidden />
    </span>
  );
}

interface KindMenuProps {
  readonly tally: RuleTally;
  readonly name: string;
  readonly campaignId: number | null;
}

/** Why a rule reports, and its mute button. Errors can't be muted; a custom rule is switched off in the settings. */
function KindMenu({ tally: { rule, severity, found }, name, campaignId }: KindMenuProps) {
  const { actions } = useAppContext();
  const isOwn = ruleById(rule) === undefined;
  const note = isOwn ? texts.ownRule : severity === 'error' ? texts.unmutable : '';
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <button type="button" className={styles['more']} aria-label={texts.more(name)} title={texts.more(name)}>
          <IconDots size={16} stroke={1.5} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Why rule={rule} campaignId={campaignId} isOneOfMany={found > 1} name={name} /> {note}
        </Menu.Label>
        {!isOwn && severity !== 'error' && (
          <Menu.Item onClick={() => void actions.muteRule(rule, true)}>{texts.mute}</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface WhyProps {
  readonly rule: string;
  readonly campaignId: number | null;
  readonly isOneOfMany: boolean;
  readonly name: string;
}

/** The whole sentence of the first issue of a rule, because the text of a rule alone lacks names and amounts. */
function Why({ rule, campaignId, isOneOfMany, name }: WhyProps) {
  const workspaceId = useView((s) => s.workspaceId);
  const first = useQuery(
    useApi().workspace.issues.queryOptions({
      input: workspaceId === null ? skipToken : { workspaceId, from: 0, count: 1, campaignId, rule },
    }),
  ).data?.issues[0];
  if (first === undefined) return <>{name}.</>;
  return <>{isOneOfMany ? texts.example(issueText(first)) : issueText(first)}</>;
}

/** An issue as the lower panel lists it. */
type ListedIssue = Awaited<ReturnType<Client['workspace']['issues']>>['issues'][number];

interface IssueLineProps {
  readonly workspaceId: string;
  /** Undefined while it is not loaded. */
  readonly issue: ListedIssue | undefined;
}

/** One row with the issue. A click opens its cell; the fix has its own button. */
function IssueLine({ workspaceId, issue }: IssueLineProps) {
  const { actions, store } = useAppContext();
  if (issue === undefined) return <span className={ui['long-skeleton']} />;
  const { fix, kind, id, label, campaignName, campaignId, field, params } = issue;
  const itemId = params['itemId'];
  const text = issueText(issue);
  const what = [KIND_NAMES[kind].one, field === null ? '' : fieldName(field, kind)].filter((part) => part !== '');
  return (
    <div className={`${ui['line']} ${styles['issue']}`}>
      <button
        type="button"
        className={ui['line-main']}
        title={text}
        onClick={() => store.getState().reveal(kind, campaignId, id, field)}
      >
        {kind === 'adItem' && (
          <ItemPicture
            workspaceId={workspaceId}
            itemId={typeof itemId === 'string' ? itemId : null}
            name={label}
            size={20}
          />
        )}
        <span className={styles['issue-name']}>{label}</span>
        <span className={`${ui['quiet']} ${styles['issue-where']}`}>{kind === 'campaign' ? '' : campaignName}</span>
        <span className={styles['issue-text']}>{text}</span>
        <span className={ui['spoken-only']}>{what.join(', ')}</span>
      </button>
      {issue.rule === LONG_VIDEO_RULE && (
        <button
          type="button"
          className={styles['fix']}
          aria-label={`${longVideoTexts.trim}: ${label}`}
          onClick={() => store.getState().editVideo(id)}
        >
          {longVideoTexts.trim}
        </button>
      )}
      {fix !== null && (
        <button
          type="button"
          className={styles['fix']}
          aria-label={`${appTexts.inspector.fix}: ${label}`}
          onClick={() => void actions.edit(appTexts.inspector.fix, [{ kind, id, field: fix.field, value: fix.value }])}
        >
          {appTexts.inspector.fix}
        </button>
      )}
    </div>
  );
}

/** A rule that reports issues, with the number of lines below its title; 0 while it is collapsed. */
export interface RuleLines {
  readonly rule: string;
  readonly lines: number;
}

/** Content of a line: the title of a rule, or an entry of its list by index. */
interface RulePlace {
  readonly rule: string;
  readonly place: number | 'title';
}

/** The number of lines of all titles and expanded lists. */
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

/** The part of a rule's list that is in view. */
interface Sight {
  readonly rule: string;
  readonly from: number;
  readonly to: number;
}

/** The list entries on the lines from `from` up to, but not including, `to`. */
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
