import type { Severity } from '../../../shared/rules/finding.ts';
import { en } from '../../messages/en.ts';

/** What stands for a severity beside its colour, and what several findings of it are called; gravest first. */
export const SEVERITY_SIGNS: readonly { readonly severity: Severity; readonly sign: string; readonly name: string }[] =
  [
    { severity: 'error', sign: '!', name: en.drawer.errors },
    { severity: 'warning', sign: '▲', name: en.drawer.warnings },
    { severity: 'advice', sign: 'i', name: en.drawer.advice },
  ];
