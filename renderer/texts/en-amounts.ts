import { shown } from '../../shared/model/cell-text.ts';

/** What is said about amounts and days that are typed, and about how they are written. */
export const enAmounts = {
  notANumber: (text: string, example: string) => `"${shown(text)}" is not a number. Enter digits, such as ${example}.`,
  unclear: (text: string, example: string) =>
    `"${shown(text)}" can mean two amounts. Enter it with a decimal separator only, such as ${example}.`,
  twoAmounts: (text: string, whole: string, part: string) =>
    `"${shown(text)}" can mean ${whole} or ${part}. Enter the one you want.`,
  twoDays: (text: string, dayFirst: string, monthFirst: string) =>
    `"${shown(text)}" can mean ${dayFirst} or ${monthFirst}. Enter the one you want.`,
  listOrAmount: (text: string, amount: string, list: string) =>
    `"${shown(text)}" can be one amount or a list. Enter ${shown(amount)} for the amount, or a list such as ${list}.`,
  dayHint: 'YYYY-MM-DD',
  calendar: 'Choose from the calendar',
  openEnd: 'No end date',
  use: 'Apply',
  title: 'Numbers and dates',
  label: 'Number and date format',
  asSystem: (name: string) => `System language (${name})`,
  text: 'Applies to what you see and type. Words stay in English, and files always use 1234.56 and 2030-05-04.',
  preview: 'Preview',
  samples: { amount: 'Amount', count: 'Count', day: 'Date', time: 'Time', typed: 'While typing' },
} as const;
