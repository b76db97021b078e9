import type { Kind } from '../../../shared/model/kinds.ts';
import { SBA_TEXT } from '../../../shared/profile/document-limits.ts';

/** Longest text of a field in code points, for counters (document, "Limits"); null where none is shown. */
export function lengthLimit(kind: Kind, field: string): number | null {
  if (kind !== 'sbaProfile') return null;
  if (field === 'brand') return SBA_TEXT.brandMax;
  return field === 'headline' ? SBA_TEXT.headlineMax : null;
}
