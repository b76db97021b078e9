import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { readWhole, usePages } from '../../app/pages.ts';
import { saveText } from '../../app/save-text.ts';
import type { Client } from '../../app/transport/connection.ts';
import { Empty } from '../../components/Empty.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import { useNow } from '../../components/use-now.ts';
import { VirtualList } from '../../components/VirtualList.tsx';
import { en } from '../../texts/en.ts';
import { enHistory } from '../../texts/en-history.ts';
import { enRequests } from '../../texts/en-requests.ts';
import { enResponses } from '../../texts/en-responses.ts';
import { errorText } from '../../texts/errors.ts';
import { timeText } from '../../texts/numbers.ts';
import { AnswersList } from '../history/AnswersList.tsx';
import { logTable, RequestsList } from '../history/RequestsList.tsx';

/** A spreadsheet program opens no more rows than this. */
const SAVED_MAX = 1_000_000;

type Of = 'steps' | 'requests' | 'answers';
const VIEWS: Readonly<Record<Of, string>> = {
  steps: enRequests.steps,
  requests: enRequests.requests,
  answers: enResponses.view,
};

/** What was done here, what was sent to the service, and what it answered. */
export function HistoryTab({ workspaceId }: { readonly workspaceId: string }) {
  const [of, setOf] = useState<Of>('steps');
  return (
    <div className="drawer-body">
      <div className="drawer-bar" role="group" aria-label={enRequests.views}>
        {(Object.keys(VIEWS) as Of[]).map((each) => (
          <button key={each} type="button" className="chip" aria-pressed={of === each} onClick={() => setOf(each)}>
            {VIEWS[each]}
          </button>
        ))}
      </div>
      {of === 'steps' && <Steps workspaceId={workspaceId} />}
      {of === 'requests' && <RequestsList workspaceId={workspaceId} />}
      {of === 'answers' && <AnswersList workspaceId={workspaceId} />}
    </div>
  );
}

/** Every step, newest first. Steps that were undone stay listed until a new edit replaces them. */
function Steps({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { actions } = useAppContext();
  const [words, setWords] = useState('');
  const now = useNow();
  const list = usePages(
    (from, count) => api.workspace.history.queryOptions({ input: { workspaceId, from, count, words } }),
    ({ steps }) => steps,
  );
  const figures = useQuery(api.workspace.summary.queryOptions({ input: { workspaceId } })).data;
  const { newest } = list;
  if (newest === undefined) {
    return <div className="empty">{list.error === null ? en.grid.loading : errorText(list.error)}</div>;
  }
  if (newest.total === 0 && words === '') return <Empty title={en.drawer.noHistory} text={en.drawer.noHistoryText} />;
  const save = async (): Promise<void> => {
    const all = await readWhole(
      (from, count) => api.history.log.call({ workspaceId, stepId: null, from, count }),
      ({ entries }) => entries,
      SAVED_MAX,
    );
    saveText(enHistory.fileName, logTable(all), 'text/tab-separated-values');
  };
  return (
    <>
      <div className="drawer-bar">
        <SearchBox label={enHistory.findStep} value={words} onChange={setWords} />
        <button type="button" className="chip" disabled={figures?.undo === null} onClick={() => void actions.undo()}>
          {en.commands['edit.undo']}
        </button>
        <button type="button" className="chip" disabled={figures?.redo === null} onClick={() => void actions.redo()}>
          {en.commands['edit.redo']}
        </button>
        <button type="button" className="chip" onClick={() => void save()}>
          {enHistory.save}
        </button>
      </div>
      {newest.total === 0 && <p className="line quiet">{enHistory.noSuchStep}</p>}
      <VirtualList
        count={newest.total}
        label={en.drawer.history}
        resetOn={`${workspaceId} ${words}`}
        onWant={list.want}
        line={(index) => <StepLine step={list.at(index)} now={now} />}
      />
    </>
  );
}

type Step = Awaited<ReturnType<Client['workspace']['history']>>['steps'][number];

function StepLine({ step, now }: { readonly step: Step | undefined; readonly now: number }) {
  const { store } = useAppContext();
  if (step === undefined) return <span className="long-skeleton" />;
  const { id, previous, label, who, at } = step;
  return (
    <div className={step.undone ? 'line line-undone' : 'line'}>
      <span className="line-time numeric quiet">{timeText(at, now)}</span>
      <button
        type="button"
        className="line-main"
        title={enHistory.open(label)}
        onClick={() => store.getState().show({ name: 'step', step: { id, previous, label, who, at } })}
      >
        <span className="line-text">{label}</span>
      </button>
      {step.undone && <span className="badge">{en.drawer.undone}</span>}
      <span className="line-who quiet">{who}</span>
      <span className="line-where quiet">{en.grid.rows(step.rows)}</span>
    </div>
  );
}
