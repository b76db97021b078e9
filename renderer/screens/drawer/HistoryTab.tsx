import { useDesk } from '../../app/desk.ts';
import { history, summary } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { plural, timeText } from '../../messages/numbers.ts';
import { Empty } from '../../ui/Empty.tsx';
import { useNow } from '../../ui/use-now.ts';

const PAGE = 300;

/** Every step, newest first. Steps that were undone stay listed until a new edit replaces them. */
export function HistoryTab({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useDesk();
  const now = useNow();
  const page = useQuery(history(workspaceId, PAGE)).data;
  const figures = useQuery(summary(workspaceId)).data;
  if (page === undefined) return <div className="empty">{en.grid.loading}</div>;
  if (page.total === 0) return <Empty title={en.drawer.noHistory} text={en.drawer.noHistoryText} />;
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
      <ol className="lines" reversed>
        {page.steps.map((step) => (
          <li key={step.id} className={step.undone ? 'line line-undone' : 'line'}>
            <span className="line-time numeric quiet">{timeText(step.at, now)}</span>
            <span className="line-text">{step.label}</span>
            {step.undone && <span className="badge">{en.drawer.undone}</span>}
            <span className="line-where quiet">{plural(step.rows, 'row')}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
