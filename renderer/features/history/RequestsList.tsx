import { useState } from 'react';
import type { LogEntry } from '../../../shared/api/history.ts';
import type { SentRequest } from '../../../shared/api/requests.ts';
import { formatCell } from '../../../shared/model/cell-text.ts';
import { fieldSpec } from '../../../shared/model/fields.ts';
import { guardCell } from '../../../shared/spreadsheet/cell-guard.ts';
import { formatTsv } from '../../../shared/spreadsheet/tsv.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { fieldName, rowName } from '../../app/field-names.ts';
import { countText, timeText } from '../../app/locale/numbers.ts';
import { PageList } from '../../app/PageList.tsx';
import { Waiting } from '../../app/Problem.tsx';
import { readWhole, usePages } from '../../app/pages.ts';
import { saveText } from '../../app/save-text.ts';
import { Chip } from '../../components/Chip.tsx';
import { Empty } from '../../components/Empty.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { valueText } from '../../grid/columns.ts';
import { outcomeText, requestTable } from './RequestDetail.tsx';

const texts = {
  columns: ['Time', 'User', 'Edit', 'Source', 'Undone', 'Campaign', 'Row', 'Type', 'Field', 'Before', 'After'],
  undone: 'undone',
  find: 'Find by correlation ID, path or campaign',
  none: 'No requests yet',
  noneText: 'Every request that changes something on the service is listed here with its result.',
  noSuch: 'No matching requests.',
  attempt: (n: number) => `attempt ${countText(n)}`,
  saveAll: 'Export as table (TSV)',
  fileName: 'requests.tsv',
} as const;

const SAVED_MAX = 100_000;

/** Every request, newest first, searchable by correlation ID. Each opens with its body and its response. */
export function RequestsList({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const [words, setWords] = useState('');
  const now = useNow();
  const list = usePages(
    (from, count) => api.requests.list.queryOptions({ input: { workspaceId, from, count, words } }),
    ({ requests }) => requests,
  );
  const { newest } = list;
  if (newest === undefined) return <Waiting error={list.error} />;
  if (newest.total === 0 && words === '') return <Empty title={texts.none} text={texts.noneText} />;
  const save = async (): Promise<void> => {
    const all = await readWhole(
      (from, count) => api.requests.list.call({ workspaceId, from, count, words }),
      ({ requests }) => requests,
      SAVED_MAX,
    );
    saveText(texts.fileName, requestTable(all), 'text/tab-separated-values');
  };
  return (
    <>
      <div className={ui['drawer-bar']}>
        <SearchBox label={texts.find} value={words} onChange={setWords} />
        <Chip onClick={() => void save()}>{texts.saveAll}</Chip>
      </div>
      {newest.total === 0 && <p className={`${ui['line']} ${ui['quiet']}`}>{texts.noSuch}</p>}
      <PageList
        list={list}
        label={dialogTexts.requests.requests}
        resetOn={`${workspaceId} ${words}`}
        line={(request) => <RequestLine request={request} now={now} />}
      />
    </>
  );
}

function RequestLine({ request, now }: { readonly request: SentRequest; readonly now: number }) {
  const { store } = useAppContext();
  const { method, path, campaign, correlationId, attempt, sentAt } = request;
  return (
    <div className={ui['line']}>
      <span className={`${ui['line-time']} ${ui['numeric']} ${ui['quiet']}`}>{timeText(sentAt, now)}</span>
      <button
        type="button"
        className={ui['line-main']}
        onClick={() => store.getState().showHistory({ of: 'requests', request })}
      >
        <span className={`${ui['line-text']} ${ui['numeric']}`}>
          {method} {path}
        </span>
        <span className={`${ui['line-where']} ${ui['quiet']}`}>{campaign}</span>
        <span className={`${ui['line-where']} ${ui['quiet']} ${ui['numeric']}`}>{correlationId}</span>
      </button>
      {attempt > 1 && <span className={ui['badge']}>{texts.attempt(attempt)}</span>}
      <span className={`${ui['line-who']} ${ui['quiet']}`}>{outcomeText(request)}</span>
    </div>
  );
}

/** A logged value as text. Files are shown by number, because they may be deleted by now. */
export const entryText = ({ kind, field }: LogEntry, value: LogEntry['before']): string =>
  field === null ? '' : valueText(kind, field, value, new Map());

/** A logged value for a file, with amounts and days in the locale-independent format. */
function filedText(entry: LogEntry, value: LogEntry['before']): string {
  const is = entry.field === null ? undefined : fieldSpec(entry.kind, entry.field)?.type.is;
  return is === 'money' || is === 'factor' || is === 'date' || is === 'count'
    ? formatCell(entry.kind, entry.field ?? '', value)
    : entryText(entry, value);
}

/** The log as a table: times in UTC, one line per changed field. No cell can run as a spreadsheet formula. */
export function logTable(entries: readonly LogEntry[]): string {
  const lines = entries.map((entry) => [
    new Date(entry.at).toISOString(),
    entry.who,
    entry.step,
    entry.source,
    entry.undone ? texts.undone : '',
    entry.campaignName,
    rowName(entry.kind, entry.label),
    dialogTexts.history.what[entry.what],
    entry.field === null ? '' : fieldName(entry.field, entry.kind),
    filedText(entry, entry.before),
    filedText(entry, entry.after),
  ]);
  return formatTsv([[...texts.columns], ...lines.map((line) => line.map(guardCell))]);
}
