import { bytesText, countText, plural } from './numbers.ts';

/** Texts of what the service answered, and of campaigns that may be out of date. */
export const enResponses = {
  view: 'What was answered',
  find: 'Find by correlation id, path or status',
  none: 'Nothing answered yet',
  noneText: 'Every answer of the service is kept here as it was received, to reads and to what was sent.',
  noSuch: 'No answer has these words.',
  list: 'Answers',
  title: 'Answer as received',
  loading: 'Looking…',
  dropped: 'The answer is not kept any more, or none came.',
  noBody: 'Its text was not read: it was too long, or ended early.',
  received: (when: string, status: number) => `Received ${when}, status ${status}`,
  length: (characters: number) => (characters === 1 ? '1 character' : `${countText(characters)} characters`),
  removed:
    'Tokens, keys and signed addresses are taken out before an answer is kept; [removed] stands where they were.',
  copy: 'Copy the answer',
  copied: 'Copied',
  save: 'Save the answer',
  lastRead: (when: string) => `Read ${when}`,
  neverRead: 'Not read whole yet',
  openRead: (when: string) => `Read ${when}: show the answer`,
  kept: {
    title: 'Answers of the service',
    text: 'Kept as they were received, without secrets, for as long as there is room; the oldest go first. They are in no backup.',
    bound: 'Keep at most (megabytes)',
    boundHint: '0 keeps none. What is over it is dropped at once.',
    now: (answers: number, bytes: number) => `${plural(answers, 'answer')}, ${bytesText(bytes)}`,
    since: (day: string) => `since ${day}`,
    lost: (answers: number) => `${plural(answers, 'answer')} could not be written to the disk.`,
    save: 'Keep this much',
    bad: (max: number) => `A whole number from 0 to ${countText(max)}`,
    saved: (mb: number) =>
      mb === 0 ? 'No answers are kept from now on.' : `Up to ${countText(mb)} MB of answers are kept.`,
  },
} as const;
