import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfNotFound } from './atomic-write.ts';

/** What a build brings along about itself; from sources there is neither. */
export interface AboutDocuments {
  /** Packages of others with their licences. */
  readonly licences: string | null;
  /** What the long runs came to, as Markdown. */
  readonly reliability: string | null;
}

/** The build writes them beside its own folder (`scripts/about-texts.mjs`). */
const FOLDER = join(import.meta.dirname, '..', 'about');

export async function loadAboutDocuments(folder = FOLDER): Promise<AboutDocuments> {
  const read = (name: string): Promise<string | null> => readFile(join(folder, name), 'utf8').catch(nullIfNotFound);
  const [licences, reliability] = await Promise.all([read('licences.txt'), read('reliability.md')]);
  return { licences, reliability };
}
