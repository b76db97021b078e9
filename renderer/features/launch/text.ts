import type { LaunchFix, LaunchStep } from '../../../shared/api/campaigns.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { countText, dayText, fullDayText, moneyText, plural } from '../../app/locale/numbers.ts';

const ONE: Partial<Record<Kind, string>> = {
  adItem: 'an ad item',
  keyword: 'a keyword',
  sbaProfile: 'an SBA profile',
  videoProfile: 'a video',
};

const REJECTED: Partial<Record<Kind, string>> = {
  adItem: 'Replace or correct the rejected items, then resubmit.',
  keyword: 'Replace or correct the rejected keywords, then resubmit.',
};

const DAY = 1440;

function part({ fix }: LaunchStep): string {
  const one = 'kind' in fix ? (ONE[fix.kind] ?? fix.kind) : '';
  return fix.way === 'go' ? `Enable ${one}, or add another.` : `Add ${one}.`;
}

function video({ fix, minutes }: LaunchStep): string {
  if (fix.way === 'go') return "The service couldn't process the video. Attach another one.";
  if (fix.way === 'look') return `Video processing takes about ${minutes} minutes.`;
  return `Upload the video. Processing takes about ${minutes} minutes.`;
}

const review = ({ least, minutes }: LaunchStep): string => `The review takes ${least / DAY}–${minutes / DAY} days.`;

const rejected = ({ fix }: LaunchStep): string =>
  REJECTED['kind' in fix ? fix.kind : 'sbaProfile'] ?? 'Replace or correct the rejected profiles, then resubmit.';

const WHAT: Readonly<Record<LaunchStep['step'], (missing: LaunchStep) => string>> = {
  'ad-group': () => 'Add an ad group.',
  item: part,
  keyword: part,
  profile: part,
  video,
  sync: () => 'Sync your changes.',
  submit: (missing) => `Submit for review. ${review(missing)}`,
  review,
  approval: rejected,
  errors: () => 'Fix the errors that keep changes from being sent.',
  enable: ({ fix }) =>
    fix.way === 'outside'
      ? "Everything is approved. Enable the campaign again in the retailer's console, then refresh."
      : 'Everything is approved. Enable the campaign again.',
  extend,
};

function extend({ fix }: LaunchStep): string {
  if (fix.way !== 'write')
    return "The campaign has ended. To extend it, set a later end date in the retailer's console.";
  const { endDate } = fix.values;
  return endDate === undefined
    ? 'The campaign has ended. Extend it without an end date.'
    : `The campaign has ended. Extend it to ${fullDayText(endDate)}.`;
}

const SHORT: Readonly<Record<LaunchStep['step'], string>> = {
  'ad-group': 'Add an ad group',
  item: 'Add an ad item',
  keyword: 'Add a keyword',
  profile: 'Add a profile',
  video: 'Video not ready',
  sync: 'Sync changes',
  submit: 'Submit for review',
  review: 'Wait for review',
  approval: 'Fix and resubmit',
  errors: 'Fix errors',
  enable: 'Enable again',
  extend: 'Extend the campaign',
};

const BUTTONS: Readonly<Record<LaunchFix['way'], string>> = {
  create: 'Add',
  add: 'Add',
  go: 'Show',
  sync: 'Sync',
  submit: 'Submit',
  look: 'Check',
  write: 'Enable',
  outside: 'Not available',
};

export const launchTexts = {
  title: (n: number) => (n === 0 ? launchTexts.none : plural(n, 'upcoming campaign')),
  calendar: 'Export calendar (.ics)',
  span: 'Show',
  spans: { 14: '2 weeks', 28: '4 weeks', 91: 'Quarter' },
  none: 'No upcoming campaigns',
  noneText: 'Campaigns are listed here with the steps left before they go live. Create a campaign first.',
  campaign: 'Campaign',
  next: 'Next step',
  list: 'Upcoming and live campaigns',
  started: 'Live and recently ended',
  ready: 'Nothing missing',
  pending: 'Pending',
  waits: 'Pending. See the reason in the Sync tab.',
  noEnd: 'No end date',
  ends: (day: string) => `Ends ${dayText(day)}`,
  extend: (day: string) => `Extend to ${dayText(day)}`,
  extendTo: (day: string) => `Extend to ${fullDayText(day)}. The sync plan is shown first.`,
  submitBy: (day: string) => `Submit by ${dayText(day)}`,
  late: (day: string) => `Too late for its start date: it had to be submitted by ${fullDayText(day)}`,
  noDate: 'No start date',
  segments: {
    media: 'Processing video',
    review: 'In review',
    scheduled: 'Scheduled',
    live: 'Live',
  },
  review: 'Review',
  reviewUpTo: (days: number) => `In review, up to ${plural(days, 'day')}`,
  pin: 'Submit-by date',
  ifExtended: 'If extended',
  perDay: (cents: number) => `${moneyText(cents)} a day`,
  segment: (name: string, from: string, to: string) => `${name}: ${from} to ${to}`,
  open: 'no end date',
  legend: 'Legend',
  ics: {
    fileName: 'launches.ics',
    submit: (name: string) => `Submit ${name} for review`,
    start: (name: string) => `${name} goes live`,
    end: (name: string) => `${name} ends`,
  },
  what: (missing: LaunchStep): string => WHAT[missing.step](missing),
  /** Step names in few words, for a line. */
  short: ({ step, fix }: LaunchStep): string =>
    'kind' in fix && (step === 'item' || step === 'keyword' || step === 'profile')
      ? `${fix.way === 'go' ? 'Enable' : 'Add'} ${ONE[fix.kind] ?? fix.kind}`
      : SHORT[step],
  reading: 'Reading campaigns…',
  more: (later: number) => (later > 0 ? `+${later}` : '⋯'),
  all: (campaign: string, later: number) =>
    later > 0 ? `+${later}: all missing steps of ${campaign}` : `The missing step of ${campaign}`,
  /** The label of a step's button; empty if no button completes it. */
  button: ({ step, fix }: LaunchStep): string => {
    if (step !== 'extend' || fix.way !== 'write') return BUTTONS[fix.way];
    const { endDate } = fix.values;
    return endDate === undefined ? 'Extend' : `Extend to ${dayText(endDate)}`;
  },
  /** Names of a step's edit in the history. */
  enabled: 'Enable again',
  extended: 'Extend campaign',
  everywhere: {
    create: 'Add an ad group to every campaign without one',
    sync: 'Sync every campaign that is ready to sync…',
    submit: 'Submit every campaign that is ready for review…',
  },
  some: (n: number, all: number) =>
    `The first ${countText(n)} of ${countText(all)} campaigns at once. Repeat the command for the others.`,
  groups: (n: number) => `Add ${plural(n, 'ad group')}`,
  groupsAdded: (n: number) => `${plural(n, 'ad group')} added. Press Ctrl+Z to undo.`,
} as const;
