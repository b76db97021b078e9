import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { flushSync } from 'react-dom';
import type { RuleTally } from '../../../shared/rules/finding.ts';
import { userRules } from '../../data/account-questions.ts';
import { findingRules } from '../../data/finding-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enCheck } from '../../messages/en-check.ts';
import { enRules } from '../../messages/en-rules.ts';
import { errorText } from '../../messages/errors.ts';
import { ruleName } from '../../messages/findings.ts';
import { countText } from '../../messages/numbers.ts';
import { Empty } from '../../ui/Empty.tsx';
import { VirtualList } from '../../ui/LongList.tsx';
import { FindingLine } from './FindingLine.tsx';
import { FixAll, Mute } from './KindActions.tsx';
import { countLines, inSight, placeAt } from './rule-lines.ts';
import { SEVERITY_SIGNS } from './severity-signs.ts';
import { useRuleLists } from './use-rule-lists.ts';

interface FindingsByRuleProps {
  readonly workspaceId: string;
  /** Only of this campaign; null for the whole account. */
  readonly campaignId: number | null;
}

/** What each rule finds below its title, folded until somebody wants to see it; all of a kind is mended at the title. */
export function FindingsByRule({ workspaceId, campaignId }: FindingsByRuleProps) {
  const { data: rules, error } = useQuery(findingRules(workspaceId, campaignId));
  const own = useQuery(userRules(workspaceId)).data ?? [];
  const lists = useRuleLists(workspaceId, campaignId);
  if (rules === undefined) {
    return <div className="empty">{error === null ? en.grid.loading : errorText(error)}</div>;
  }
  if (rules.length === 0) return <Empty title={en.drawer.noFindings} text={en.drawer.noFindingsText} />;
  const groups = rules.map(({ rule, found }) => {
    const list = lists.of(rule);
    return { rule, lines: list === undefined ? 0 : (list.newest()?.total ?? found) };
  });
  return (
    <VirtualList
      count={countLines(groups)}
      label={en.drawer.findings}
      resetOn={String(campaignId)}
      onWant={(from, to) => {
        for (const part of inSight(groups, from, to)) lists.of(part.rule)?.want(part.from, part.to);
      }}
      line={(index) => {
        const at = placeAt(groups, index);
        const tally = rules.find(({ rule }) => rule === at?.rule);
        if (at === null || tally === undefined) return null;
        if (at.place !== 'title') return <FindingLine isGrouped finding={lists.of(at.rule)?.at(at.place)} />;
        return (
          <RuleTitle
            tally={tally}
            name={ruleName(tally.rule, own)}
            campaignId={campaignId}
            isOpen={lists.of(tally.rule) !== undefined}
            onToggle={() => lists.toggle(tally.rule)}
          />
        );
      }}
    />
  );
}

/** Unfolding brings the title to the top, for in a low drawer what comes below it would be out of sight. */
function toggleInSight(title: Element, isOpen: boolean, toggle: () => void): void {
  flushSync(toggle);
  const box = title.closest('.long-list');
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
    <div className="line rule-title">
      <h2 className="rule-name">
        <button
          type="button"
          className="line-main"
          aria-expanded={isOpen}
          title={name}
          onClick={(event) => toggleInSight(event.currentTarget, isOpen, onToggle)}
        >
          <Chevron size={14} stroke={1.5} aria-hidden />
          <span className={`note-${severity}`} role="img" aria-label={enRules.severityWord[severity]}>
            {sign}
          </span>
          <span className="line-text">{name}</span>
          <span className="badge">{countText(found)}</span>
        </button>
      </h2>
      {fixable > 0 && (
        <FixAll
          rule={rule}
          campaignId={campaignId}
          name={enCheck.fixKind(fixable)}
          hint={enCheck.fixKindText(fixable, found)}
        />
      )}
      <Mute rule={rule} severity={severity} text={name} />
    </div>
  );
}
