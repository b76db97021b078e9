import { plural } from './numbers.ts';

/** Texts of the missing steps of a campaign and of what ends them. */
export const enSteps = {
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
