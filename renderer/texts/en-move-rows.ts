import { KIND_NAMES } from './fields.ts';
import { countText, plural } from './numbers.ts';

type Named = keyof typeof KIND_NAMES;

const some = (n: number, kind: Named): string => {
  const { one, many } = KIND_NAMES[kind];
  return plural(n, one.toLowerCase(), many.toLowerCase());
};

/** Texts of rows that are carried to another campaign: dragged, or picked up and put down. */
export const enMoveRows = {
  bar: 'Rows picked up',
  held: (n: number, kind: Named, move: boolean) => `${some(n, kind)} picked up to ${move ? 'move' : 'copy'}.`,
  attachHeld: (n: number) => `${plural(n, 'file')} picked up to attach.`,
  next: 'Go to a campaign and press Ctrl+V; Escape lets go.',
  putDown: (name: string) => `Put down in ${name}`,
  nowhere: 'Open a campaign, or select a row of one, to put them down there.',
  letGo: 'Let go',
  ghost: (n: number, kind: Named, move: boolean) => `${move ? 'Move' : 'Copy'} ${some(n, kind)}`,
  attachGhost: (n: number) => `Attach ${plural(n, 'file')}`,
  into: (name: string) => `to ${name}`,
  aim: 'Drop on a campaign. Ctrl copies.',
  stay: 'Campaigns hang from no other campaign. "Copy or move to…" takes them to another account.',
  tooMany: (max: number) => `Up to ${countText(max)} rows can be carried at once. "Copy or move to…" takes any number.`,
  alreadyThere: (name: string) => `These rows are in ${name} already.`,
  notTaken: (kind: Named, name: string) => `${name} is of a type that takes no ${KIND_NAMES[kind].many.toLowerCase()}.`,
  none: (name: string, why: string) => `Nothing was put down in ${name}: ${why}.`,
  moved: (n: number, kind: Named, name: string) => `${some(n, kind)} moved to ${name}. Ctrl+Z takes it back.`,
  copied: (n: number, kind: Named, name: string) => `${some(n, kind)} copied to ${name}. Ctrl+Z takes it back.`,
  title: (n: number, kind: Named, name: string, move: boolean) =>
    `${move ? 'Move' : 'Copy'} ${some(n, kind)} to ${name}`,
  moveText: 'They become new drafts there. The originals are deleted with the next sync.',
  copyText: 'They become new drafts there. The originals stay as they are.',
  button: (move: boolean) => (move ? 'Move' : 'Copy'),
  attachLabel: (file: string, name: string) => `Attach ${file} to ${name}`,
  attached: (file: string, name: string) => `${file} is attached to ${name}. Ctrl+Z takes it back.`,
  oneFile: 'Attach one file at a time.',
  noProfile: (name: string) => `${name} has no profile that takes this file.`,
  whichProfile: (name: string) => `${name} has two profiles with such a file. Choose the file in the profile itself.`,
  noVideo: (name: string) => `${name} has no video yet that a caption could go with.`,
} as const;
