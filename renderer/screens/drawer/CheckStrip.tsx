import { useState } from 'react';
import { useAppContext } from '../../app/desk.ts';
import { checkStages, mutedRules } from '../../data/check-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enCheck } from '../../messages/en-check.ts';
import { timeText } from '../../messages/numbers.ts';
import { useNow } from '../../ui/use-now.ts';

/** Which of the three stages of the check ran when, the check itself, and the rules that are silent. */
export function CheckStrip({ workspaceId }: { readonly workspaceId: string }) {
  const { actions } = useAppContext();
  const now = useNow();
  const [isBusy, setBusy] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const stages = useQuery(checkStages(workspaceId)).data ?? [];
  const muted = useQuery(mutedRules(workspaceId)).data ?? [];
  const check = async (): Promise<void> => {
    setBusy(true);
    await actions.check();
    setBusy(false);
  };
  return (
    <>
      <ul className="check-stages" aria-label={enCheck.label}>
        {stages.map(({ stage, rules, at }) => (
          <li key={stage} title={enCheck.rules(rules)}>
            <span aria-hidden="true">{at === null ? '○' : '✓'}</span> {enCheck.stages[stage]}{' '}
            <span className="quiet">{at === null ? enCheck.never : enCheck.asOf(timeText(at, now))}</span>
          </li>
        ))}
      </ul>
      <button type="button" className="chip" title={enCheck.runText} disabled={isBusy} onClick={() => void check()}>
        {enCheck.run}
      </button>
      {muted.length > 0 && (
        <button type="button" className="chip" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {enCheck.muted(muted.length)}
        </button>
      )}
      {isOpen &&
        muted.map((rule) => (
          <button key={rule} type="button" className="chip" onClick={() => void actions.muteRule(rule, false)}>
            {enCheck.unmute(rule)}
          </button>
        ))}
    </>
  );
}
