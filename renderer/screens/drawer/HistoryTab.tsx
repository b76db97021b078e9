import { useDesk } from '../../app/desk.ts';
import { history, type Step, summary } from '../../data/questions.ts';
import { usePagedList } from '../../data/use-paged-list.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { errorText } from '../../messages/errors.ts';
import { timeText } from '../../messages/numbers.ts';
import { Empty } from '../../ui/Empty.tsx';
import { LongList } from '../../ui/LongList.tsx';
import { useNow } from '../../ui/use-now.ts';

/** Every step, newest first. Steps that were undone stay listed until a new edit replaces them. */
export function HistoryTab({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useDesk();
  const now = useNow();
  const list = usePagedList(history(workspaceId));
  const figures = useQuery(summary(workspaceId)).data;
  const newest = list.newest();
  if (newest === undefined) {
    const problem = list.problem();
    return <div className="empty">{problem === null ? en.grid.loading : errorText(problem)}</div>;
  }
  if (newest.total === 0) return <Empty title={en.drawer.noHistory} text={en.drawer.noHistoryText} />;
  return (
    <div className="drawer-body">
      <div className="drawer-bar">
        <button type="button" className="chip" disabled={figures?.undo === null} onClick={() => void actions.undo()}>
          {en.commands['edit.undo']}
        </button>
        <button type="button" className="chip" disabled={figures?.redo === null} onClick={() => void actions.redo()}>
          {en.commands['edit.redo']}
        </button>
      </div>
      <LongList
        count={newest.total}
        label={en.drawer.history}
        isStill
        resetOn={workspaceId}
        onWant={list.want}
        line={(index) => <StepLine step={list.at(index)} now={now} />}
      />
    </div>
  );
}

function StepLine({ step, now }: { readonly step: Step | undefined; readonly now: number }) {
  if (step === undefined) return <span className="long-skeleton" />;
  return (
    <div className={step.undone ? 'line line-undone' : 'line'} title={step.who === '' ? undefined : step.who}>
      <span className="line-time numeric quiet">{timeText(step.at, now)}</span>
      <span className="line-text">{step.label}</span>
      {step.undone && <span className="badge">{en.drawer.undone}</span>}
      <span className="line-where quiet">{en.grid.rows(step.rows)}</span>
    </div>
  );
}
