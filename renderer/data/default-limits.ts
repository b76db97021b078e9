import '../no-eval.ts';
import { DeploymentProfile } from '../../shared/profile/profile.ts';

/** The limits of a deployment that says nothing else; the rules judge by the account's own. */
export const DEFAULT_LIMITS: DeploymentProfile = DeploymentProfile.parse({});
