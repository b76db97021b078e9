import {
  IconAlertCircle,
  IconArrowsSplit,
  IconBell,
  IconCloudX,
  IconHelpCircle,
  IconHourglass,
  IconMessageReport,
  IconScan,
  IconSend,
  IconUpload,
  IconUserCheck,
  IconWallet,
  type TablerIcon,
} from '@tabler/icons-react';
import type { InboxEntry } from '../../../shared/api/overview.ts';
import { type AppContext, useAppContext } from '../../app/app-context.ts';
import { fieldName, KIND_NAMES, rowsText } from '../../app/field-names.ts';
import { atStart, countText, inSentence, plural } from '../../app/locale/numbers.ts';
import { markedPhrase } from './phrase.ts';

const texts = {
  headlineRejected: 'Headline rejected',
  rejected: (what: string) => `${atStart(what)} rejected`,
  also: (rows: string) => `also ${rows}`,
  afterReview: (n: number) => `Review finished: ${plural(n, 'change')} ready to sync`,
  inReview: (n: number) => `${plural(n, 'change')} will be sent after the review`,
  failed: (n: number) => `${plural(n, 'change')} failed`,
  moreMessages: (n: number) => `${plural(n, 'more message')} of the service`,
  questions: (n: number) => (n === 1 ? 'Unresolved request' : plural(n, 'unresolved request')),
  conflicts: (n: number) => plural(n, 'conflict'),
  conflict: (field: string) => `${field} changed here and on the service`,
  conflictWith: (field: string, name: string) => `${field} changed here and by ${name}`,
  goneWith: (name: string) => `Deleted by ${name}, changed here`,
  goneHere: (name: string) => `Deleted here, changed by ${name}`,
  gone: 'Deleted on the service, changed here',
  errors: (n: number) => plural(n, 'error'),
  unverified: (n: number) => plural(n, 'item not verified', 'items not verified'),
  host: 'Upload host not allowed yet',
  request: {
    open: (title: string) => `Sign-off requested: ${title}`,
    'signed-off': (title: string) => `Signed off: ${title}`,
    'changes-asked': (title: string) => `Changes requested: ${title}`,
  } as Readonly<Record<string, (title: string) => string>>,
  requestBy: (name: string, campaigns: number) => `${name}, ${plural(campaigns, 'campaign')}`,
  budget: 'Budget used up early',
  budgets: (n: number) => `${plural(n, 'budget')} used up early`,
  budgetDays: (campaign: string, days: string) => `${campaign}, ${days} of 7 days`,
  inCampaigns: (n: number) => `In ${plural(n, 'campaign')}`,
  places: {
    sync: 'Sync',
    reviews: 'Review',
    changes: 'Changes',
    media: 'Media library',
    backups: 'Backups',
    access: 'Credentials',
    reports: 'Reports',
    alerts: 'Suggestions',
  },
  verbs: {
    rejection: 'Fix',
    'after-review': 'Submit',
    'in-review': 'Show',
    failed: 'Show',
    question: 'Resolve',
    conflict: 'Resolve',
    error: 'Fix',
    unverified: 'Verify all',
    'upload-host': 'Decide',
    request: 'Show',
    budget: 'Raise',
    notification: 'Show',
  },
} as const;

export const ICONS: Readonly<Record<InboxEntry['is'], TablerIcon>> = {
  rejection: IconMessageReport,
  'after-review': IconSend,
  'in-review': IconHourglass,
  failed: IconCloudX,
  question: IconHelpCircle,
  conflict: IconArrowsSplit,
  error: IconAlertCircle,
  unverified: IconScan,
  'upload-host': IconUpload,
  request: IconUserCheck,
  budget: IconWallet,
  notification: IconBell,
};

export const entryVerb = ({ is }: InboxEntry): string => texts.verbs[is];

const firstSentence = (text: string): string => text.split(/(?<=[.!?])\s/u)[0]?.replace(/\.$/, '') ?? '';

/** The subject of an entry, in one line. */
export function entryTitle(entry: InboxEntry): string {
  const { is, rows, kind, field, text, label, ref } = entry;
  switch (is) {
    case 'rejection':
      if (kind === 'sbaProfile' && markedPhrase(text, label) !== null) return texts.headlineRejected;
      if (kind === null || rows === 1) return texts.rejected(kind === null ? label : KIND_NAMES[kind].one);
      return texts.rejected(`${countText(rows)} ${inSentence(KIND_NAMES[kind].many)}`);
    case 'after-review':
      return texts.afterReview(rows);
    case 'in-review':
      return texts.inReview(rows);
    case 'failed':
      return rows === 1 && text !== '' ? firstSentence(text) : texts.failed(rows);
    case 'question':
      return texts.questions(rows);
    case 'conflict':
      if (rows > 1 || kind === null) return texts.conflicts(rows);
      if (field === null) return ref === '' ? texts.gone : (text === '' ? texts.goneWith : texts.goneHere)(ref);
      return ref === '' ? texts.conflict(fieldName(field, kind)) : texts.conflictWith(fieldName(field, kind), ref);
    case 'error':
      return rows === 1 ? firstSentence(text) : texts.errors(rows);
    case 'unverified':
      return texts.unverified(rows);
    case 'upload-host':
      return texts.host;
    case 'request':
      return texts.request[text]?.(label) ?? label;
    case 'budget':
      return rows === 1 ? texts.budget : texts.budgets(rows);
    case 'notification':
      return text;
  }
}

/** The second line of an entry: its campaign, row or screen. */
export function entryPlace(entry: InboxEntry): string {
  const { is, rows, kind, field, text, label, campaign, campaigns, ref, place, also } = entry;
  if (is === 'notification') return place === null ? '' : texts.places[place];
  if (is === 'upload-host') return ref;
  if (is === 'question') return label;
  if (is === 'request') return texts.requestBy(campaign, campaigns);
  if (is === 'budget') return rows === 1 ? texts.budgetDays(campaign, ref) : texts.inCampaigns(rows);
  if (is === 'unverified') return rows === 1 ? campaign : texts.inCampaigns(campaigns);
  if (is === 'error') {
    if (rows > 1) return firstSentence(text);
    return field === null || kind === null
      ? campaign || label
      : `${campaign || label}, ${inSentence(fieldName(field, kind))}`;
  }
  if (is === 'failed' && ref !== '') return texts.moreMessages(Number(ref));
  if (is === 'failed' && rows > 1) return firstSentence(text);
  if (is === 'rejection') {
    const more = also.map((each) => rowsText(each.rows, each.kind));
    return [campaign, more.length === 0 ? '' : texts.also(more.join(', '))].filter((part) => part !== '').join(' · ');
  }
  return [campaign, label === campaign ? '' : label].filter((part) => part !== '').join(' · ');
}

/** Shows the rows that an entry counts; opens the entry in the inbox if it has none. */
export function showEntryRows({ store }: Pick<AppContext, 'store'>, entry: InboxEntry): void {
  const { kind, rows, filter, only, campaignId, is, rowId, field } = entry;
  const isWithin = is === 'rejection' && kind !== 'campaign';
  const target = rowId === null ? null : { id: rowId, field };
  if (kind === null || rows === 0) store.getState().openInbox(entry.id);
  else store.getState().showRows({ kind, filter, only, campaignId: isWithin ? campaignId : null, target });
}

/** Runs the action of an entry from another screen. */
export function useEntryVerb(): (entry: InboxEntry) => void {
  const app = useAppContext();
  return (entry) => {
    const { is, kind, rowId, campaignId, field, id } = entry;
    const { openInbox, reveal } = app.store.getState();
    if (is === 'unverified') void app.actions.confirmItems();
    else if ((is === 'error' || is === 'budget') && kind !== null && rowId !== null)
      reveal(kind, campaignId, rowId, field);
    else openInbox(id);
  };
}
