import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { nullIfMissing } from '../null-if-missing.ts';
import { writeWhole } from '../write-whole.ts';
import { PassphraseLock } from './secret-passphrase.ts';
import { Sealed } from './secret-seal.ts';

/**
 * `secrets/` of the data folder: `choice.json` says how secrets are kept, `<account>.json` holds one account's secret,
 * sealed. Nothing in here is readable without the passphrase or the system's key store.
 */
export const SecretsChoice = z.discriminatedUnion('grade', [
  z.strictObject({ version: z.literal(1), grade: z.literal('memory') }),
  z.strictObject({ version: z.literal(1), grade: z.literal('passphrase'), lock: PassphraseLock }),
  /** `store` is the key store's name, `slot` says where in it our key lies. */
  z.strictObject({ version: z.literal(1), grade: z.literal('keyring'), store: z.string(), slot: z.string() }),
]);
export type SecretsChoice = z.infer<typeof SecretsChoice>;

const Box = z.strictObject({ version: z.literal(1), sealed: Sealed });

export interface SecretFiles {
  /** Null when nothing was chosen yet; `damaged` when the file cannot be understood. */
  choice(): Promise<SecretsChoice | 'damaged' | null>;
  choose(choice: SecretsChoice): Promise<void>;
  box(workspaceId: string): Promise<Sealed | 'damaged' | null>;
  keep(workspaceId: string, sealed: Sealed): Promise<void>;
  forget(workspaceId: string): Promise<void>;
  accounts(): Promise<readonly string[]>;
  /** Moves everything under another name; nothing that somebody may still be able to open is ever deleted. */
  setAside(at: Date): Promise<void>;
}

const CHOICE = 'choice.json';

export function secretFiles(dataDir: string): SecretFiles {
  const folder = join(dataDir, 'secrets');
  const fileOf = (workspaceId: string): string => join(folder, `${workspaceId}.json`);
  const write = async (file: string, value: unknown): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeWhole(file, JSON.stringify(value));
  };
  return {
    choice: () => read(join(folder, CHOICE), SecretsChoice),
    choose: (choice) => write(join(folder, CHOICE), choice),
    box: async (workspaceId) => {
      const found = await read(fileOf(workspaceId), Box);
      return found === null || found === 'damaged' ? found : found.sealed;
    },
    keep: (workspaceId, sealed) => write(fileOf(workspaceId), { version: 1, sealed }),
    forget: (workspaceId) => rm(fileOf(workspaceId), { force: true }),
    accounts: async () => {
      const names = (await readdir(folder).catch(nullIfMissing)) ?? [];
      return names
        .filter((name) => name.endsWith('.json') && name !== CHOICE)
        .map((name) => name.slice(0, -'.json'.length));
    },
    setAside: async (at) => {
      if (!existsSync(folder)) return;
      await rename(folder, join(dataDir, `secrets-set-aside-${at.toISOString().replaceAll(':', '-')}`));
    },
  };
}

async function read<T extends z.ZodType>(file: string, shape: T): Promise<z.infer<T> | 'damaged' | null> {
  const text = await readFile(file, 'utf8').catch(nullIfMissing);
  if (text === null) return null;
  try {
    return shape.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return 'damaged';
    throw error;
  }
}
