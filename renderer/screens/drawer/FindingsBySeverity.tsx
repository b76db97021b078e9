import { type FindingCounts, findings } from '../../data/finding-questions.ts';
import { usePagedList } from '../../data/use-paged-list.ts';
import { en } from '../../messages/en.ts';
import { errorText } from '../../messages/errors.ts';
import { countText } from '../../messages/numbers.ts';
import { Empty } from '../../ui/Empty.tsx';
import { VirtualList } from '../../ui/LongList.tsx';
import { FindingLine } from './FindingLine.tsx';
import { SEVERITY_SIGNS } from './severity-signs.ts';

interface FindingsListProps {
  readonly workspaceId: string;
  /** Only of this campaign; null for the whole account. */
  readonly campaignId: number | null;
}

/** All findings, gravest first, however many there are. */
export function FindingsBySeverity({ workspaceId, campaignId }: FindingsListProps) {
  const list = usePagedList(findings(workspaceId, campaignId));
  const newest = list.newest();
  if (newest === undefined) {
    const problem = list.problem();
    return <div className="empty">{problem === null ? en.grid.loading : errorText(problem)}</div>;
  }
  if (newest.total === 0) return <Empty title={en.drawer.noFindings} text={en.drawer.noFindingsText} />;
  const { counts } = newest.facts;
  return (
    <VirtualList
      count={newest.total + groupsOf(counts).length}
      label={en.drawer.findings}
      resetOn={String(campaignId)}
      onWant={(from, to) => list.want(from - SEVERITY_SIGNS.length, to)}
      line={(index) => {
        const place = placeOf(counts, index);
        return typeof place === 'number' ? <FindingLine finding={list.at(place)} /> : <Title {...place} />;
      }}
    />
  );
}

type Group = (typeof SEVERITY_SIGNS)[number];

function Title({ group, count }: { readonly group: Group; readonly count: number }) {
  return (
    <h2 className={`group-title note-${group.severity}`}>
      <span aria-hidden="true">{group.sign}</span> {group.name} <span className="badge">{countText(count)}</span>
    </h2>
  );
}

const groupsOf = (counts: FindingCounts): readonly Group[] =>
  SEVERITY_SIGNS.filter(({ severity }) => counts[severity] > 0);

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
