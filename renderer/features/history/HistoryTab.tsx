import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ResponseSummary } from '../../../shared/api/requests.ts';
import { useApi, useAppContext, useViewOf } from '../../app/app-context.ts';
import { commandOf } from '../../app/commands.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { countText, timeText } from '../../app/locale/numbers.ts';
import { PageList } from '../../app/PageList.tsx';
import { Waiting } from '../../app/Problem.tsx';
import { readWhole, usePages } from '../../app/pages.ts';
import { saveText } from '../../app/save-text.ts';
import type { HistoryDetail } from '../../app/store/history-slice.ts';
import { appTexts } from '../../app/texts.ts';
import type { Client } from '../../app/transport/connection.ts';
import { useCommandContext } from '../../app/use-shortcuts.ts';
import { Chip } from '../../components/Chip.tsx';
import { Choice } from '../../components/Choice.tsx';
import { Empty } from '../../components/Empty.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import styles from './history.module.css';
import { RequestPanel } from './RequestDetail.tsx';
import { logTable, RequestsList } from './RequestsList.tsx';
import { ResponseDetail } from './ResponseDetail.tsx';
import { StepDetail } from './StepDetail.tsx';

const texts = {
  noHistory: 'No edits yet',
  noHistoryText: 'Every edit, import and sync is listed here. You can undo edits even after a restart.',
  undone: 'undone',
  findStep: 'Find edit',
  noSuchStep: 'No matching edits.',
  save: 'Export as table (TSV)',
  fileName: 'history.tsv',
  open: (step: string) => `Show changes of "${step}"`,
  steps: 'Edits',
  views: 'Show history of',
  view: 'Responses',
  member: 'Edits of',
  allMembers: 'All members',
} as const;

/** The most rows that a spreadsheet program opens. */
const SAVED_MAX = 1_000_000;

const VIEWS: Readonly<Record<HistoryDetail['of'], string>> = {
  steps: texts.steps,
  requests: dialogTexts.requests.requests,
  answers: texts.view,
};

/** Edits in this account, requests to the service, and its responses. */
export function HistoryTab({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const { of, detail } = useViewOf((s) => ({ of: s.historyOf, detail: s.historyDetail }));
  // An entry belongs to one account, so it is closed with the list.
  useEffect(() => () => store.getState().showHistory(null), [store]);
  return (
    <div className={ui['drawer-body']}>
      <div className={ui['drawer-bar']} role="group" aria-label={texts.views}>
        {(Object.keys(VIEWS) as HistoryDetail['of'][]).map((each) => (
          <Chip key={each} aria-pressed={of === each} onClick={() => store.getState().chooseHistory(each)}>
            {VIEWS[each]}
          </Chip>
        ))}
      </div>
      <div className={styles['beside']}>
        <div className={ui['drawer-body']}>
          {of === 'steps' && <Steps workspaceId={workspaceId} />}
          {of === 'requests' && <RequestsList workspaceId={workspaceId} />}
          {of === 'answers' && <AnswersList workspaceId={workspaceId} />}
        </div>
        {detail !== null && <Detail workspaceId={workspaceId} detail={detail} />}
      </div>
    </div>
  );
}

function Detail({ workspaceId, detail }: { readonly workspaceId: string; readonly detail: HistoryDetail }) {
  if (detail.of === 'steps') return <StepDetail key={detail.step.id} workspaceId={workspaceId} step={detail.step} />;
  if (detail.of === 'requests') {
    return <RequestPanel key={detail.request.id} workspaceId={workspaceId} request={detail.request} />;
  }
  return <ResponseDetail key={detail.answer.id} workspaceId={workspaceId} answer={detail.answer} />;
}

/** Every step, newest first. Undone steps stay listed until a new edit replaces them. */
function Steps({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { actions } = useAppContext();
  const [words, setWords] = useState('');
  const [member, setMember] = useState<number | null>(null);
  const hasTeam = useCommandContext().team;
  const now = useNow();
  const list = usePages(
    (from, count) => api.workspace.history.queryOptions({ input: { workspaceId, from, count, words, member } }),
    ({ steps }) => steps,
  );
  const figures = useQuery(api.workspace.summary.queryOptions({ input: { workspaceId } })).data;
  const { newest } = list;
  if (newest === undefined) return <Waiting error={list.error} />;
  if (newest.total === 0 && words === '' && member === null)
    return <Empty title={texts.noHistory} text={texts.noHistoryText} />;
  const save = async (): Promise<void> => {
    const all = await readWhole(
      (from, count) => api.history.log.call({ workspaceId, stepId: null, member, from, count }),
      ({ entries }) => entries,
      SAVED_MAX,
    );
    saveText(texts.fileName, logTable(all), 'text/tab-separated-values');
  };
  return (
    <>
      <div className={ui['drawer-bar']}>
        <SearchBox label={texts.findStep} value={words} onChange={setWords} />
        {hasTeam && <MemberChoice workspaceId={workspaceId} member={member} onChoose={setMember} />}
        <Chip disabled={figures?.undo === null} onClick={() => void actions.undo()}>
          {commandOf('edit.undo').title}
        </Chip>
        <Chip disabled={figures?.redo === null} onClick={() => void actions.redo()}>
          {commandOf('edit.redo').title}
        </Chip>
        <Chip onClick={() => void save()}>{texts.save}</Chip>
      </div>
      {newest.total === 0 && <p className={`${ui['line']} ${ui['quiet']}`}>{texts.noSuchStep}</p>}
      <PageList
        list={list}
        label={appTexts.drawer.history}
        resetOn={`${workspaceId} ${words} ${member}`}
        line={(step) => <StepLine step={step} now={now} />}
      />
    </>
  );
}

type Step = Awaited<ReturnType<Client['workspace']['history']>>['steps'][number];

function StepLine({ step, now }: { readonly step: Step; readonly now: number }) {
  const { store } = useAppContext();
  const { id, previous, label, who, at } = step;
  return (
    <div className={step.undone ? `${ui['line']} ${styles['line-undone']}` : ui['line']}>
      <span className={`${ui['line-time']} ${ui['numeric']} ${ui['quiet']}`}>{timeText(at, now)}</span>
      <button
        type="button"
        className={ui['line-main']}
        title={texts.open(label)}
        onClick={() => store.getState().showHistory({ of: 'steps', step: { id, previous, label, who, at } })}
      >
        <span className={ui['line-text']}>{label}</span>
      </button>
      {step.undone && <span className={ui['badge']}>{texts.undone}</span>}
      <span className={`${ui['line-who']} ${ui['quiet']}`}>{who}</span>
      <span className={`${ui['line-where']} ${ui['quiet']}`}>{appTexts.grid.rows(step.rows)}</span>
    </div>
  );
}

const answersListTexts = {
  find: 'Find by correlation ID, path or status',
  none: 'No responses yet',
  noneText: 'Every response of the service is listed here exactly as received.',
  noSuch: 'No matching responses.',
  list: 'Responses',
  length: (characters: number) => (characters === 1 ? '1 character' : `${countText(characters)} characters`),
} as const;

/** Responses of the service, newest first, to reads and writes. Each opens as it was received. */
function AnswersList({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const [words, setWords] = useState('');
  const now = useNow();
  const list = usePages(
    (from, count) => api.responses.list.queryOptions({ input: { workspaceId, from, count, words } }),
    ({ answers }) => answers,
  );
  const { newest } = list;
  if (newest === undefined) return <Waiting error={list.error} />;
  if (newest.total === 0 && words === '')
    return <Empty title={answersListTexts.none} text={answersListTexts.noneText} />;
  return (
    <>
      <div className={ui['drawer-bar']}>
        <SearchBox label={answersListTexts.find} value={words} onChange={setWords} />
      </div>
      {newest.total === 0 && <p className={`${ui['line']} ${ui['quiet']}`}>{answersListTexts.noSuch}</p>}
      <PageList
        list={list}
        label={answersListTexts.list}
        resetOn={`${workspaceId} ${words}`}
        line={(answer) => <Line answer={answer} now={now} />}
      />
    </>
  );
}

function Line({ answer, now }: { readonly answer: ResponseSummary; readonly now: number }) {
  const { store } = useAppContext();
  const { at, method, path, status, correlationId, length } = answer;
  return (
    <div className={ui['line']}>
      <span className={`${ui['line-time']} ${ui['numeric']} ${ui['quiet']}`}>{timeText(at, now)}</span>
      <button
        type="button"
        className={ui['line-main']}
        onClick={() => store.getState().showHistory({ of: 'answers', answer })}
      >
        <span className={`${ui['line-text']} ${ui['numeric']}`}>
          {method} {path}
        </span>
        <span className={`${ui['line-where']} ${ui['quiet']} ${ui['numeric']}`}>{correlationId}</span>
      </button>
      <span className={status >= 400 ? `${ui['badge']} ${ui['badge-error']}` : ui['badge']}>{status}</span>
      <span className={`${ui['line-who']} ${ui['quiet']}`}>
        {length === null ? '' : answersListTexts.length(length)}
      </span>
    </div>
  );
}

interface MemberChoiceProps {
  readonly workspaceId: string;
  readonly member: number | null;
  readonly onChoose: (member: number | null) => void;
}

/** Filters the history by the author of edits. Members with a computer in the team are listed offline too. */
function MemberChoice({ workspaceId, member, onChoose }: MemberChoiceProps) {
  const status = useQuery(useApi().team.status.queryOptions({ input: { workspaceId } })).data;
  const members = new Map(status?.desks.map((app) => [app.member.no, app.member.display]));
  return (
    <Choice
      className={`${ui['input']} ${styles['member']}`}
      aria-label={texts.member}
      options={[[null, texts.allMembers], ...members]}
      value={member}
      onChoose={onChoose}
    />
  );
}
