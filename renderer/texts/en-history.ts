import { plural } from './numbers.ts';

/** Texts of the lists of changes and of what was done. */
export const enHistory = {
  findChange: 'Find a change',
  tick: (row: string) => `Choose ${row} for a sync of its own`,
  syncTicked: (n: number) => `Sync only ${plural(n, 'row')}…`,
  noSuchChange: 'No change has these words.',
  copy: 'Copy as text',
  copied: (n: number) => `${plural(n, 'change')} copied`,
  copyFailed: 'The browser keeps the clipboard closed to buttons. Allow it for this page, or export the changes.',
  isNew: 'new',
  isDeleted: 'deleted',
  findStep: 'Find a step',
  noSuchStep: 'No step has these words.',
  save: 'Save as a table',
  fileName: 'history.tsv',
  columns: ['When', 'Who', 'Step', 'From', 'Undone', 'Campaign', 'Row', 'What', 'Field', 'Before', 'After'],
  undone: 'undone',
  open: (step: string) => `What "${step}" changed`,
  by: (who: string, when: string) => (who === '' ? when : `${when}, ${who}`),
  entries: 'Changes of the step',
  what: { field: 'Changed', made: 'New', removed: 'Removed', deleted: 'Marked for deletion', held: 'Held' },
  bringBack: 'Bring back',
  bringBackCell: (field: string, row: string) => `Bring back ${field} of ${row}`,
  bringBackCampaign: (campaign: string) => `Bring back campaign ${campaign}`,
  campaign: 'Bring back campaign',
  before: 'Go back to before this step',
  beforeLabel: (step: string) => `Back to before "${step}"`,
  back: (cells: number, created: number, removed: number) =>
    cells + created + removed === 0
      ? 'It is all as it was then already.'
      : [
          `${plural(cells, 'field')} brought back`,
          ...(created === 0 ? [] : [`${plural(created, 'row')} made anew`]),
          ...(removed === 0 ? [] : [`${plural(removed, 'row')} taken away`]),
          'Ctrl+Z takes this back.',
        ].join(', '),
  backTitle: 'Go back to before this step?',
  backText:
    'What was edited in this step and after it goes back to what it was, as one new step that Ctrl+Z takes back. Nothing is sent.',
  backKeep: 'Stay here',
  backButton: 'Go back',
} as const;
