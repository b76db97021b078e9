import { shown } from '../../shared/model/cell-text.ts';

/** What is said about amounts and days that are typed, and about how they are written. */
export const enAmounts = {
  notANumber: (text: string, example: string) => `"${shown(text)}" is not a number. Type digits, such as ${example}.`,
  unclear: (text: string, example: string) =>
    `"${shown(text)}" could be read in two ways. Type it with nothing but a decimal mark, such as ${example}.`,
  twoAmounts: (text: string, whole: string, part: string) =>
    `"${shown(text)}" could be ${whole} or ${part}. Type the one you mean.`,
  twoDays: (text: string, dayFirst: string, monthFirst: string) =>
    `"${shown(text)}" could be ${dayFirst} or ${monthFirst}. Type the one you mean.`,
  listOrAmount: (text: string, amount: string, list: string) =>
    `"${shown(text)}" could be one amount or a list. Type ${shown(amount)} for the amount, and a list as in ${list}.`,
  dayHint: 'YYYY-MM-DD',
  calendar: 'Choose from the calendar',
  openEnd: 'open',
  use: 'Use this',
  title: 'Numbers and dates',
  label: 'Write numbers and dates as in',
  asSystem: (name: string) => `The language of this system (${name})`,
  text: 'Amounts are typed the same way. Words stay English, and files keep 1234.56 and 2030-05-04, so that they mean the same to everybody.',
  preview: 'That looks like this',
  samples: { amount: 'An amount', count: 'A count', day: 'A day', time: 'A time', typed: 'As you type it' },
} as const;
