import { useQuery } from '@tanstack/react-query';
import type { Account } from '../../../shared/api/accounts.ts';
import type { AfterReview } from '../../../shared/api/reviews.ts';
import { useActions, useApi, useAppContext } from '../../app/app-context.ts';
import { useNow } from '../../components/use-now.ts';
import { enAfterReview as texts } from '../../texts/en-after-review.ts';
import { choiceName } from '../../texts/fields.ts';
import { timeText } from '../../texts/numbers.ts';
import { syncDialogActions } from './sync-actions.ts';

/** Edits that reviews close: what waits for which review until when, and the one click that lets it go. */
export function AfterReviewList({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const kept = useQuery(api.afterReview.list.queryOptions({ input: { workspaceId } })).data ?? [];
  const account = useQuery(api.accounts.list.queryOptions()).data?.find((each) => each.workspaceId === workspaceId);
  if (kept.length === 0) return null;
  return (
    <section aria-label={texts.title}>
      <h2 className="group-title">
        {texts.title} <span className="badge">{kept.length}</span>
      </h2>
      <ul className="lines">
        {kept.map((campaign) => (
          <KeptLine key={campaign.campaignId} kept={campaign} mode={account?.mode ?? 'read-only'} />
        ))}
      </ul>
    </section>
  );
}

function KeptLine({ kept, mode }: { readonly kept: AfterReview; readonly mode: Account['mode'] }) {
  const { store } = useAppContext();
  const actions = useActions(syncDialogActions);
  const now = useNow();
  const { campaignId, campaign, state, rows, first, days } = kept;
  const isLocked = state === 'locked';
  const outcome = kept.outcome === null ? '' : choiceName(kept.outcome).toLowerCase();
  const asked = kept.askedAt === null ? '' : timeText(kept.askedAt, now);
  const { show, reveal } = store.getState();
  const submit = (): void => {
    // An account that asks before each sync shows the plan of this one as well.
    const chosen = { rows: [{ kind: 'campaign' as const, ids: [campaignId] }], below: true };
    if (mode === 'confirm') show({ name: 'sync', chosen });
    else void actions.submitKept(campaignId);
  };
  return (
    <li className="line line-kept">
      <span aria-hidden="true" className="quiet">
        {isLocked ? '◷' : '↑'}
      </span>
      <button type="button" className="link" onClick={() => reveal('campaign', campaignId, campaignId, null)}>
        {campaign}
      </button>
      <span className="line-text">
        {isLocked ? texts.locked(rows) : texts.free(rows, outcome)}{' '}
        <span className="quiet">
          {first.map(({ label }) => label).join(', ')}
          {rows > first.length && ` ${texts.more(rows - first.length)}`}
          {isLocked && ` · ${texts.until(texts.days(days.min, days.max), asked)}`}
        </span>
      </span>
      <button
        type="button"
        className="chip"
        disabled={mode === 'read-only'}
        aria-label={isLocked ? texts.restartOf(campaign) : texts.submitOf(campaign)}
        onClick={isLocked ? () => show({ name: 'restart-review', campaignId }) : submit}
      >
        {isLocked ? texts.restart : texts.submit}
      </button>
    </li>
  );
}
