import { useState } from 'react';
import type { Severity } from '../../../shared/rules/finding.ts';
import { ruleById } from '../../../shared/rules/registry.ts';
import { useDesk, useView } from '../../app/desk.ts';
import { type FindingCounts, type Found, findings } from '../../data/questions.ts';
import { usePagedList } from '../../data/use-paged-list.ts';
import { en } from '../../messages/en.ts';
import { enCheck } from '../../messages/en-check.ts';
import { errorText } from '../../messages/errors.ts';
import { fieldName, KIND_NAMES } from '../../messages/fields.ts';
import { findingText } from '../../messages/findings.ts';
import { countText } from '../../messages/numbers.ts';
import { ChipChoice } from '../../ui/ChipChoice.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { LongList } from '../../ui/LongList.tsx';
import { CheckStrip } from './CheckStrip.tsx';

const GROUPS: readonly { readonly severity: Severity; readonly sign: string; readonly name: string }[] = [
  { severity: 'error', sign: '!', name: en.drawer.errors },
  { severity: 'warning', sign: '▲', name: en.drawer.warnings },
  { severity: 'advice', sign: 'i', name: en.drawer.advice },
];

/** What the rules say, gravest first, however many there are. A click goes to the cell; a fix is one more click. */
export function FindingsTab({ workspaceId }: { readonly workspaceId: string }) {
  const open = useView((s) => s.campaignId);
  const [here, setHere] = useState(false);
  const campaignId = here ? open : null;
  const list = usePagedList(findings(workspaceId, campaignId));
  const newest = list.newest();
  if (newest === undefined) {
    const problem = list.problem();
    return <div className="empty">{problem === null ? en.grid.loading : errorText(problem)}</div>;
  }
  return (
    <div className="drawer-body">
      <div className="drawer-bar">
        {open !== null && (
          <ChipChoice
            label={en.drawer.scope}
            choices={[
              { value: false, name: en.drawer.scopeAll },
              { value: true, name: en.drawer.scopeHere },
            ]}
            chosen={here}
            onChoose={setHere}
          />
        )}
        <CheckStrip workspaceId={workspaceId} />
      </div>
      {newest.total === 0 ? (
        <Empty title={en.drawer.noFindings} text={en.drawer.noFindingsText} />
      ) : (
        <LongList
          count={newest.total + groupsOf(newest.facts).length}
          label={en.drawer.findings}
          resetOn={String(campaignId)}
          onWant={(from, to) => list.want(from - GROUPS.length, to)}
          line={(index) => <FindingLine place={placeOf(newest.facts, index)} at={list.at} />}
        />
      )}
    </div>
  );
}

type Group = (typeof GROUPS)[number];

const groupsOf = (counts: FindingCounts): readonly Group[] => GROUPS.filter(({ severity }) => counts[severity] > 0);

/** What stands in a line: the title of a group with its count, or the finding at a place of the list. */
function placeOf(counts: FindingCounts, index: number): { readonly group: Group; readonly count: number } | number {
  let line = index;
  let before = 0;
  for (const group of groupsOf(counts)) {
    const count = counts[group.severity];
    if (line === 0) return { group, count };
    if (line <= count) return before + line - 1;
    line -= count + 1;
    before += count;
  }
  return before;
}

interface FindingLineProps {
  readonly place: ReturnType<typeof placeOf>;
  readonly at: (index: number) => Found | undefined;
}

function FindingLine({ place, at }: FindingLineProps) {
  const { actions, store } = useDesk();
  if (typeof place !== 'number') {
    const { severity, sign, name } = place.group;
    return (
      <h2 className={`group-title note-${severity}`}>
        <span aria-hidden="true">{sign}</span> {name} <span className="badge">{countText(place.count)}</span>
      </h2>
    );
  }
  const finding = at(place);
  if (finding === undefined) return <span className="long-skeleton" />;
  const { fix, kind, id } = finding;
  const where = [
    finding.campaignName,
    kind === 'campaign' ? '' : KIND_NAMES[kind].one,
    kind === 'campaign' ? '' : finding.label,
  ];
  const text = findingText(finding);
  const path = `${where.filter((part) => part !== '').join(' › ')}${finding.field === null ? '' : ` › ${fieldName(finding.field)}`}`;
  return (
    <div className="line">
      <button
        type="button"
        className="line-main"
        title={`${text}\n${path}`}
        onClick={() => store.getState().reveal(kind, finding.campaignId, id, finding.field)}
      >
        <span className="line-text">{text}</span>
        <span className="line-where quiet">{path}</span>
      </button>
      {fix !== null && (
        <>
          <button
            type="button"
            className="chip"
            onClick={() => void actions.edit(en.inspector.fix, [{ kind, id, field: fix.field, value: fix.value }])}
          >
            {en.inspector.fix}
          </button>
          <button type="button" className="chip" onClick={() => void actions.fixAll(finding.rule)}>
            {en.drawer.fixAll}
          </button>
        </>
      )}
      {finding.severity !== 'error' && isOurs(finding.rule) && (
        <button
          type="button"
          className="chip"
          title={enCheck.muteRule(text)}
          onClick={() => void actions.muteRule(finding.rule, true)}
        >
          {enCheck.mute}
        </button>
      )}
    </div>
  );
}

/** A rule of the user's own is switched off where it was written. */
const isOurs = (rule: string): boolean => ruleById(rule) !== undefined;
