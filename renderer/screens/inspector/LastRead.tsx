import { useAppContext } from '../../app/desk.ts';
import { lastRead } from '../../data/answer-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enResponses as texts } from '../../messages/en-answers.ts';
import { timeText } from '../../messages/numbers.ts';
import { useNow } from '../../ui/use-now.ts';

interface LastReadProps {
  readonly workspaceId: string;
  readonly campaignId: number;
}

/** When all of a campaign was last read from the service; where the answer is still kept, it opens. */
export function LastRead({ workspaceId, campaignId }: LastReadProps) {
  const { store } = useAppContext();
  const now = useNow();
  const read = useQuery(lastRead(workspaceId, campaignId)).data;
  if (read === undefined) return null;
  if (read.at === null) return <span className="quiet">{texts.neverRead}</span>;
  const when = timeText(read.at, now);
  const { answer } = read;
  if (answer === null) return <span className="quiet">{texts.lastRead(when)}</span>;
  return (
    <button
      type="button"
      className="link"
      aria-label={texts.openRead(when)}
      onClick={() => store.getState().show({ name: 'answer', answer })}
    >
      {texts.lastRead(when)}
    </button>
  );
}
