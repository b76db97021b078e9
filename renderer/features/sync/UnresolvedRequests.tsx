import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Question } from '../../../shared/api/sync.ts';
import { useActions, useAppContext } from '../../app/app-context.ts';
import { useNow } from '../../components/use-now.ts';
import { en } from '../../texts/en.ts';
import { enSyncErrors } from '../../texts/en-sync-errors.ts';
import { timeText } from '../../texts/numbers.ts';
import { syncDialogActions } from './sync-actions.ts';

/** Creates whose answer was lost and that cannot be looked up: only the user can say what became of them. */
export function UnresolvedRequests({ questions }: { readonly questions: readonly Question[] }) {
  return (
    <section>
      <h2 className="group-title note-warning">
        <span aria-hidden="true">?</span> {en.sync.questions} <span className="badge">{questions.length}</span>
      </h2>
      <ul className="lines">
        {questions.map((question) => (
          <QuestionLine key={question.id} question={question} />
        ))}
      </ul>
    </section>
  );
}

function QuestionLine({ question }: { readonly question: Question }) {
  const { store } = useAppContext();
  const actions = useActions(syncDialogActions);
  const now = useNow();
  const [isLeft, setLeft] = useState(false);
  const leave = async (): Promise<void> => setLeft(await actions.answer(question.id, 'later'));
  return (
    <li className="line line-question">
      <button
        type="button"
        className="line-main"
        onClick={() => store.getState().reveal(question.kind, null, question.rowId, null)}
      >
        <span className="line-text">{en.sync.question(question.what, timeText(question.sentAt, now))}</span>
      </button>
      <span className="quiet line-id">
        {enSyncErrors.correlationId} <span className="numeric refusal-id">{question.correlationId}</span>
      </span>
      {isLeft ? (
        <span className="quiet" role="status">
          {en.sync.leftOpen}
        </span>
      ) : (
        <Answers question={question} />
      )}
      {question.answers.includes('later') && (
        <Button onClick={() => void (isLeft ? setLeft(false) : leave())}>
          {isLeft ? en.sync.decide : en.sync.later}
        </Button>
      )}
    </li>
  );
}

/** The id that was found there, or that there is none; the latter only once the service cannot be at it any more. */
function Answers({ question }: { readonly question: Question }) {
  const actions = useActions(syncDialogActions);
  const [id, setId] = useState('');
  const now = useNow();
  const tooEarly = question.absentFrom > now;
  const isId = /^\d{1,19}$/.test(id);
  return (
    <>
      {question.answers.includes('exists') && (
        <form
          className="answer"
          onSubmit={(event) => {
            event.preventDefault();
            if (isId) void actions.answer(question.id, { exists: id });
          }}
        >
          <TextInput
            size="xs"
            aria-label={en.sync.exists}
            placeholder={en.sync.exists}
            inputMode="numeric"
            value={id}
            onChange={(event) => setId(event.currentTarget.value.trim())}
          />
          <Button type="submit" disabled={!isId}>
            {en.sync.existsButton}
          </Button>
        </form>
      )}
      {question.answers.includes('absent') && (
        <Button
          disabled={tooEarly}
          title={tooEarly ? en.sync.absentFrom(timeText(question.absentFrom, now)) : undefined}
          onClick={() => void actions.answer(question.id, 'absent')}
        >
          {en.sync.absent}
        </Button>
      )}
      {tooEarly && <span className="quiet">{en.sync.absentFrom(timeText(question.absentFrom, now))}</span>}
    </>
  );
}
