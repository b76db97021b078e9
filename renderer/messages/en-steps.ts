import type { LaunchStep } from '../../shared/contract/launch.ts';
import type { Kind } from '../../shared/model/kinds.ts';
import { plural } from './numbers.ts';

const ONE: Partial<Record<Kind, string>> = {
  adItem: 'an ad item',
  keyword: 'a keyword',
  sbaProfile: 'a brand profile',
  videoProfile: 'a video',
};

const REJECTED: Partial<Record<Kind, string>> = {
  adItem: 'Replace or correct the rejected items and submit them again.',
  keyword: 'Replace or correct the rejected keywords and submit them again.',
};

const DAY = 1440;

function part({ fix }: LaunchStep): string {
  const one = 'kind' in fix ? (ONE[fix.kind] ?? fix.kind) : '';
  return fix.way === 'go' ? `Switch on ${one}, or add another.` : `Add ${one}.`;
}

function video({ fix, minutes }: LaunchStep): string {
  if (fix.way === 'go') return 'The service could not use the video. Attach another.';
  if (fix.way === 'look') return `The video is processed, which takes about ${minutes} minutes.`;
  return `Upload the video and wait about ${minutes} minutes for it.`;
}

const review = ({ least, minutes }: LaunchStep): string => `The review takes ${least / DAY} to ${minutes / DAY} days.`;

const rejected = ({ fix }: LaunchStep): string =>
  REJECTED['kind' in fix ? fix.kind : 'sbaProfile'] ??
  'Replace or correct the rejected profiles and submit them again.';

const WHAT: Readonly<Record<LaunchStep['step'], (missing: LaunchStep) => string>> = {
  'ad-group': () => 'Add an ad group.',
  item: part,
  keyword: part,
  profile: part,
  video,
  sync: () => 'Sync the changes.',
  submit: (missing) => `Submit for review. ${review(missing)}`,
  review,
  approval: rejected,
};

/** Texts of the missing steps of a campaign and of what ends them. */
export const enSteps = {
  what: (missing: LaunchStep): string => WHAT[missing.step](missing),
  more: (later: number) => (later > 0 ? `+${later}` : '⋯'),
  all: (campaign: string, later: number) =>
    later > 0 ? `+${later}: all missing steps of ${campaign}` : `The missing step of ${campaign}`,
  /** Labels of the buttons, by the way a step is ended. */
  create: 'Add ad group',
  add: 'Add…',
  go: 'Show',
  sync: 'Sync…',
  submit: 'Ask for review',
  look: 'Look now',
  everywhere: {
    create: 'Add an ad group to every campaign without one',
    sync: 'Sync every campaign whose next step it is…',
    submit: 'Ask for the review of every campaign whose next step it is…',
  },
  groups: (n: number) => `Add ${plural(n, 'ad group')}`,
  groupsAdded: (n: number) => `${plural(n, 'ad group')} added. Undo takes ${n === 1 ? 'it' : 'them'} back.`,
} as const;
