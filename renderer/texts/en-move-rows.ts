import { KIND_NAMES } from './fields.ts';
import { countText, inSentence, plural } from './numbers.ts';

type Named = keyof typeof KIND_NAMES;

const some = (n: number, kind: Named): string => {
  const { one, many } = KIND_NAMES[kind];
  return plural(n, one, inSentence(many));
};

/** Texts of rows that are carried to another campaign: dragged, or picked up and put down. */
export const enMoveRows = {
  bar: 'Rows to move',
  held: (n: number, kind: Named, move: boolean) => `${some(n, kind)} ready to ${move ? 'move' : 'copy'}.`,
  attachHeld: (n: number) => `${plural(n, 'file')} ready to attach.`,
  next: 'Open a campaign and press Ctrl+V, or press Esc to cancel.',
  putDown: (name: string) => `Paste into ${name}`,
  nowhere: 'Open a campaign, or select a row in one, to paste here.',
  letGo: 'Cancel',
  ghost: (n: number, kind: Named, move: boolean) => `${move ? 'Move' : 'Copy'} ${some(n, kind)}`,
  attachGhost: (n: number) => `Attach ${plural(n, 'file')}`,
  into: (name: string) => `to ${name}`,
  aim: 'Drop on a campaign. Hold Ctrl to copy.',
  stay: `You can't move a campaign into another campaign. To copy it to another account, use "Copy or move to…".`,
  tooMany: (max: number) => `You can move up to ${countText(max)} rows at once. For more, use "Copy or move to…".`,
  alreadyThere: (name: string) => `These rows are already in ${name}.`,
  notTaken: (kind: Named, name: string) => `${name} can't contain ${inSentence(KIND_NAMES[kind].many)}.`,
  none: (name: string, why: string) => `Nothing was pasted into ${name}: ${why}.`,
  moved: (n: number, kind: Named, name: string) => `${some(n, kind)} moved to ${name}. Press Ctrl+Z to undo.`,
  copied: (n: number, kind: Named, name: string) => `${some(n, kind)} copied to ${name}. Press Ctrl+Z to undo.`,
  title: (n: number, kind: Named, name: string, move: boolean) =>
    `${move ? 'Move' : 'Copy'} ${some(n, kind)} to ${name}`,
  moveText: 'The copies are new drafts. The originals are deleted with the next sync.',
  copyText: 'The copies are new drafts. The originals do not change.',
  button: (move: boolean) => (move ? 'Move' : 'Copy'),
  attachLabel: (file: string, name: string) => `Attach ${file} to ${name}`,
  attached: (file: string, name: string) => `${file} attached to ${name}. Press Ctrl+Z to undo.`,
  oneFile: 'Attach one file at a time.',
  noProfile: (name: string) => `${name} has no profile for this type of file.`,
  whichProfile: (name: string) => `${name} has two profiles that can use this file. Choose the file in the profile.`,
  noVideo: (name: string) => `Add a video to ${name} before you add captions.`,
} as const;
