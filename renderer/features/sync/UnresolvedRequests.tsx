import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Question } from '../../../shared/api/sync.ts';
import { useActions, useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { timeText } from '../../app/locale/numbers.ts';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import styles from './sync.module.css';
import { syncDialogActions } from './sync-actions.ts';

const texts = {
  questions: 'Unresolved requests',
  question: (what: string, time: string) => `Was ${what} created? The service did not respond at ${time}.`,
  exists: 'It exists. Service ID:',
  existsButton: 'Use this ID',
  absent: "It doesn't exist",
  later: 'Decide later',
  leftOpen:
    'Not decided. Adslate does not send it again until you decide. Rows that depend on it are pending. Everything else continues.',
  decide: 'Decide now',
  absentFrom: (time: string) => `You can choose "It doesn't exist" from ${time}`,
} as const;

/** Creates whose answer was lost and that cannot be looked up: only the user can say what became of them. */
export function UnresolvedRequests({ questions }: { readonly questions: readonly Question[] }) {
  return (
    <section>
      <h2 className={`${ui['group-title']} ${ui['note-warning']}`}>
        <span aria-hidden="true">?</span> {texts.questions} <span className={ui['badge']}>{questions.length}</span>
      </h2>
      <ul className={ui['lines']}>
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
    <li className={`${ui['line']} ${styles['line-question']}`}>
      <button
        type="button"
        className={ui['line-main']}
        onClick={() => store.getState().reveal(question.kind, null, question.rowId, null)}
      >
        <span className={ui['line-text']}>{texts.question(question.what, timeText(question.sentAt, now))}</span>
      </button>
      <span className={`${ui['quiet']} ${styles['line-id']}`}>
        {dialogTexts.syncErrors.correlationId}{' '}
        <span className={`${ui['numeric']} ${ui['refusal-id']}`}>{question.correlationId}</span>
      </span>
      {isLeft ? (
        <span className={ui['quiet']} role="status">
          {texts.leftOpen}
        </span>
      ) : (
        <Answers question={question} />
      )}
      {question.answers.includes('later') && (
        <Button onClick={() => void (isLeft ? setLeft(false) : leave())}>{isLeft ? texts.decide : texts.later}</Button>
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
          className={ui['answer']}
          onSubmit={(event) => {
            event.preventDefault();
            if (isId) void actions.answer(question.id, { exists: id });
          }}
        >
          <TextInput
            size="xs"
            aria-label={texts.exists}
            placeholder={texts.exists}
            inputMode="numeric"
            value={id}
            onChange={(event) => setId(event.currentTarget.value.trim())}
          />
          <Button type="submit" disabled={!isId}>
            {texts.existsButton}
          </Button>
        </form>
      )}
      {question.answers.includes('absent') && (
        <Button
          disabled={tooEarly}
          title={tooEarly ? texts.absentFrom(timeText(question.absentFrom, now)) : undefined}
          onClick={() => void actions.answer(question.id, 'absent')}
        >
          {texts.absent}
        </Button>
      )}
      {tooEarly && <span className={ui['quiet']}>{texts.absentFrom(timeText(question.absentFrom, now))}</span>}
    </>
  );
}
