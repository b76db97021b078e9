import { countText, plural } from './numbers.ts';

/** Plan files: saved, opened, compared with the plan of now, and run. */
export const enPlanFile = {
  save: 'Save plan (JSON)',
  open: 'Run a saved plan…',
  title: 'Run a saved plan',
  explain:
    'Choose a plan file, or drop one here. Adslate plans the same changes again and shows what differs. Nothing is sent before you confirm it.',
  choose: 'Choose a plan file…',
  another: 'Choose another file…',
  reading: 'Reading the plan…',
  wishes: ({ submit, campaigns, rows }: { submit: boolean; campaigns: number | null; rows: number | null }) =>
    [
      campaigns === null ? '' : plural(campaigns, 'campaign'),
      rows === null ? '' : `${countText(rows)} selected ${rows === 1 ? 'row' : 'rows'}`,
      campaigns === null && rows === null ? 'all changes' : '',
      submit ? 'submit for review' : 'no review',
    ]
      .filter((part) => part !== '')
      .join(' · '),
  draftsOf: (time: string) => `Changes of ${time}`,
  same: 'Nothing changed since the plan was saved.',
  changed: "The plan changed since it was saved, so it can't be sent. Plan again to see and send the new plan.",
  changes: 'Changed since the plan was saved',
  signs: { '-': 'Saved', '+': 'Now' },
  run: 'Run this plan',
  again: 'Plan again',
} as const;
