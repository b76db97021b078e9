import { useState } from 'react';
import type { ResponseSummary } from '../../../shared/api/requests.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { usePages } from '../../app/pages.ts';
import { Empty } from '../../components/Empty.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import { useNow } from '../../components/use-now.ts';
import { VirtualList } from '../../components/VirtualList.tsx';
import { en } from '../../texts/en.ts';
import { enResponses as texts } from '../../texts/en-responses.ts';
import { errorText } from '../../texts/errors.ts';
import { timeText } from '../../texts/numbers.ts';

/** What the service answered, newest first, to reads as well as to what was sent; each opens as it was received. */
export function AnswersList({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const [words, setWords] = useState('');
  const now = useNow();
  const list = usePages(
    (from, count) => api.answers.list.queryOptions({ input: { workspaceId, from, count, words } }),
    ({ answers }) => answers,
  );
  const { newest } = list;
  if (newest === undefined) {
    return <div className="empty">{list.error === null ? en.grid.loading : errorText(list.error)}</div>;
  }
  if (newest.total === 0 && words === '') return <Empty title={texts.none} text={texts.noneText} />;
  return (
    <>
      <div className="drawer-bar">
        <SearchBox label={texts.find} value={words} onChange={setWords} />
      </div>
      {newest.total === 0 && <p className="line quiet">{texts.noSuch}</p>}
      <VirtualList
        count={newest.total}
        label={texts.list}
        resetOn={`${workspaceId} ${words}`}
        onWant={list.want}
        line={(index) => <Line answer={list.at(index)} now={now} />}
      />
    </>
  );
}

function Line({ answer, now }: { readonly answer: ResponseSummary | undefined; readonly now: number }) {
  const { store } = useAppContext();
  if (answer === undefined) return <span className="long-skeleton" />;
  const { at, method, path, status, correlationId, length } = answer;
  return (
    <div className="line">
      <span className="line-time numeric quiet">{timeText(at, now)}</span>
      <button type="button" className="line-main" onClick={() => store.getState().show({ name: 'answer', answer })}>
        <span className="line-text numeric">
          {method} {path}
        </span>
        <span className="line-where quiet numeric">{correlationId}</span>
      </button>
      <span className={status >= 400 ? 'badge badge-error' : 'badge'}>{status}</span>
      <span className="line-who quiet">{length === null ? '' : texts.length(length)}</span>
    </div>
  );
}
