import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import type { Context } from './command.ts';
import { EXIT, Stop, usageStop } from './stop.ts';

/** Writes beside the place and moves the file there when it is whole. An existing file is only replaced when that was said. */
export async function writeTo<T>(context: Context, path: string, write: (target: string) => Promise<T>): Promise<T> {
  if (!context.flag('force') && existsSync(path)) {
    throw thereAlready(path);
  }
  const target = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    const done = await write(target);
    if (existsSync(target)) await (context.flag('force') ? rename(target, path) : putBeside(target, path));
    return done;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'EEXIST') throw thereAlready(path);
    throw cannotWrite(path, String(error.code));
  } finally {
    await rm(target, { force: true });
  }
}

/** A link is refused where a file has come to be in the meantime, such as that of a second export; a rename would replace it. */
async function putBeside(target: string, path: string): Promise<void> {
  try {
    await link(target, path);
  } catch (error) {
    // Some file systems know no links.
    if (!(error instanceof Error && 'code' in error) || error.code === 'EEXIST') throw error;
    if (existsSync(path)) throw thereAlready(path);
    await rename(target, path);
  }
}

const thereAlready = (path: string): Stop =>
  usageStop(`${path} is there already. Choose another name, or add --force.`);

export const cannotWrite = (path: string, why: string): Stop =>
  new Stop(EXIT.refused, 'BAD_FILE', `${path} cannot be written (${why}). Choose another place.`);
