import { enAnswers } from '../../../renderer/messages/en-answers.ts';
import { AnswersKeptForm } from '../../../renderer/screens/accounts/AnswersKeptForm.tsx';
import { AnswerDialog } from '../../../renderer/screens/history/AnswerDialog.tsx';
import { AnswersList } from '../../../renderer/screens/history/AnswersList.tsx';
import { AnswersTo } from '../../../renderer/screens/history/AnswersTo.tsx';
import { SupportFoot } from '../../../renderer/screens/history/SupportFoot.tsx';
import { LastRead } from '../../../renderer/screens/inspector/LastRead.tsx';
import { RefreshDialog } from '../../../renderer/screens/refresh/RefreshDialog.tsx';
import type { AnswerLine } from '../../../shared/contract/answers.ts';
import { never, os } from './answers.ts';
import { NOON, WORKSPACE } from './examples.ts';
import type { Part } from './part.ts';
import { staged } from './Stage.tsx';

const ANSWER: AnswerLine = {
  id: 9,
  at: NOON,
  method: 'GET',
  path: '/api/v1/adItems?campaignId=904100200301',
  status: 200,
  correlationId: 'a3f1c0de-0000-4000-8000-000000000009',
  campaignId: '904100200301',
  length: 61,
};
const body = '[{"adItemId":4400001,"itemId":"0012345678","status":"enabled"}]';
const of = (answers: readonly (AnswerLine & { readonly body: string | null })[]) => ({
  answers: { of: os.answers.of.handler(() => [...answers]) },
});
const list = (answers: readonly AnswerLine[]) => ({
  answers: { list: os.answers.list.handler(() => ({ total: answers.length, answers: [...answers] })) },
});
const read = (at: number | null, answer: AnswerLine | null) => ({
  answers: { lastRead: os.answers.lastRead.handler(() => ({ at, answer })) },
});
const kept = (answers: number, lost: number) => ({
  answers: {
    kept: os.answers.kept.handler(() => ({ answers, bytes: answers * 1200, boundMb: 64, oldestAt: NOON, lost })),
  },
});
const counted = (campaigns: number, keptFresh: number) => ({
  sync: {
    outdated: os.sync.outdated.handler(() => ({
      campaigns,
      all: 412,
      why: { old: campaigns, touched: 2, inReview: 3, processing: 1, keptFresh },
    })),
  },
});

const heard = <AnswersList workspaceId={WORKSPACE} />;
const to = <AnswersTo workspaceId={WORKSPACE} correlationId={ANSWER.correlationId} />;
const refresh = <RefreshDialog workspaceId={WORKSPACE} />;
const last = <LastRead workspaceId={WORKSPACE} campaignId={1} />;
const form = <AnswersKeptForm workspaceId={WORKSPACE} />;

/** What the service answered, how much of it is kept, and what may be out of date. */
export const ANSWER_PARTS: readonly Part[] = [
  {
    name: 'AnswersList',
    isWide: true,
    states: {
      some: staged({ answers: list([ANSWER, { ...ANSWER, id: 8, status: 404, length: null }]) }, heard),
      none: staged({ answers: list([]) }, heard),
      reading: staged({ answers: { answers: { list: os.answers.list.handler(never) } } }, heard),
    },
  },
  {
    name: 'AnswersTo',
    states: {
      one: staged({ answers: of([{ ...ANSWER, body }]) }, to),
      'cut and unread': staged(
        {
          answers: of([
            { ...ANSWER, body, length: 250_000 },
            { ...ANSWER, id: 10, body: null, length: null },
          ]),
        },
        to,
      ),
      dropped: staged({ answers: of([]) }, to),
    },
  },
  {
    name: 'AnswerDialog',
    isWide: true,
    states: {
      whole: staged({ answers: of([{ ...ANSWER, body }]) }, <AnswerDialog workspaceId={WORKSPACE} answer={ANSWER} />),
    },
  },
  {
    name: 'SupportFoot',
    states: {
      there: staged(
        {},
        <SupportFoot texts={enAnswers} text={body} file={{ name: 'answer-9.json', content: ANSWER }} />,
      ),
      'not there': staged({}, <SupportFoot texts={enAnswers} text={null} file={null} />),
    },
  },
  {
    name: 'LastRead',
    states: {
      'with its answer': staged({ answers: read(NOON, ANSWER) }, last),
      'answer dropped': staged({ answers: read(NOON, null) }, last),
      never: staged({ answers: read(null, null) }, last),
    },
  },
  {
    name: 'RefreshDialog',
    states: {
      some: staged({ answers: counted(37, 4) }, refresh),
      none: staged({ answers: counted(0, 0) }, refresh),
      counting: staged({ answers: { sync: { outdated: os.sync.outdated.handler(never) } } }, refresh),
    },
  },
  {
    name: 'AnswersKeptForm',
    states: { some: staged({ answers: kept(1200, 0) }, form), lost: staged({ answers: kept(1200, 3) }, form) },
  },
];
