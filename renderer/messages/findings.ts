import type { Finding } from '../../shared/rules/finding.ts';
import { findingTextBy } from '../../shared/rules/messages.ts';
import { locale } from '../locale/current.ts';

/** The sentence of a finding, with its amounts and days in the locale of the window. */
export const findingText = (finding: Pick<Finding, 'rule' | 'params'>): string => findingTextBy(locale(), finding);
