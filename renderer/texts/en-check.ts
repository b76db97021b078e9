import { countText, plural } from './numbers.ts';

/** Texts of the check of everything, and of rules that were silenced. */
export const enCheck = {
  label: 'What was checked, and when',
  stages: { row: 'Each row', across: 'Rows together', service: 'Against the service' },
  rules: (n: number) => plural(n, 'rule'),
  never: 'not read yet',
  asOf: (time: string) => `as of ${time}`,
  run: 'Check now',
  runText: 'Checks what is still to be checked, and reads from the service what the last stage needs.',
  done: (errors: number, warnings: number) => `Checked: ${plural(errors, 'error')}, ${plural(warnings, 'warning')}.`,
  partly: (errors: number, warnings: number) =>
    `Checked without the service: ${plural(errors, 'error')}, ${plural(warnings, 'warning')}. The last stage is as old as the last refresh.`,
  byRule: 'By kind',
  byRuleText: 'Puts together what is of one kind, with a count and one button that mends it all.',
  fixKind: (n: number) => (n === 1 ? 'Fix it' : `Fix all ${countText(n)}`),
  fixKindText: (fixable: number, found: number) =>
    fixable === found
      ? 'Mends all that is found of this kind, as one step of the history.'
      : `Mends ${countText(fixable)} of ${countText(found)}; the rest has more than one way out.`,
  mute: 'Mute',
  muteRule: (text: string) => `Mute this kind in this account: ${text}`,
  muted: (n: number) => `${plural(n, 'kind')} muted`,
  unmute: (rule: string) => `Let it speak again: ${rule}`,
  mutedTold: 'Muted for this account. Findings of this kind are not told any more.',
} as const;
