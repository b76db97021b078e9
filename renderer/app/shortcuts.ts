import { COMMANDS, type Command } from './commands.ts';

/**
 * Shortcuts by command ID that replace those of the command table. Keys are written as displayed, modifiers first:
 * `Ctrl+Shift+E`. `Ctrl` also means Command on a Mac.
 */
export type ChosenKeys = Readonly<Record<string, string>>;

export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

const MODIFIERS = ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph'];

/** The keys of a command; null for none. An empty text removes the table's keys. */
export const keysOf = ({ id, shortcut }: Command, chosen: ChosenKeys): string | null =>
  (chosen[id] ?? shortcut) || null;

/** With Shift, the bracket keys type these characters. */
const BRACKETS: Readonly<Record<string, string>> = { '{': '[', '}': ']' };

/** A key press in the notation of shortcuts; null while only modifiers are pressed. */
export function pressed(event: KeyPress): string | null {
  if (MODIFIERS.includes(event.key)) return null;
  const letter = /^(?:Key|Digit)(.)$/.exec(event.code)?.[1];
  const parts = [
    event.ctrlKey || event.metaKey ? 'Ctrl' : '',
    event.altKey ? 'Alt' : '',
    event.shiftKey ? 'Shift' : '',
    letter ?? BRACKETS[event.key] ?? event.key,
  ];
  return parts.filter((part) => part !== '').join('+');
}

/** On a Mac, Option types characters, such as @ and ~ on a German keyboard, or begins accents as a dead key. */
const typesByOption = ({ key, altKey, ctrlKey, metaKey }: KeyPress): boolean =>
  altKey && !ctrlKey && !metaKey && (key.length === 1 || key === 'Dead');

export function commandFor(
  event: KeyPress,
  inText: boolean,
  chosen: ChosenKeys,
  isMac = navigator.platform.startsWith('Mac'),
): Command | undefined {
  const keys = pressed(event);
  // Without this, a lone modifier would match the commands without keys.
  if (keys === null || (isMac && inText && typesByOption(event))) return undefined;
  const owner = ownerOf(keys, chosen) ?? (keys === 'Ctrl+Shift+Z' ? ownerOf('Ctrl+Y', chosen) : undefined);
  return inText && owner?.inText === false ? undefined : owner;
}

export const ownerOf = (keys: string, chosen: ChosenKeys): Command | undefined =>
  COMMANDS.find((command) => keysOf(command, chosen) === keys);

const WINDOW_KEYS = ['Ctrl+W', 'Ctrl+T', 'Ctrl+N', 'Ctrl+Q', 'Ctrl+R', 'Ctrl+L', 'Alt+F4', 'F5', 'F11', 'F12'];
const ZOOM_KEYS = ['Ctrl+0', 'Ctrl+-', 'Ctrl+=', 'Ctrl++', 'Ctrl+Shift++'];
const GRID_KEYS = ['Ctrl+C', 'Ctrl+V', 'Ctrl+X', 'Ctrl+A', 'Ctrl+D', 'Ctrl+Home', 'Ctrl+End', 'F2'];
/** These open the tabs above the rows. */
const TAB_KEYS = /^Ctrl\+Alt\+[1-9]$/;
/** Keys reserved by the operating system, the browser and the grid. */
const KEPT = new Set([...WINDOW_KEYS, ...ZOOM_KEYS, ...GRID_KEYS]);

/** Why keys can't be a shortcut; null if they can. */
export function keysProblem(keys: string): 'kept' | 'plain' | null {
  if (KEPT.has(keys) || TAB_KEYS.test(keys)) return 'kept';
  // A single letter is typed text, and arrow keys move in the grid; the grid does not use brackets.
  return /^(Ctrl|Alt)\+/.test(keys) || /^(Shift\+)?(F\d+|[[\]])$/.test(keys) ? null : 'plain';
}
