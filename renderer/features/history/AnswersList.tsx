import { useState } from 'react';
import type { ResponseSummary } from '../../../shared/api/requests.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { errorText } from '../../app/error-text.ts';
import { countText, timeText } from '../../app/locale/numbers.ts';
import { usePages } from '../../app/pages.ts';
import { appTexts } from '../../app/texts.ts';
import { Empty } from '../../components/Empty.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { VirtualList } from '../../components/VirtualList.tsx';

const texts = {
  find: 'Find by correlation ID, path or status',
  none: 'No responses yet',
  noneText: 'Every response of the service is listed here exactly as received.',
  noSuch: 'No matching responses.',
  list: 'Responses',
  length: (characters: number) => (characters === 1 ? '1 character' : `${countText(characters)} characters`),
} as const;

/** What the service answered, newest first, to reads as well as to what was sent; each opens as it was received. */
export function AnswersList({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const [words, setWords] = useState('');
  const now = useNow();
  const list = usePages(
    (from, count) => api.responses.list.queryOptions({ input: { workspaceId, from, count, words } }),
    ({ answers }) => answers,
  );
  const { newest } = list;
  if (newest === undefined) {
    return <div className={ui['empty']}>{list.error === null ? appTexts.grid.loading : errorText(list.error)}</div>;
  }
  if (newest.total === 0 && words === '') return <Empty title={texts.none} text={texts.noneText} />;
  return (
    <>
      <div className={ui['drawer-bar']}>
        <SearchBox label={texts.find} value={words} onChange={setWords} />
      </div>
      {newest.total === 0 && <p className={`${ui['line']} ${ui['quiet']}`}>{texts.noSuch}</p>}
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
  if (answer === undefined) return <span className={ui['long-skeleton']} />;
  const { at, method, path, status, correlationId, length } = answer;
  return (
    <div className={ui['line']}>
      <span className={`${ui['line-time']} ${ui['numeric']} ${ui['quiet']}`}>{timeText(at, now)}</span>
      <button
        type="button"
        className={ui['line-main']}
        onClick={() => store.getState().show({ name: 'answer', answer })}
      >
        <span className={`${ui['line-text']} ${ui['numeric']}`}>
          {method} {path}
        </span>
        <span className={`${ui['line-where']} ${ui['quiet']} ${ui['numeric']}`}>{correlationId}</span>
      </button>
      <span className={status >= 400 ? `${ui['badge']} ${ui['badge-error']}` : ui['badge']}>{status}</span>
      <span className={`${ui['line-who']} ${ui['quiet']}`}>{length === null ? '' : texts.length(length)}</span>
    </div>
  );
}
