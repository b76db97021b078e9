import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import type { Rejection, Review } from '../../../shared/api/reviews.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import { KINDS } from '../../../shared/model/kinds.ts';
import { type ActionContext, runAction } from '../../app/actions.ts';
import { useActions, useApi, useAppContext, useView } from '../../app/app-context.ts';
import { choiceName, KIND_NAMES } from '../../app/field-names.ts';
import { dayText, plural } from '../../app/locale/numbers.ts';
import { Waiting } from '../../app/Problem.tsx';
import { Chip } from '../../components/Chip.tsx';
import { Empty } from '../../components/Empty.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { OfflineNotice } from '../shell/OfflineNotice.tsx';
import styles from './launch.module.css';
import { TimelineTab } from './TimelineTab.tsx';

const launchScreenTexts = {
  launchTitle: 'Launch',
  tabs: { timeline: 'Timeline', reviews: 'Reviews' },
  none: 'No reviews yet',
  noneText: 'Sync a campaign, then submit it for review. The result appears here.',
  rejected: 'Rejected',
  running: 'In review',
  done: 'Approved',
  over: 'Canceled',
  poll: 'Check review status',
  find: 'Find by campaign or reason',
  notFound: 'No matching reviews.',
  again: 'Resubmit',
  allAgain: 'Resubmit all fixed campaigns',
  cancel: 'Cancel review',
  cancelText: 'You can then edit its rows again. The next review starts from the beginning.',
  unchanged: 'Fix what was rejected first. Unchanged creative will be rejected again.',
  goTo: 'Go to row',
  noReason: 'No reason given.',
  approvedParts: (n: number) => plural(n, 'component approved', 'components approved'),
  title: 'Rejection history',
  hint: 'Stored with the exact creative that was rejected. Adslate warns you when a draft uses the same creative again.',
  more: (n: number) => `${plural(n, 'more rejection')}. Search by campaign, reason or text.`,
  on: (day: string) => `Rejected on ${day}`,
  changed: 'Changed since the last approval:',
  rejectionsUnchanged: 'Nothing has changed since the last approval.',
  parts: { headline: 'Headline', brand: 'Brand name', clickUrl: 'Click URL', file: 'Logo or video' },
  rejectionsNone: 'none',
  unknownFile: 'a file that is no longer in the library',
} as const;

/** Rejections shown at once; with words the rest is found. */
const REJECTIONS_SHOWN = 100;

/** The way of every campaign to being live, and the inbox of their reviews. */
export function LaunchScreen({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const tab = useView((s) => s.launchTab);
  const all = useQuery(useApi().review.list.queryOptions({ input: { workspaceId } })).data ?? [];
  const rejected = all.filter((review) => groupOf(review) === 'rejected').length;
  return (
    <div className={styles['launch-screen']}>
      <h1 className={`${ui['view-title']} ${styles['launch-title']}`}>{launchScreenTexts.launchTitle}</h1>
      <Tabs
        value={tab}
        onChange={(next) => store.getState().openLaunch(next === 'reviews' ? 'reviews' : 'timeline')}
        keepMounted={false}
        className={ui['drawer-tabs']}
      >
        <Tabs.List>
          <Tabs.Tab value="timeline">{launchScreenTexts.tabs.timeline}</Tabs.Tab>
          <Tabs.Tab
            value="reviews"
            rightSection={rejected > 0 && <span className={`${ui['badge']} ${ui['badge-error']}`}>{rejected}</span>}
          >
            {launchScreenTexts.tabs.reviews}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="timeline">
          <TimelineTab workspaceId={workspaceId} />
        </Tabs.Panel>
        <Tabs.Panel value="reviews">
          <ReviewsTab workspaceId={workspaceId} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

/** The inbox of reviews: what was rejected and why, what is under way, what is through. */
function ReviewsTab({ workspaceId }: { readonly workspaceId: string }) {
  const api = useApi();
  const { actions } = useAppContext();
  const again = useActions(reviewActions);
  const [words, setWords] = useState('');
  const answer = useQuery(api.review.list.queryOptions({ input: { workspaceId } }));
  const kept = useQuery(
    api.rejections.list.queryOptions({ input: { workspaceId, from: 0, count: REJECTIONS_SHOWN, words: '' } }),
  ).data?.rejections;
  if (answer.data === undefined) return <Waiting error={answer.error} />;
  const latest = new Map(
    (kept ?? []).toReversed().map(({ kind, remoteId, changes }) => [`${kind} ${remoteId}`, changes]),
  );
  if (answer.data.length === 0 && latest.size === 0)
    return <Empty title={launchScreenTexts.none} text={launchScreenTexts.noneText} />;
  const found = answer.data.filter((review) => holdsWords(review, words));
  const rejected = answer.data.filter((review) => groupOf(review) === 'rejected').map(({ campaignId }) => campaignId);
  return (
    <div className={styles['reviews']}>
      <OfflineNotice />
      <div className={ui['drawer-bar']}>
        <SearchBox label={launchScreenTexts.find} value={words} onChange={setWords} />
        <Chip onClick={() => void actions.pollReviews()}>{launchScreenTexts.poll}</Chip>
        {rejected.length > 1 && (
          <Chip title={launchScreenTexts.unchanged} onClick={() => void again.reviewAgain(rejected)}>
            {launchScreenTexts.allAgain}
          </Chip>
        )}
      </div>
      {found.length === 0 && <p className={`${ui['line']} ${ui['quiet']}`}>{launchScreenTexts.notFound}</p>}
      {groupsOf(found).map(({ group, reviews }) => (
        <section key={group}>
          <h2 className={ui['group-title']}>
            {launchScreenTexts[group]} <span className={ui['badge']}>{reviews.length}</span>
          </h2>
          <ul className={ui['lines']}>
            {reviews.map((review) => (
              <ReviewCard key={`${review.adGroupId} ${review.reviewId}`} review={review} changes={latest} />
            ))}
          </ul>
        </section>
      ))}
      <RejectionHistory workspaceId={workspaceId} words={words} />
    </div>
  );
}

interface ReviewCardProps {
  readonly review: Review;
  /** What changed until the newest rejection of a part, by its kind and id on the service. */
  readonly changes: ReadonlyMap<string, Rejection['changes']>;
}

function ReviewCard({ review, changes }: ReviewCardProps) {
  const { store, actions } = useAppContext();
  const again = useActions(reviewActions);
  const { campaignId, adGroupId, campaign, status } = review;
  const rejected = review.components.filter(isRejected);
  const approved = review.components.filter((component) => component.status === 'approved').length;
  const isOpen = status === 'pending' || status === 'in-progress';
  return (
    <li className={styles['review-card']}>
      <div className={styles['review-head']}>
        <button
          type="button"
          className={ui['link']}
          onClick={() => store.getState().reveal('adGroup', campaignId, adGroupId, 'reviewStatus')}
        >
          {campaign}
        </button>
        <StatusShape state={status} text={choiceName(status)} />
        {approved > 0 && <span className={ui['quiet']}>{launchScreenTexts.approvedParts(approved)}</span>}
        <span className={ui['toolbar-gap']} />
        {isOpen && (
          <Chip title={launchScreenTexts.cancelText} onClick={() => void actions.review('cancel', [campaignId])}>
            {launchScreenTexts.cancel}
          </Chip>
        )}
        {rejected.length > 0 && !isOpen && (
          <Chip title={launchScreenTexts.unchanged} onClick={() => void again.reviewAgain([campaignId])}>
            {launchScreenTexts.again}
          </Chip>
        )}
      </div>
      {rejected.map((component) => {
        const kind = KINDS.find((each) => each === component.type);
        const name = kind === undefined ? component.type : KIND_NAMES[kind].one;
        return (
          <Fragment key={`${component.type} ${component.id}`}>
            <div className={`${styles['review-reason']} ${styles['review-part']}`}>
              <span className={ui['grid-mark-error']} aria-hidden="true">
                ✕
              </span>
              <span className={ui['quiet']}>{name}</span>
              <span className={styles['review-row']} title={`${component.label} · ${component.id}`}>
                {component.label}
              </span>
              <span className={styles['review-text']}>{component.reason ?? launchScreenTexts.noReason}</span>
              {kind !== undefined && (
                <Chip
                  onClick={() => {
                    store.getState().goTo({ kind, campaignId });
                    store.getState().setOnly('rejected');
                  }}
                >
                  {launchScreenTexts.goTo}
                </Chip>
              )}
            </div>
            <WhatChanged changes={changes.get(`${component.type} ${component.id}`) ?? null} />
          </Fragment>
        );
      })}
    </li>
  );
}

/** Everything a review has rejected, across campaigns and after resubmission, with what it saw. */
function RejectionHistory({ workspaceId, words }: { readonly workspaceId: string; readonly words: string }) {
  const kept = useQuery(
    useApi().rejections.list.queryOptions({ input: { workspaceId, from: 0, count: REJECTIONS_SHOWN, words } }),
  ).data;
  if (kept === undefined || kept.total === 0) return null;
  const left = kept.total - kept.rejections.length;
  return (
    <section aria-label={launchScreenTexts.title}>
      <h2 className={ui['group-title']}>
        {launchScreenTexts.title} <span className={ui['badge']}>{kept.total}</span>
      </h2>
      <p className={`${ui['line']} ${ui['quiet']}`}>{launchScreenTexts.hint}</p>
      <ul className={ui['lines']}>
        {kept.rejections.map((rejection) => (
          <RejectionCard key={rejection.number} rejection={rejection} />
        ))}
      </ul>
      {left > 0 && <p className={`${ui['line']} ${ui['quiet']}`}>{launchScreenTexts.more(left)}</p>}
    </section>
  );
}

function RejectionCard({ rejection }: { readonly rejection: Rejection }) {
  const { store } = useAppContext();
  const { kind, id, campaignId, campaign, creative, isThere, reason, day } = rejection;
  const words = [creative.headline, creative.brand, creative.clickUrl, creative.fileName].filter(
    (text) => text !== null,
  );
  return (
    <li className={styles['review-card']}>
      <div className={styles['review-head']}>
        {isThere ? (
          <button
            type="button"
            className={ui['link']}
            onClick={() => store.getState().reveal(kind, campaignId, id, kind === 'sbaProfile' ? 'headline' : 'video')}
          >
            {campaign}
          </button>
        ) : (
          <span>{campaign}</span>
        )}
        <span className={ui['quiet']}>{KIND_NAMES[kind].one}</span>
        <span className={ui['toolbar-gap']} />
        <span className={ui['quiet']}>{launchScreenTexts.on(dayText(day))}</span>
      </div>
      <div className={styles['review-reason']}>
        <span className={ui['grid-mark-error']} aria-hidden="true">
          ✕
        </span>
        <span className={styles['review-text']}>{reason ?? launchScreenTexts.noReason}</span>
      </div>
      <p className={styles['review-creative']}>{words.join(' · ')}</p>
      <WhatChanged changes={rejection.changes} />
    </li>
  );
}

/** What a reviewer saw otherwise when it was last approved; nothing where it never was. */
function WhatChanged({ changes }: Pick<Rejection, 'changes'>) {
  if (changes === null) return null;
  if (changes.length === 0)
    return <p className={`${styles['review-changes']} ${ui['quiet']}`}>{launchScreenTexts.rejectionsUnchanged}</p>;
  const text = (part: string, value: string | null): string =>
    value ?? (part === 'file' ? launchScreenTexts.unknownFile : launchScreenTexts.rejectionsNone);
  return (
    <dl className={styles['review-changes']}>
      <dt className={ui['quiet']}>{launchScreenTexts.changed}</dt>
      {changes.map(({ part, before, after }) => (
        <dd key={part}>
          {launchScreenTexts.parts[part]} <del>{text(part, before)}</del> <span aria-hidden="true">→</span>{' '}
          <ins>{text(part, after)}</ins>
        </dd>
      ))}
    </dl>
  );
}

type ReviewGroup = 'rejected' | 'running' | 'done' | 'over';
const ORDER: readonly ReviewGroup[] = ['rejected', 'running', 'done', 'over'];

type Component = Review['components'][number];
const isRejected = (component: Component): boolean => component.status === 'rejected';

/** A review with any rejected part needs the user, whatever its own state says; one with an unknown word is not over. */
export function groupOf(review: Review): ReviewGroup {
  if (review.status === 'pending' || review.status === 'in-progress') return 'running';
  if (review.status === 'rejected' || review.components.some(isRejected)) return 'rejected';
  if (review.status === 'cancelled') return 'over';
  return review.status === 'approved' ? 'done' : 'running';
}

/** Whether each word stands in the campaign's name, in a reason, or is the id of a part; capitals do not count. */
function holdsWords({ campaign, components }: Review, words: string): boolean {
  const texts = [campaign, ...components.flatMap(({ id, reason }) => [id, reason ?? ''])].join('\n').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => texts.includes(word));
}

/** Reviews by what they ask of the user, the most urgent first. */
export function groupsOf(
  reviews: readonly Review[],
): readonly { readonly group: ReviewGroup; readonly reviews: readonly Review[] }[] {
  return ORDER.map((group) => ({ group, reviews: reviews.filter((review) => groupOf(review) === group) })).filter(
    (found) => found.reviews.length > 0,
  );
}

const reviewActions = (doing: ActionContext) => ({
  /** Sends what was mended in these campaigns and asks again for those; tells the user when nothing was. */
  reviewAgain: async (rejected: readonly RowRef['id'][]): Promise<void> => {
    const { client } = doing.connection;
    const campaignIds = [...rejected];
    const plan = await runAction(doing, (workspaceId) => client.sync.plan({ workspaceId, submit: true, campaignIds }));
    if (plan === null) return;
    if (plan.reviews === 0) doing.notes.tell(launchScreenTexts.unchanged);
    else await runAction(doing, (workspaceId) => client.review.submit({ workspaceId, campaignIds }));
  },
});
