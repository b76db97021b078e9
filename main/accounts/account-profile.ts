import { DeploymentProfile } from '../../shared/profile/profile.ts';
import { type ProfileProblem, parseProfile } from '../../shared/profile/profile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { AccountRecord } from './account-record.ts';

/**
 * The deployment profile of an account: what its text sets, and the default for the rest. The retail host
 * belongs to the connection, which was proven with it, so it is the account's whatever the text says.
 */
export function profileOf(record: Pick<AccountRecord, 'profile' | 'retailHost'>): DeploymentProfile {
  const parsed = parseProfile(record.profile ?? '');
  // The text was judged when it was stored, and again when the list of accounts was read.
  if (!parsed.ok) throw new Error(`the profile of the account cannot be read: ${parsed.error[0]?.problem}`);
  return DeploymentProfile.parse({
    ...parsed.value,
    retail: { host: record.retailHost },
  });
}

export interface BadProfile {
  readonly kind: 'bad-profile';
  readonly problems: readonly ProfileProblem[];
}

/** Whether a text can be an account's profile; blank text means the default. */
export function judgeProfile(text: string): Result<null, BadProfile> {
  const parsed = parseProfile(text);
  return parsed.ok ? ok(null) : err({ kind: 'bad-profile', problems: parsed.error });
}
