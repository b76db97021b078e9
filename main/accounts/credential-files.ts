import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { fsyncDirectory } from '../flush-folder.ts';
import { makeFolders } from '../make-folders.ts';
import { nullIfNotFound } from '../null-if-missing.ts';
import { writeFileAtomic } from '../write-whole.ts';
import { Encrypted, PassphraseKey } from './encryption.ts';

/**
 * `secrets/` of the data folder: `choice.json` says how secrets are kept, `<account>.json` holds one account's secret,
 * sealed. Nothing in here is readable without the passphrase or the system's key store.
 *
 * Another way to keep them replaces the folder as a whole, so that a crash or a full disk leaves one of the two:
 *
 *   secrets --new one whole in `.next`--> old one to `.before` --> new one in its place --> old one removed
 *                                           \--crash here: the next start puts it back
 */
export const StorageChoice = z.discriminatedUnion('grade', [
  z.strictObject({ version: z.literal(1), grade: z.literal('memory') }),
  z.strictObject({ version: z.literal(1), grade: z.literal('passphrase'), lock: PassphraseKey }),
  /** `store` is the key store's name, `slot` says where in it our key lies. */
  z.strictObject({ version: z.literal(1), grade: z.literal('keyring'), store: z.string(), slot: z.string() }),
]);
export type StorageChoice = z.infer<typeof StorageChoice>;

const Box = z.strictObject({ version: z.literal(1), sealed: Encrypted });

export interface CredentialFiles {
  /** Null when nothing was chosen yet; `damaged` when the file cannot be understood. */
  choice(): Promise<StorageChoice | 'damaged' | null>;
  choose(choice: StorageChoice): Promise<void>;
  /** Puts a choice with all the boxes that belong to it in the place of whatever is there. */
  replace(choice: StorageChoice, boxes: ReadonlyMap<string, Encrypted>): Promise<void>;
  box(workspaceId: string): Promise<Encrypted | 'damaged' | null>;
  keep(workspaceId: string, sealed: Encrypted): Promise<void>;
  forget(workspaceId: string): Promise<void>;
  accounts(): Promise<readonly string[]>;
  /** Moves everything under another name; nothing that somebody may still be able to open is ever deleted. */
  setAside(at: Date): Promise<void>;
}

const CHOICE = 'choice.json';

export function credentialFiles(dataDir: string): CredentialFiles {
  const folder = join(dataDir, 'secrets');
  const [next, before] = [`${folder}.next`, `${folder}.before`];
  const nameOf = (workspaceId: string): string => `${workspaceId}.json`;
  const fileOf = (workspaceId: string): string => join(folder, nameOf(workspaceId));
  const write = async (place: string, name: string, value: unknown): Promise<void> => {
    await makeFolders(place);
    await writeFileAtomic(join(place, name), JSON.stringify(value));
  };
  /** Ends a replacement that a crash has broken off. */
  const settle = async (): Promise<void> => {
    if (!existsSync(before)) return;
    if (existsSync(folder)) await rm(before, { recursive: true, force: true });
    else await rename(before, folder);
  };
  return {
    choice: async () => {
      await settle();
      return read(join(folder, CHOICE), StorageChoice);
    },
    choose: (choice) => write(folder, CHOICE, choice),
    replace: async (choice, boxes) => {
      await rm(next, { recursive: true, force: true });
      await write(next, CHOICE, choice);
      for (const [workspaceId, sealed] of boxes) await write(next, nameOf(workspaceId), { version: 1, sealed });
      if (existsSync(folder)) await rename(folder, before);
      await rename(next, folder);
      await fsyncDirectory(dataDir);
      await rm(before, { recursive: true, force: true });
    },
    box: async (workspaceId) => {
      const found = await read(fileOf(workspaceId), Box);
      return found === null || found === 'damaged' ? found : found.sealed;
    },
    keep: (workspaceId, sealed) => write(folder, nameOf(workspaceId), { version: 1, sealed }),
    forget: async (workspaceId) => {
      await settle();
      await rm(fileOf(workspaceId), { force: true });
    },
    accounts: async () => {
      const names = (await readdir(folder).catch(nullIfNotFound)) ?? [];
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
  const text = await readFile(file, 'utf8').catch(nullIfNotFound);
  if (text === null) return null;
  try {
    return shape.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return 'damaged';
    throw error;
  }
}
