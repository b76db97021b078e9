import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type ResponseLogInfo, RESPONSE_LOG_MAX_MB } from '../../../shared/contract/answers.ts';
import { useAppContext } from '../../app/desk.ts';
import { responseLogInfo } from '../../data/answer-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enResponses } from '../../messages/en-answers.ts';
import { errorText } from '../../messages/errors.ts';
import { timeText } from '../../messages/numbers.ts';
import { useNow } from '../../ui/use-now.ts';

const texts = enResponses.kept;

/** How much is kept of what the service answered, and how much may be. */
export function AnswersKeptForm({ workspaceId }: { readonly workspaceId: string }) {
  const kept = useQuery(responseLogInfo(workspaceId));
  return (
    <>
      <h3 className="plain-heading">{texts.title}</h3>
      <p className="quiet">{texts.text}</p>
      {kept.error !== null && <p className="note-error">{errorText(kept.error)}</p>}
      {kept.data !== undefined && <Bound key={kept.data.boundMb} workspaceId={workspaceId} kept={kept.data} />}
    </>
  );
}

function Bound({ workspaceId, kept }: { readonly workspaceId: string; readonly kept: ResponseLogInfo }) {
  const { actions } = useAppContext();
  const now = useNow();
  const { answers, bytes, boundMb, oldestAt, lost } = kept;
  const [typed, setTyped] = useState(String(boundMb));
  const wanted = /^\d{1,4}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  const isGood = wanted <= RESPONSE_LOG_MAX_MB;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isGood) void actions.keepAnswers(workspaceId, wanted);
      }}
    >
      <Stack gap="xs">
        <p>
          {texts.now(answers, bytes)}
          {oldestAt !== null && `, ${texts.since(timeText(oldestAt, now))}`}
        </p>
        {lost > 0 && <p className="note-warning">{texts.lost(lost)}</p>}
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            size="xs"
            inputMode="numeric"
            label={texts.bound}
            description={texts.boundHint}
            error={isGood ? null : texts.bad(RESPONSE_LOG_MAX_MB)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" disabled={!isGood || wanted === boundMb}>
            {texts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
