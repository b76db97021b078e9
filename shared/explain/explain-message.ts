import { ACCESS_MESSAGES } from './access-messages.ts';
import type { ErrorHelp } from './explanation.ts';
import { ITEM_MESSAGES } from './item-messages.ts';
import { LOGO_MESSAGES } from './logo-messages.ts';
import { MULTIPLIER_MESSAGES } from './multiplier-messages.ts';
import { PROFILE_MESSAGES } from './profile-messages.ts';

export const EXPLANATIONS: readonly ErrorHelp[] = [
  ...ITEM_MESSAGES,
  ...PROFILE_MESSAGES,
  ...LOGO_MESSAGES,
  ...MULTIPLIER_MESSAGES,
  ...ACCESS_MESSAGES,
];

/** An explanation with the values of the message filled in. */
export type FilledErrorHelp = Omit<ErrorHelp, 'says'>;

/**
 * What a message of the service means (document, "Errors").
 *
 * @returns null for a message that is not known: it has to be shown as it came
 */
export function findErrorHelp(message: string): FilledErrorHelp | null {
  const text = message.trim().replace(/\s+/g, ' ');
  for (const { words, explanation } of PATTERNS) {
    const found = words.exec(text);
    if (found === null) continue;
    const { id, cause, next, field, place } = explanation;
    return { id, cause: filled(cause, found.groups), next: filled(next, found.groups), field, place };
  }
  return null;
}

const PATTERNS = EXPLANATIONS.flatMap((explanation) =>
  explanation.says.map((says) => ({ words: patternOf(says), explanation })),
);

/** The message as a whole, or after the heading that some error bodies put before it. */
function patternOf(says: string): RegExp {
  const words = says
    .replace(/\.$/, '')
    .split(/(<\w+>)/)
    .map((part) => (/^<\w+>$/.test(part) ? `(?${part}.*?)` : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')));
  return new RegExp(`(?:^|: )${words.join('')}\\.?$`, 'iu');
}

const filled = (text: string, values: Readonly<Record<string, string>> | undefined): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values?.[name] ?? '');
