import { countText, plural } from './numbers.ts';

/** Texts about backups of an account, the way back, and what was found when it was opened. */
export const enBackups = {
  title: 'Backups',
  intro:
    'A backup is made for every five minutes of work, before every import of many rows and before everything that is sent. Each one was read back and found whole.',
  kept: 'All of the last 7 days are kept, then one a day for a year; those made by hand stay.',
  where: (workspaceId: string) =>
    `They lie in the folder workspaces/${workspaceId}/backups of Adslate's data folder, on this computer only.`,
  make: 'Make a backup now',
  made: (size: string) => `A backup of ${size} was made, read back and found whole.`,
  loading: 'Looking for backups…',
  none: 'No backup yet',
  noneText: 'The first one is made after five minutes of work, or now.',
  noneDamaged: 'The account was damaged before the first one was made.',
  when: 'When',
  why: 'Why',
  size: 'Size',
  checked: 'Checked',
  whole: 'whole',
  actions: 'Actions',
  look: 'See what would change',
  lookOf: (when: string) => `See what would change with the backup of ${when}`,
  reasons: {
    timed: 'five minutes of work',
    'before-import': 'before an import',
    'before-sync': 'before sending',
    'before-restore': 'before a backup was put back',
    'before-schema': 'before an update of Adslate',
    'by-hand': 'made by hand',
  },
  comparing: 'Comparing with what is here now…',
  of: (when: string) => `Backup of ${when}`,
  same: 'This backup is the same as what is here now. Putting it back would change nothing.',
  kind: 'Rows',
  comingBack: 'come back',
  going: 'go',
  changing: 'change',
  what: { 'comes-back': 'comes back', goes: 'goes', changes: 'changes' },
  examples: 'For example',
  more: (n: number) => `and ${countText(n)} more`,
  parts: 'One campaign alone',
  partsText:
    'It goes back to what was edited in it when this backup was made, as one step that Ctrl+Z takes back. Nothing else changes, and nothing is sent.',
  noParts: 'The history does not reach back to this backup, so only all of it can be put back.',
  differ: (rows: number) => (rows === 1 ? '1 row differs' : `${countText(rows)} rows differ`),
  asThen: 'As in this backup',
  asThenOf: (campaign: string) => `${campaign} as in this backup`,
  oneLabel: (campaign: string) => `${campaign} as in a backup`,
  moreCampaigns: (n: number) => `and ${plural(n, 'more campaign')}`,
  safe: 'What is here now is backed up first and set aside, never deleted. Sync then asks about everything that was sent after this backup.',
  back: 'Back to the list',
  restore: 'Put this backup back',
  restored: 'The backup is in place.',
  notes: 'What was found when the account was opened',
  found: {
    'restored-after-damage': (when: string) =>
      `The file of this account was damaged, and the backup${when} took its place. Look whether something after it is missing.`,
    restored: (when: string) => `A backup${when} was put back. Sync asks about everything that was sent after it.`,
    salvaged: () => 'What could be read of the damaged file is in a new one. Refresh before you send anything.',
    'view-only': () => 'Nothing can be written here just now: look and export as you like; nothing is changed or sent.',
    'older-state': () =>
      'An older state lies here than the one that was closed last. Refresh before you send anything.',
    'other-file': () =>
      'Another file lies here than the one that was closed last. Check that it is the account you mean.',
    copied: () =>
      'This account lies here twice: its folder was copied, and the original is still there. Nothing is sent until you say which of the two goes on.',
  },
  ofTime: (when: string) => ` of ${when}`,
  aside: (place: string) => `The file that was there is kept as ${place}.`,
  moved: 'This one goes on',
  copied: 'This is the copy: set it to read-only',
  damaged: 'The file of this account is damaged and cannot be opened.',
  damagedText: 'Put a backup back. Without a usable one, read what can still be read into a new file.',
  salvage: 'Read what can be read…',
  salvageTitle: 'Read what can be read?',
  salvageText:
    'What can still be read of the damaged file goes into a new one; the damaged file is set aside, never deleted. A backup is better where there is one.',
  salvageKeep: 'Leave it',
  salvageButton: 'Read into a new file',
  salvaged: (rows: number, lost: number, missingRows: number) =>
    `${plural(rows, 'row')} read; ${lost === 0 ? 'nothing was lost' : `${plural(lost, 'stretch', 'stretches')} of the file could not be read`}.${missingRows === 0 ? '' : ` About ${plural(missingRows, 'row')} may be missing.`}`,
} as const;
