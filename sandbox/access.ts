import { messages, Refusal } from './messages.ts';

/**
 * Permissions by role ("Errors", the 403 and 422 texts). An owner reads and writes its advertiser, a reader reads it,
 * the adOps role sees no campaigns, a stranger sees nothing. The text depends on the family of calls.
 */
export type Role = 'owner' | 'reader' | 'adOps' | 'stranger';
export const roles: readonly Role[] = ['owner', 'reader', 'adOps', 'stranger'];

export interface Principal {
  readonly consumerId: string;
  readonly advertiserId: number;
  readonly role: Role;
}

export type Family = 'sba' | 'items' | 'multiplier-list' | 'multiplier-create' | 'multiplier-update' | 'other';

export function requireRead(principal: Principal, advertiserId: number, family: Family): void {
  const status = family === 'multiplier-create' ? 422 : 403;
  if (principal.role === 'adOps') throw new Refusal(status, messages.adOpsNoCampaigns);
  if (principal.role !== 'stranger' && principal.advertiserId === advertiserId) return;
  if (family === 'items') throw new Refusal(status, messages.noAdGroupEdit);
  throw new Refusal(status, family.startsWith('multiplier') ? messages.noCampaignView : messages.noAdvertiserAccess);
}

export function requireWrite(principal: Principal, advertiserId: number, family: Family): void {
  requireRead(principal, advertiserId, family);
  if (principal.role === 'owner') return;
  if (family === 'items') throw new Refusal(403, messages.noAdGroupEdit);
  if (family === 'multiplier-create') throw new Refusal(422, messages.noMultiplierChange);
  if (family === 'multiplier-update') throw new Refusal(403, messages.noMultiplierChange);
  throw new Refusal(403, messages.noAdvertiserAccess);
}
