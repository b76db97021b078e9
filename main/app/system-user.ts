import { userInfo } from 'node:os';

/**
 * The name under which whoever sits here is known to the machine: what the log and comments say of who did something.
 * Empty where the machine knows no name, as in some containers.
 */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}
