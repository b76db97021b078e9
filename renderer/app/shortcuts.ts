import { COMMANDS, type Command } from './commands.ts';

/**
 * Which keys run which command: the table's own, unless the user chose others. Keys are written as they are shown,
 * modifiers first: `Ctrl+Shift+E`. `Ctrl` also means Command on a Mac.
 */
export type ChosenKeys = Readonly<Record<string, string>>;

export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

const MODIFIERS = ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph'];

/** The keys of a command; null when it has none. An empty choice takes the table's keys away. */
export const keysOf = ({ id, shortcut }: Command, chosen: ChosenKeys): string | null =>
  (chosen[id] ?? shortcut) || null;

/** With Shift they are other characters, on the keys of the same place. */
const BRACKETS: Readonly<Record<string, string>> = { '{': '[', '}': ']' };

/** How a press is written; null while only modifiers are held. */
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

/** With Option a Mac types characters, such as @ and ~ on a German keyboard, and accents, which are dead keys first. */
const typesByOption = ({ key, altKey, ctrlKey, metaKey }: KeyPress): boolean =>
  altKey && !ctrlKey && !metaKey && (key.length === 1 || key === 'Dead');

export function commandFor(
  event: KeyPress,
  inText: boolean,
  chosen: ChosenKeys,
  isMac = navigator.platform.startsWith('Mac'),
): Command | undefined {
  const keys = pressed(event);
  // A modifier alone stands for nothing, above all not for the commands that have no keys.
  if (keys === null || (isMac && inText && typesByOption(event))) return undefined;
  const wanted = keys === 'Ctrl+Shift+Z' ? 'Ctrl+Y' : keys;
  return COMMANDS.find((command) => keysOf(command, chosen) === wanted && (!inText || command.inText));
}

export const ownerOf = (keys: string, chosen: ChosenKeys): Command | undefined =>
  COMMANDS.find((command) => keysOf(command, chosen) === keys);

const WINDOW_KEYS = ['Ctrl+W', 'Ctrl+T', 'Ctrl+N', 'Ctrl+Q', 'Ctrl+R', 'Ctrl+L', 'Alt+F4', 'F5', 'F11', 'F12'];
const ZOOM_KEYS = ['Ctrl+0', 'Ctrl+-', 'Ctrl+=', 'Ctrl++', 'Ctrl+Shift++'];
const GRID_KEYS = ['Ctrl+C', 'Ctrl+V', 'Ctrl+X', 'Ctrl+A', 'Ctrl+D', 'Ctrl+Home', 'Ctrl+End', 'F2'];
/** Keys that windows, browsers and the grid keep for themselves. */
const KEPT = new Set([...WINDOW_KEYS, ...ZOOM_KEYS, ...GRID_KEYS]);

/** Why keys cannot be a shortcut; null when they can. */
export function keysProblem(keys: string): 'kept' | 'plain' | null {
  if (KEPT.has(keys)) return 'kept';
  // A letter alone is typing, and the arrows move in the grid; brackets the grid leaves to commands.
  return /^(Ctrl|Alt)\+/.test(keys) || /^(Shift\+)?(F\d+|[[\]])$/.test(keys) ? null : 'plain';
}
