import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Context } from './command.ts';
import { EXIT, Stop, usageStop } from './stop.ts';

/** Writes beside the place and moves the file there when it is whole. An existing file is only replaced when that was said. */
export async function writeTo<T>(context: Context, path: string, write: (target: string) => Promise<T>): Promise<T> {
  if (!context.flag('force') && existsSync(path)) {
    throw usageStop(`${path} is there already. Choose another name, or add --force.`);
  }
  const target = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    const done = await write(target);
    if (existsSync(target)) await rename(target, path);
    return done;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw cannotWrite(path, String(error.code));
  } finally {
    await rm(target, { force: true });
  }
}

export const cannotWrite = (path: string, why: string): Stop =>
  new Stop(EXIT.refused, 'BAD_FILE', `${path} cannot be written (${why}). Choose another place.`);
