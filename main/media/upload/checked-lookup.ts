import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './address-guard.ts';

/** Asks a name server for every address of a host. */
export type Resolve = (
  host: string,
  done: (problem: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

const bySystem: Resolve = (host, done) => systemLookup(host, { all: true, verbatim: true }, done);

export const PRIVATE_ADDRESS = 'ERR_PRIVATE_ADDRESS';

/**
 * A lookup for one connection: resolves the host once, refuses it when any of its addresses is not public, and
 * connects to what was checked, so that a second answer of the name server cannot swap it.
 */
export function guardedLookup(resolve: Resolve = bySystem): LookupFunction {
  return (host, options, done) => {
    resolve(host, (problem, addresses) => {
      const [first] = addresses ?? [];
      const closed = problem === null ? addresses.find(({ address }) => !isPublicAddress(address)) : undefined;
      if (problem !== null || first === undefined) {
        done(problem ?? codedError('ENOTFOUND', host), '', 0);
      } else if (closed !== undefined) {
        done(codedError(PRIVATE_ADDRESS, closed.address), '', 0);
      } else if (options.all === true) {
        done(null, [...addresses]);
      } else done(null, first.address, first.family);
    });
  };
}

const codedError = (code: string, message: string): NodeJS.ErrnoException =>
  Object.assign(new Error(message), { code });
