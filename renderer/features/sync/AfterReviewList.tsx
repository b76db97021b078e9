import { useQuery } from '@tanstack/react-query';
import type { Account } from '../../../shared/api/accounts.ts';
import type { AfterReview } from '../../../shared/api/reviews.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { choiceName } from '../../app/field-names.ts';
import { countText, plural, timeText } from '../../app/locale/numbers.ts';
import { useAccount } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import styles from './sync.module.css';

const texts = {
  title: 'Changes waiting for a review',
  locked: (rows: number) => `${plural(rows, 'changed row')} will be sent after this review`,
  free: (outcome: string) => `Review finished${outcome === '' ? '' : ` (${outcome})`}:`,
  ready: (rows: number) => `${plural(rows, 'changed row')} ready to sync`,
  blocked: (rows: number) => `${plural(rows, 'changed row')} with an error to fix first`,
  days: (min: number, max: number) => (min === max ? plural(max, 'day') : `${countText(min)}–${plural(max, 'day')}`),
  until: (days: string, asked: string) =>
    asked === '' ? `Reviews take ${days}.` : `Submitted ${asked}. Reviews take ${days}.`,
  submit: 'Sync and submit for review',
  submitOf: (campaign: string) => `Sync and submit for review: ${campaign}`,
  restart: 'Cancel review and resubmit…',
  restartOf: (campaign: string) => `Cancel review and resubmit: ${campaign}`,
  show: 'Show row',
  showOf: (campaign: string) => `Show the row with an error: ${campaign}`,
} as const;

/** Edits kept for after a review: which review, until when, and the button to send them. */
export function AfterReviewList({ workspaceId }: { readonly workspaceId: string }) {
  const kept = useQuery(useApi().afterReview.list.queryOptions({ input: { workspaceId } })).data ?? [];
  const account = useAccount(workspaceId);
  if (kept.length === 0) return null;
  return (
    <section aria-label={texts.title}>
      <h2 className={ui['group-title']}>
        {texts.title} <span className={ui['badge']}>{kept.length}</span>
      </h2>
      <ul className={ui['lines']}>
        {kept.map((campaign) => (
          <KeptLine key={campaign.campaignId} kept={campaign} mode={account?.mode ?? 'read-only'} />
        ))}
      </ul>
    </section>
  );
}

function KeptLine({ kept, mode }: { readonly kept: AfterReview; readonly mode: Account['mode'] }) {
  const { actions, store } = useAppContext();
  const now = useNow();
  const { campaignId, campaign, state, rows, first, blocked, days } = kept;
  const isLocked = state === 'locked';
  const outcome = kept.outcome === null ? '' : choiceName(kept.outcome).toLowerCase();
  const asked = kept.askedAt === null ? '' : timeText(kept.askedAt, now);
  const { openSync, reveal } = store.getState();
  const ready = rows - blocked;
  const [firstRow] = first;
  const parts = [...(ready === 0 ? [] : [texts.ready(ready)]), ...(blocked === 0 ? [] : [texts.blocked(blocked)])];
  return (
    <li className={`${ui['line']} ${styles['line-kept']}`}>
      <span aria-hidden="true" className={ui['quiet']}>
        {isLocked ? '◷' : '↑'}
      </span>
      <button type="button" className={ui['link']} onClick={() => reveal('campaign', campaignId, campaignId, null)}>
        {campaign}
      </button>
      <span className={ui['line-text']}>
        {isLocked ? texts.locked(rows) : `${texts.free(outcome)} ${parts.join(', ')}`}{' '}
        <span className={ui['quiet']}>
          {first.map(({ label }) => label).join(', ')}
          {rows > first.length && ` ${appTexts.sync.more(rows - first.length)}`}
          {isLocked && ` · ${texts.until(texts.days(days.min, days.max), asked)}`}
        </span>
      </span>
      {ready === 0 && firstRow !== undefined ? (
        <Chip aria-label={texts.showOf(campaign)} onClick={() => reveal(firstRow.kind, campaignId, firstRow.id, null)}>
          {texts.show}
        </Chip>
      ) : (
        <Chip
          disabled={mode === 'read-only'}
          aria-label={isLocked ? texts.restartOf(campaign) : texts.submitOf(campaign)}
          onClick={() => (isLocked ? openSync({ restart: campaignId }) : void actions.submitKept(campaignId))}
        >
          {isLocked ? texts.restart : texts.submit}
        </Chip>
      )}
    </li>
  );
}
