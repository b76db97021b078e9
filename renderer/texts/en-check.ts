import { countText, plural } from './numbers.ts';

/** Texts of the check of everything, and of rules that were silenced. */
export const enCheck = {
  label: 'Last checks',
  stages: { row: 'Single rows', across: 'Across rows', service: 'Against the service' },
  rules: (n: number) => plural(n, 'rule'),
  never: 'not checked yet',
  asOf: (time: string) => `as of ${time}`,
  run: 'Check now',
  runText: 'Runs all remaining checks and reads what they need from the service.',
  done: (errors: number, warnings: number) => `Checked: ${plural(errors, 'error')}, ${plural(warnings, 'warning')}.`,
  partly: (errors: number, warnings: number) =>
    `Checked without the service: ${plural(errors, 'error')}, ${plural(warnings, 'warning')}. Service checks use data from the last refresh.`,
  byRule: 'Group by rule',
  byRuleText: 'Groups issues by rule, with a count and one button to fix them all.',
  fixKind: (n: number) => (n === 1 ? 'Fix issue' : `Fix all ${countText(n)}`),
  fixKindText: (fixable: number, found: number) =>
    fixable === found
      ? `Fixes ${found === 1 ? 'the issue' : `all ${countText(found)} issues`} in one step.`
      : `Fixes ${countText(fixable)} of ${countText(found)} issues. ${found - fixable === 1 ? 'The other one needs' : 'The others need'} your decision.`,
  mute: 'Mute',
  muteRule: (text: string) => `Mute this rule in this account: ${text}`,
  muted: (n: number) => `${plural(n, 'rule')} muted`,
  unmute: (rule: string) => `Unmute: ${rule}`,
  mutedTold: 'Rule muted for this account. Its issues are hidden.',
} as const;
