import { Button } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useState } from 'react';
import type { InboxEntry } from '../../../shared/api/overview.ts';
import type { RowDetail, WindowRow } from '../../../shared/api/workspace.ts';
import { FULL_RULE } from '../../../shared/bulk/spread-keywords.ts';
import type { Cell } from '../../../shared/model/field-types.ts';
import { fieldSpec, lengthLimit } from '../../../shared/model/fields.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { codePointLength } from '../../../shared/model/text.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { choiceName, fieldName, KIND_NAMES } from '../../app/field-names.ts';
import { issueText, LONG_VIDEO_RULE, longVideoTexts } from '../../app/issue-text.ts';
import { useLimits } from '../../app/locale/limits.ts';
import { countText, inSentence, plural, timeText, weekdayText } from '../../app/locale/numbers.ts';
import { cellOf, textOf } from '../../app/row-cells.ts';
import { useAccount, useFile, useMedia, useRow, useRows } from '../../app/shared-queries.ts';
import { spreadKeywords, spreadTexts } from '../../app/spread-keywords.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import { ChoiceField } from '../../components/ChoiceField.tsx';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { valueText } from '../../grid/columns.ts';
import { ItemPicture, PictureOrInitial } from '../../grid/ItemPicture.tsx';
import { ServicePicture } from '../../grid/ServicePicture.tsx';
import { entryPlace } from './entry.ts';
import styles from './inbox.module.css';
import { type Marked, markedPhrase } from './phrase.ts';
import { WhatChanged } from './RejectionHistory.tsx';

interface DetailProps {
  readonly workspaceId: string;
  readonly entry: InboxEntry;
}

/** The details of the entries that other features resolve. */
export type OtherDetails = Readonly<
  Record<'failed' | 'question' | 'conflict' | 'upload-host' | 'request', ComponentType<DetailProps>>
>;

/** The details of an entry, with the actions that resolve it. */
export function EntryDetail({ others, ...props }: DetailProps & { readonly others: OtherDetails }) {
  switch (props.entry.is) {
    case 'rejection':
      return <RejectionDetail {...props} />;
    case 'after-review':
    case 'in-review':
      return <AfterReviewDetail {...props} />;
    case 'error':
    case 'unverified':
      return <IssueDetail {...props} />;
    case 'budget':
    case 'notification':
      return <NotificationDetail {...props} />;
    default: {
      const Detail = others[props.entry.is];
      return <Detail {...props} />;
    }
  }
}

interface PrimaryProps {
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

/** The primary button, also run by Ctrl+Enter. */
const Primary = ({ onClick, disabled = false, children }: PrimaryProps) => (
  <Button variant="filled" data-primary disabled={disabled} onClick={onClick} title="Ctrl+Enter">
    {children}
  </Button>
);

const useRowOf = ({ workspaceId, entry: { kind, rowId } }: DetailProps): RowDetail | undefined =>
  useRow(workspaceId, kind === null || rowId === null ? null : { kind, id: rowId });

const cellIn = (detail: RowDetail | undefined, field: string): Cell =>
  detail === undefined ? null : cellOf(detail.kind, detail.row, field);

const rejectionTexts = {
  wrote: 'The reviewer wrote',
  noReason: 'No reason given.',
  submitBy: (day: string, start: string) => `Resubmit by ${day} to start on ${start}`,
  late: (start: string) => `A new review may end after the start date, ${start}`,
  preview: 'Shopper preview',
  sponsored: 'Sponsored',
  fix: (field: string) => `Fix the ${field}`,
  needsReview: 'Needs a new review',
  length: (now: number, max: number) => `${countText(now)} of ${countText(max)}`,
  submit: 'Save and submit for review',
  save: 'Save only',
  resubmit: 'Resubmit',
  result: (day: string) => `If you submit today, the result is expected by ${day}.`,
  submitting: (campaign: string) => `Submitting "${campaign}" for review.`,
  sending: 'Submitting for review…',
  uploading: 'Uploading the new video. Resubmit when it is processed.',
  processing: 'The new video is still processing. Resubmit when it is ready.',
  unchanged: 'Fix what was rejected first. Unchanged creative will be rejected again.',
  nothingNew: (kind: Kind) =>
    `Nothing to review yet. Add other ${inSentence(KIND_NAMES[kind].many)} first: unchanged ones would be rejected again.`,
  rows: 'Turn off what was rejected, or add what replaces it. Then submit for review.',
  also: (kind: Kind) => `Rejected ${inSentence(KIND_NAMES[kind].many)}`,
  show: (n: number) => `Show ${plural(n, 'row')}`,
  turnOff: (row: string) => `Turn off ${row}`,
  off: 'Turn off',
  edit: 'Fix from the inbox',
} as const;

/** Most rejected rows listed with a button to turn each off. */
const LISTED = 20;
const PROFILE_FIELDS = ['headline', 'brand', 'clickUrl'] as const;

function RejectionDetail(props: DetailProps) {
  const { workspaceId, entry } = props;
  const { kind, rowId, campaign, campaignId, text, submitBy, startDate, resultBy } = entry;
  const api = useApi();
  const { actions, store, toasts } = useAppContext();
  const detail = useRowOf(props);
  const rejection = useQuery(
    api.rejections.list.queryOptions({ input: { workspaceId, from: 0, count: 500, words: '' } }),
  ).data?.rejections.find((each) => each.kind === kind && each.id === rowId);
  /** The typed text keeps its field, which has the rejected phrase no longer once it is saved. */
  const [typed, setTyped] = useState<{ readonly field: string; readonly text: string } | null>(null);
  const field =
    typed?.field ??
    PROFILE_FIELDS.find((name) => markedPhrase(text, String(cellIn(detail, name) ?? '')) !== null) ??
    'headline';
  const stored = String(cellIn(detail, field) ?? '');
  const isProfile = kind === 'sbaProfile' && rowId !== null;
  const { filesFor } = useMedia(workspaceId);
  const value = typed?.text ?? stored;
  const marked = markedPhrase(text, stored);
  const save = async (): Promise<boolean> =>
    rowId === null || kind === null || value === stored
      ? true
      : (await actions.edit(rejectionTexts.edit, [{ kind, id: rowId, field, value }], workspaceId)) !== null;
  const submit = async (): Promise<void> => {
    if (!(await save()) || campaignId === null) return;
    const done = await actions.resubmit(workspaceId, campaignId);
    if (done === 'unchanged') toasts.tell(rejectionTexts.unchanged);
    else if (done === 'uploading') toasts.tell(rejectionTexts.uploading);
    else if (done === 'sent') toasts.tell(rejectionTexts.submitting(campaign ?? ''));
  };
  // Tells whether anything is new to review; typed text is saved before it is submitted.
  const plan = useQuery(
    api.sync.plan.queryOptions({
      input: campaignId === null ? skipToken : { workspaceId, submit: true, campaignIds: [campaignId] },
      gcTime: 0,
    }),
  ).data;
  const isUnchanged = value === stored && plan?.reviews === 0;
  // While the fix is sent, its plan is empty: that is not a creative nobody has changed.
  const isSending = useQuery(api.sync.report.queryOptions({ input: { workspaceId } })).data?.state === 'running';
  const isProcessing = plan?.leftOut.some(({ reason }) => reason === 'waits-for-media') === true;
  const isRows = kind === 'adItem' || kind === 'keyword';
  const whyNot = isRows ? rejectionTexts.nothingNew(kind) : rejectionTexts.unchanged;
  const start = startDate === null ? '' : weekdayText(startDate);
  const deadline =
    submitBy === null ? rejectionTexts.late(start) : rejectionTexts.submitBy(weekdayText(submitBy), start);
  return (
    <>
      <p className={styles['state']}>
        <StatusShape state="rejected" text={choiceName('rejected')} />
        <span>{[campaign, start === '' ? '' : deadline].filter((part) => part !== '').join(' · ')}</span>
      </p>
      <blockquote className={styles['said']}>
        <strong>{rejectionTexts.wrote}</strong>
        <MarkedText text={text === '' ? rejectionTexts.noReason : text} marked={phraseIn(text, stored, marked)} />
      </blockquote>
      {isProfile && <Preview workspaceId={workspaceId} detail={detail} marked={field === 'headline' ? marked : null} />}
      {kind === 'videoProfile' && <VideoPreview workspaceId={workspaceId} mediaId={Number(cellIn(detail, 'video'))} />}
      {isProfile && (
        <section>
          <h2>{rejectionTexts.fix(fieldName(field, kind).toLowerCase())}</h2>
          <TextField
            kind={kind}
            field={field}
            value={value}
            onChange={(next) => setTyped({ field, text: next })}
            note={rejectionTexts.needsReview}
          />
        </section>
      )}
      {kind === 'videoProfile' && rowId !== null && (
        <section>
          <h2>{rejectionTexts.fix(fieldName('video', kind).toLowerCase())}</h2>
          <ChoiceField
            size="xs"
            label={fieldName('video', kind)}
            description={rejectionTexts.needsReview}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            options={filesFor('video').map(({ id, name }) => [id, name])}
            value={cellIn(detail, 'video')}
            onChoose={(value) => void actions.edit(rejectionTexts.edit, [{ kind, id: rowId, field: 'video', value }])}
          />
        </section>
      )}
      {isRows && (
        <section>
          <p>{rejectionTexts.rows}</p>
          <RejectedRows workspaceId={workspaceId} campaignId={campaignId} kind={kind} filter={entry.filter} />
        </section>
      )}
      {entry.also.map((part) => (
        <section key={part.kind}>
          <h2>{rejectionTexts.also(part.kind)}</h2>
          <RejectedRows workspaceId={workspaceId} campaignId={campaignId} kind={part.kind} filter={part.filter} />
          <Chip onClick={() => store.getState().showRows({ kind: part.kind, filter: part.filter, campaignId })}>
            {rejectionTexts.show(part.rows)}
          </Chip>
        </section>
      ))}
      <WhatChanged changes={rejection?.changes ?? null} />
      {resultBy !== null && <p className={ui['quiet']}>{rejectionTexts.result(weekdayText(resultBy))}</p>}
      <div className={styles['buttons']}>
        <Primary disabled={isUnchanged} onClick={() => void submit()}>
          {isProfile ? rejectionTexts.submit : rejectionTexts.resubmit}
        </Primary>
        {isProfile && (
          <Button disabled={value === stored} onClick={() => void save()}>
            {rejectionTexts.save}
          </Button>
        )}
        {isUnchanged && (
          <span className={ui['quiet']}>
            {isSending ? rejectionTexts.sending : isProcessing ? rejectionTexts.processing : whyNot}
          </span>
        )}
      </div>
    </>
  );
}

interface RejectedRowsProps {
  readonly workspaceId: string;
  readonly campaignId: number | null;
  readonly kind: Kind;
  readonly filter: string;
}

/** Rejected items or keywords of a campaign; turning one off resolves its rejection. */
function RejectedRows({ workspaceId, campaignId, kind, filter }: RejectedRowsProps) {
  const { actions } = useAppContext();
  const found = useRows(workspaceId, { kind, campaignId, filter }, LISTED).data;
  const cell = (row: WindowRow, field: string): string => textOf(kind, row, field);
  const nameOf = (row: WindowRow): string =>
    kind === 'keyword' ? cell(row, 'text') : cell(row, 'itemName') || cell(row, 'itemId');
  const off = kind === 'keyword' ? { field: 'state', value: 'paused' } : { field: 'status', value: 'disabled' };
  return (
    <>
      <ul className={styles['rejected']}>
        {found?.rows.map((row) => (
          <li key={row.id}>
            {kind === 'adItem' && (
              <ItemPicture workspaceId={workspaceId} itemId={cell(row, 'itemId')} name={nameOf(row)} size={40} />
            )}
            <span>
              {nameOf(row)} <small>{cell(row, 'reviewReason')}</small>
            </span>
            <Chip
              aria-label={rejectionTexts.turnOff(nameOf(row))}
              onClick={() => void actions.edit(rejectionTexts.turnOff(nameOf(row)), [{ kind, id: row.id, ...off }])}
            >
              {rejectionTexts.off}
            </Chip>
          </li>
        ))}
      </ul>
      {(found?.total ?? 0) > LISTED && <p>{appTexts.sync.more((found?.total ?? 0) - LISTED)}</p>}
    </>
  );
}

interface TextFieldProps {
  readonly kind: Kind;
  readonly field: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly note?: string;
}

/** A text field of a row with its length. */
function TextField({ kind, field, value, onChange, note }: TextFieldProps) {
  const limit = lengthLimit(useLimits(), kind, field);
  const length = codePointLength(value);
  return (
    <label className={styles['field']}>
      <span>
        {fieldName(field, kind)}
        {limit !== null && <small>{rejectionTexts.length(length, limit)}</small>}
      </span>
      <input
        className={ui['input']}
        value={value}
        aria-invalid={limit !== null && length > limit}
        onChange={(event) => onChange(event.target.value)}
      />
      {note !== undefined && <small>{note}</small>}
    </label>
  );
}

/** Position of the marked phrase within the reviewer's reason; null if the reason does not contain it. */
function phraseIn(said: string, text: string, marked: Marked | null): Marked | null {
  if (marked === null) return null;
  const phrase = text.slice(marked.from, marked.to);
  const from = said.toLowerCase().indexOf(phrase.toLowerCase());
  return from < 0 ? null : { from, to: from + phrase.length };
}

function MarkedText({ text, marked }: { readonly text: string; readonly marked: Marked | null }) {
  if (marked === null) return <span>{text}</span>;
  return (
    <span>
      {text.slice(0, marked.from)}
      <mark>{text.slice(marked.from, marked.to)}</mark>
      {text.slice(marked.to)}
    </span>
  );
}

interface PreviewProps {
  readonly workspaceId: string;
  readonly detail: RowDetail | undefined;
  readonly marked: Marked | null;
}

/** Number of items shown beside a banner. */
const SHOPPED = 3;

/** The banner as shoppers see it, with the phrase that the reviewer quoted marked. */
function Preview({ workspaceId, detail, marked }: PreviewProps) {
  const brand = String(cellIn(detail, 'brand') ?? '');
  const id = detail?.row.id ?? 1;
  const campaignId = detail?.row.campaignId ?? null;
  const items = useRows(workspaceId, campaignId === null ? null : { kind: 'adItem', campaignId }, SHOPPED).data;
  const logo = useQuery(
    useApi().pictures.show.queryOptions({
      input: { workspaceId, of: { is: 'row', kind: 'sbaProfile', id } },
      enabled: detail !== undefined,
    }),
  ).data;
  return (
    <section>
      <h2>{rejectionTexts.preview}</h2>
      <div className={styles['preview']}>
        <PictureOrInitial url={logo?.url ?? null} name={brand} size={64} />
        <div>
          <div className={ui['quiet']}>{rejectionTexts.sponsored}</div>
          <div className={styles['headline']}>
            <MarkedText text={String(cellIn(detail, 'headline') ?? '')} marked={marked} />
          </div>
          <div className={ui['quiet']}>{brand}</div>
        </div>
        <span className={styles['shopped']}>
          {items?.rows.map((row) => {
            const itemId = textOf('adItem', row, 'itemId');
            const name = textOf('adItem', row, 'itemName') || itemId;
            return <ItemPicture key={row.id} workspaceId={workspaceId} itemId={itemId} name={name} size={56} />;
          })}
        </span>
      </div>
    </section>
  );
}

/** The ad's video; if its file is not on this computer, a still picture. */
function VideoPreview({ workspaceId, mediaId }: { readonly workspaceId: string; readonly mediaId: number }) {
  const file = useMedia(workspaceId)
    .filesFor('video')
    .find(({ id }) => id === mediaId);
  const video = useFile(workspaceId, file?.isHere === true ? mediaId : null).data;
  if (file === undefined) return null;
  return (
    <section>
      <h2>{rejectionTexts.preview}</h2>
      {video === undefined ? (
        <ServicePicture
          workspaceId={workspaceId}
          of={{ is: 'row', kind: 'media', id: file.row.id }}
          alt=""
          size={{ width: 320, height: 180 }}
        />
      ) : (
        <video className={styles['video']} src={video.url} muted controls preload="metadata" />
      )}
    </section>
  );
}

const afterReviewTexts = {
  free: (outcome: string) =>
    outcome === '' ? 'The review has ended.' : `The review has ended: ${outcome}. These changes can be sent now.`,
  waits: 'Adslate keeps these changes and sends them after the review. To send them sooner, cancel the review.',
  submit: 'Sync and submit for review',
  restart: 'Cancel review and resubmit…',
} as const;

function AfterReviewDetail({ workspaceId, entry }: DetailProps) {
  const { actions, store } = useAppContext();
  const mode = useAccount(workspaceId)?.mode;
  const { campaignId } = entry;
  if (campaignId === null) return null;
  const isOpen = entry.is === 'in-review';
  const submit = (): void => {
    if (isOpen) store.getState().openSync({ restart: campaignId });
    else void actions.submitKept(campaignId);
  };
  return (
    <>
      <p>{isOpen ? afterReviewTexts.waits : afterReviewTexts.free(choiceName(entry.ref).toLowerCase())}</p>
      <p className={ui['quiet']}>{entry.label}</p>
      <div className={styles['buttons']}>
        <Primary disabled={mode === 'read-only'} onClick={submit}>
          {isOpen ? afterReviewTexts.restart : afterReviewTexts.submit}
        </Primary>
      </div>
    </>
  );
}

const issueTexts = {
  verify: (n: number) => `Verify all ${countText(n)}`,
  go: 'Go to cell',
  save: 'Save',
  use: (value: string) => `Use "${value}"`,
  first: 'The first of them:',
} as const;

function IssueDetail(props: DetailProps) {
  const { workspaceId, entry } = props;
  const app = useAppContext();
  const { actions, store } = app;
  const { names } = useMedia(workspaceId);
  const detail = useRowOf(props);
  const [typed, setTyped] = useState<string | null>(null);
  const { kind, rowId, campaignId, field } = entry;
  if (kind === null || rowId === null) return null;
  const spec = field === null ? undefined : fieldSpec(kind, field);
  const isText = entry.rows === 1 && spec?.type.is === 'text' && spec.grid?.lock === undefined;
  const isTrimmed = entry.rows === 1 && entry.ref === LONG_VIDEO_RULE;
  const issues = detail?.issues.filter(({ rule }) => rule === entry.ref || entry.ref.startsWith('user.')) ?? [];
  const fix = issues.find((issue) => issue.fix !== null)?.fix ?? null;
  const stored = String(cellIn(detail, field ?? '') ?? '');
  const isTyped = typed !== null && typed !== stored;
  const go = (): void => store.getState().reveal(kind, campaignId, rowId, field);
  const save = (): Promise<unknown> =>
    actions.edit(rejectionTexts.edit, [{ kind, id: rowId, field: field ?? '', value: typed }]);
  return (
    <>
      {entry.rows > 1 && <p className={ui['quiet']}>{issueTexts.first}</p>}
      <p className={styles['state']}>
        {[...new Set([entry.campaign, entry.label])].filter((name) => name !== '').join(' · ')}
      </p>
      {issues.map((issue) => (
        <p key={issue.rule}>{issueText(issue)}</p>
      ))}
      {isText && kind === 'sbaProfile' && <Preview workspaceId={workspaceId} detail={detail} marked={null} />}
      {isText && field !== null && (
        <section>
          <h2>{rejectionTexts.fix(fieldName(field, kind).toLowerCase())}</h2>
          <TextField kind={kind} field={field} value={typed ?? stored} onChange={setTyped} />
        </section>
      )}
      <div className={styles['buttons']}>
        {entry.is === 'unverified' && !isTyped ? (
          <Primary onClick={() => void actions.confirmItems()}>{issueTexts.verify(entry.rows)}</Primary>
        ) : isText ? (
          <Primary disabled={!isTyped} onClick={() => void save()}>
            {issueTexts.save}
          </Primary>
        ) : entry.ref === FULL_RULE ? (
          <Primary onClick={() => void spreadKeywords(app, null)}>{spreadTexts.spread}</Primary>
        ) : isTrimmed ? (
          <Primary onClick={() => store.getState().editVideo(rowId)}>{longVideoTexts.trim}</Primary>
        ) : (
          <Primary onClick={go}>{issueTexts.go}</Primary>
        )}
        {(isText || isTrimmed || entry.ref === FULL_RULE) && <Button onClick={go}>{issueTexts.go}</Button>}
        {fix !== null && entry.is === 'error' && (
          <Button
            onClick={() =>
              void actions.edit(issueTexts.use(String(fix.value)), [
                { kind, id: rowId, field: fix.field, value: fix.value },
              ])
            }
          >
            {issueTexts.use(valueText(kind, fix.field, fix.value, names))}
          </Button>
        )}
      </div>
    </>
  );
}

const showText = 'Show';

/** What happened, with a link to the related screen. */
function NotificationDetail({ entry }: DetailProps) {
  const { store } = useAppContext();
  const now = useNow();
  const { place } = entry;
  const state = store.getState();
  const ways: Readonly<Record<NonNullable<InboxEntry['place']>, () => void>> = {
    sync: () => state.openSync({ isResult: true }),
    reviews: () => state.openPlace('launch'),
    changes: () => state.showTab('changes'),
    media: () => state.goTo({ kind: 'media', campaignId: null }),
    backups: () => state.openSettings('backups'),
    access: () => state.show({ name: 'unlock' }),
    reports: () => state.openPlace('reports'),
    alerts: () => state.openSuggestions('alert'),
  };
  return (
    <>
      <p className={styles['state']}>
        {[entryPlace(entry), entry.at === null ? '' : timeText(entry.at, now)]
          .filter((part) => part !== '')
          .join(' · ')}
      </p>
      {place !== null && (
        <div className={styles['buttons']}>
          <Primary onClick={ways[place]}>{showText}</Primary>
        </div>
      )}
    </>
  );
}
