import type { UserRule } from '../../shared/api/rules.ts';
import { issueTextBy, ruleShortName } from '../../shared/rules/messages.ts';
import type { Issue } from '../../shared/rules/rule.ts';
import { locale } from './locale/current.ts';

/** The sentence of an issue, with its amounts, their currency and days in the locale of the window. */
export const issueText = (issue: Pick<Issue, 'rule' | 'params'>): string => issueTextBy(locale(), issue);

/** The name of a rule. A custom rule has the name the user gave it; a deleted one is shown by its ID. */
export const ruleName = (rule: string, own: readonly Pick<UserRule, 'id' | 'name'>[]): string =>
  ruleShortName(rule) ?? own.find(({ id }) => rule === `user.${id}`)?.name ?? rule;

/** The rule of a video whose remedy is in Adslate: its editor trims it. */
export const LONG_VIDEO_RULE = 'video.too-long';
export const longVideoTexts = { trim: 'Trim video' } as const;
