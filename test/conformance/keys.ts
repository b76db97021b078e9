import { limits } from '../../sandbox/limits.ts';
import { messages, ownMessages } from '../../sandbox/messages.ts';
import { type Machine, machines } from '../../sandbox/states.ts';
import { type DocumentError, listDocumentErrors } from './document-errors.ts';
import { documentMoves } from './document-moves.ts';

/**
 * What there is to prove: each message of the document, also under every operation and status that it is listed for, each
 * message of ours, each limit, each move of each state.
 */
export interface Key {
  readonly key: string;
  /** The text, the number, or the move with its source. */
  readonly what: string;
}

/** Numbers that no caller can observe as a limit, each with the reason. */
export const withoutCase: Readonly<Record<string, string>> = {
  'limit.openEndDate': 'a default, not a limit',
  'limit.nameMaxCharacters': 'ours; the document has no limit for names',
};

export function keysToProve(): readonly Key[] {
  const texts = (table: object, prefix: string) =>
    Object.entries(table).map(([name, text]) => ({ key: `${prefix}.${name}`, what: textOf(text) }));
  const errors = listDocumentErrors().map((error) => ({ key: errorKey(error), what: error.text }));
  return [
    ...texts(messages, 'message'),
    ...errors,
    ...texts(ownMessages, 'own'),
    ...texts(limits, 'limit'),
    ...moveKeys(),
  ];
}

/** `error.SBA list (V2).404.AdGroup not found`. */
export function errorKey({ operation, status, text }: DocumentError): string {
  return `error.${operation}.${status}.${text}`;
}

/** The messages that a text of the document is an instance of. */
export function messageKeysOf(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const keys = Object.keys(messages).map((name) => `message.${name}`);
  return keys.filter((key) => patternOf(key)?.exec(json)?.[0] === json);
}

/** `move.campaign.pause live>paused`: the machine, the move, and the step. */
function moveKeys(): readonly Key[] {
  const entries: readonly (readonly [string, Machine])[] = Object.entries(machines);
  return entries.flatMap(([name, { begins, moves }]) =>
    Object.entries({ create: begins.map((word) => ['(new)', word] as const), ...moves }).flatMap(([move, steps]) =>
      steps.map(([from, to]) => {
        const known = documentMoves.find((one) => one.machine === name && one.from === from && one.to === to);
        const what = known === undefined ? '' : `${known.source}: ${known.where}`;
        return { key: `move.${name}.${move} ${from}>${to}`, what };
      }),
    ),
  );
}

/** A key of a move as `MovesSeen` writes it; null for any other key. */
export function stepOf(key: string): string | null {
  const [, name, step] = /^move\.(\w+)\.\S+ (\S+)$/.exec(key) ?? [];
  return name === undefined || step === undefined ? null : `${name} ${step}`;
}

/** How a message looks in the JSON of an answer, with anything in place of what varies; null for any other key. */
export function patternOf(key: string): RegExp | null {
  const [, prefix, name = ''] = /^(message|own)\.(\w+)$/.exec(key) ?? [];
  if (prefix === undefined) return null;
  const table: object = prefix === 'message' ? messages : ownMessages;
  const entry = Object.entries(table).find(([known]) => known === name);
  if (entry === undefined) throw new Error(`no text ${key}`);
  const json = JSON.stringify(textOf(entry[1])).slice(1, -1);
  return new RegExp(json.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*?'));
}

function textOf(value: unknown): string {
  if (typeof value === 'function') return String(value('…', '…'));
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, entry]) => (Array.isArray(value) ? String(entry) : `${key}: ${String(entry)}`))
    .join('; ');
}
