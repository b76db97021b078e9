import { plural } from './numbers.ts';

/** Texts of the lists of changes and of what was done. */
export const enHistory = {
  findChange: 'Find change',
  tick: (row: string) => `Select ${row} to sync it separately`,
  syncTicked: (n: number) => `Sync ${plural(n, 'selected row')}…`,
  noSuchChange: 'No matching changes.',
  copy: 'Copy as text',
  copied: (n: number) => `${plural(n, 'change')} copied`,
  copyFailed:
    'Your browser does not allow copying from buttons. Allow clipboard access for this page, or export the changes.',
  isNew: 'new',
  isDeleted: 'deleted',
  findStep: 'Find edit',
  noSuchStep: 'No matching edits.',
  save: 'Export as table (TSV)',
  fileName: 'history.tsv',
  columns: ['Time', 'User', 'Edit', 'Source', 'Undone', 'Campaign', 'Row', 'Type', 'Field', 'Before', 'After'],
  undone: 'undone',
  open: (step: string) => `Show changes of "${step}"`,
  by: (who: string, when: string) => (who === '' ? when : `${when}, ${who}`),
  entries: 'Changes in this edit',
  what: { field: 'Changed', made: 'Added', removed: 'Removed', deleted: 'Marked for deletion', held: 'Put on hold' },
  bringBack: 'Restore',
  bringBackCell: (field: string, row: string) => `Restore ${field} of ${row}`,
  bringBackCampaign: (campaign: string) => `Restore campaign ${campaign}`,
  campaign: 'Restore campaign',
  before: 'Restore to before this edit',
  beforeLabel: (step: string) => `Restore to before "${step}"`,
  back: (cells: number, created: number, removed: number) =>
    cells + created + removed === 0
      ? 'Nothing to restore: all values are the same.'
      : [
          `${plural(cells, 'field')} restored`,
          ...(created === 0 ? [] : [`${plural(created, 'row')} added again`]),
          ...(removed === 0 ? [] : [`${plural(removed, 'row')} removed`]),
        ]
          .join(', ')
          .concat('. Press Ctrl+Z to undo.'),
  backTitle: 'Restore to before this edit?',
  backText: 'Reverses this edit and all later ones, in one step that you can undo. Nothing is sent.',
  backKeep: 'Cancel',
  backButton: 'Restore',
} as const;
