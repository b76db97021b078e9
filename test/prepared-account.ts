import { cpSync } from 'node:fs';
import { join } from 'node:path';

/** A data folder with the practice account "Shop", as `prepare.ts` makes it. What is bundled to another place is told where. */
export const PREPARED = process.env['PREPARED_ACCOUNT'] ?? join(import.meta.dirname, '..', 'out', 'test-account');

/** Makes a data folder with that account: copied in a hundredth of the time in which a new one is added. */
export const copyAccount = (dataDir: string): void => cpSync(PREPARED, dataDir, { recursive: true });
