import { bytesText, countText, plural } from './numbers.ts';

/** Texts of what the service answered, and of campaigns that may be out of date. */
export const enResponses = {
  view: 'Responses',
  find: 'Find by correlation ID, path or status',
  none: 'No responses yet',
  noneText: 'Every response of the service is listed here exactly as received.',
  noSuch: 'No matching responses.',
  list: 'Responses',
  title: 'Original response',
  loading: 'Loading…',
  dropped: 'This response is no longer stored, or the service sent none.',
  noBody: 'The text of this response was not stored: it was too long or incomplete.',
  received: (when: string, status: number) => `Received ${when}, status ${status}`,
  length: (characters: number) => (characters === 1 ? '1 character' : `${countText(characters)} characters`),
  removed: 'Tokens, keys and signed URLs are removed before a response is stored. They are shown as [removed].',
  copy: 'Copy response',
  copied: 'Copied',
  save: 'Save response',
  lastRead: (when: string) => `Refreshed ${when}`,
  neverRead: 'Never fully refreshed',
  openRead: (when: string) => `Refreshed ${when}: show response`,
  kept: {
    title: 'Response log',
    text: 'Responses are stored without credentials. When the limit is reached, the oldest are deleted. Backups do not include them.',
    bound: 'Storage limit (MB)',
    boundHint: 'Enter 0 to store none. A lower limit deletes older responses immediately.',
    now: (answers: number, bytes: number) => `${plural(answers, 'response')}, ${bytesText(bytes)}`,
    since: (day: string) => `since ${day}`,
    lost: (answers: number) => `${plural(answers, 'response')} couldn't be saved to disk.`,
    save: 'Save limit',
    bad: (max: number) => `Enter a whole number from 0 to ${countText(max)}.`,
    saved: (mb: number) =>
      mb === 0 ? 'Responses are no longer stored.' : `Up to ${countText(mb)} MB of responses are stored.`,
  },
} as const;
