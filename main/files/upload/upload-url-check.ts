import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { ClientRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { domainToUnicode } from 'node:url';
import { z } from 'zod';
import { UploadHost } from '../../../shared/api/accounts.ts';
import { jsonOrNull } from '../../../shared/json-or-null.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { createSerialQueues } from '../../../shared/serial-queue.ts';
import { isLoopbackName } from '../../api/connection.ts';
import type { Clock } from '../../app/clock.ts';
import type { Workspace } from '../../store/workspace.ts';

// An import would evaluate all exports of the module, which loads the client of `fetch` before it is needed.
const { request: httpRequest } = process.getBuiltinModule('node:http');

/** Part of an upload URL's lifetime that is not used, for clocks that differ. */
const RESERVE_MS = 60_000;

/** Whether an upload address that arrived at some moment may still be used. */
export type UploadUrlExpiry = ReturnType<typeof createUploadUrlExpiry>;

/**
 * The lifetime of a URL: `urlMinutes` from its arrival. Both clocks are read: the wall clock may jump, and the
 * monotonic one may stop while a computer sleeps. If the wall clock went back, the URL counts as expired.
 *
 * @see document, "Limits": upload and caption URL lifetime
 */
export function createUploadUrlExpiry(clock: Clock, urlMinutes: number) {
  const usableMs = urlMinutes * 60_000 - RESERVE_MS;
  const wall = clock.nowMs();
  const monotonic = clock.monotonicMs();
  return {
    expiresAtMs: wall + urlMinutes * 60_000,
    isOpen: (): boolean => {
      const passed = clock.nowMs() - wall;
      return passed >= 0 && passed < usableMs && clock.monotonicMs() - monotonic < usableMs;
    },
  };
}

/** Resolves a host to all of its addresses. */
export type Resolve = (
  host: string,
  done: (problem: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

const bySystem: Resolve = (host, done) => systemLookup(host, { all: true, verbatim: true }, done);

export const PRIVATE_ADDRESS = 'ERR_PRIVATE_ADDRESS';

/**
 * A lookup for one connection: resolves the host once, refuses it when any of its addresses is not public, and
 * connects to the checked address, so that a second DNS response can't replace it.
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

/**
 * Decides whether bytes may be sent to a URL from the service. Such URLs are untrusted: a hostile response could point
 * into the user's own network (wire shapes, section 7).
 */
export interface UploadUrlRule {
  /** Hosts that may receive uploads, and with them their subdomains. */
  readonly hosts: readonly string[];
  /** Hosts the user has allowed, each alone, and those the user has refused; folded. */
  readonly allowed?: readonly string[];
  readonly refused?: readonly string[];
  /** The port of the service's own base URL when it is plain http on this computer (a sandbox); else null. */
  readonly loopbackPort: string | null;
}

export type AddressProblem =
  | { readonly kind: 'not-an-address' }
  | { readonly kind: 'has-credentials'; readonly host: string }
  | { readonly kind: 'not-https'; readonly host: string }
  | { readonly kind: 'port'; readonly host: string; readonly port: string }
  /** The user has not decided yet whether files may be sent there. `host` is folded. */
  | { readonly kind: 'unknown-host'; readonly host: string }
  | { readonly kind: 'refused-host'; readonly host: string }
  | { readonly kind: 'private-address'; readonly host: string; readonly address: string }
  /** The server there can't prove to be that host. `code` is the reason of the TLS library. */
  | { readonly kind: 'certificate'; readonly host: string; readonly code: string };

export interface CheckedAddress {
  readonly url: URL;
  /** True for a sandbox on this machine: its address needs no further check. */
  readonly isOwnMachine: boolean;
}

/**
 * The rule of a connection: the hosts of its settings and its own host, and its own port where the service itself is a
 * sandbox on this computer.
 */
export function addressRule(baseUrl: string, hosts: readonly string[]): UploadUrlRule {
  const { hostname, port, protocol } = new URL(baseUrl);
  const isSandbox = protocol === 'http:' && isLoopbackName(hostname);
  return { hosts: [...hosts, hostname], loopbackPort: isSandbox ? port : null };
}

/** Checks the parsed URL, never its text: `https://0x7f000001/` and `https://127.1/` are both 127.0.0.1. */
export function checkUploadUrl(text: string, rule: UploadUrlRule): Result<CheckedAddress, AddressProblem> {
  if (text.length > 8192 || !URL.canParse(text)) return err({ kind: 'not-an-address' });
  const url = new URL(text);
  const host = url.hostname;
  if (url.username !== '' || url.password !== '') return err({ kind: 'has-credentials', host });
  if (url.protocol === 'http:' && isLoopbackName(host) && rule.loopbackPort === url.port) {
    return ok({ url, isOwnMachine: true });
  }
  if (url.protocol !== 'https:') return err({ kind: 'not-https', host });
  if (url.port !== '') return err({ kind: 'port', host, port: url.port });
  const literal = literalAddress(host);
  if (literal !== null && !isPublicAddress(literal)) return err({ kind: 'private-address', host, address: literal });
  const folded = foldHost(host);
  const isKnown = rule.hosts.some((known) => isWithin(folded, foldHost(known)));
  if (isKnown || rule.allowed?.includes(folded) === true) return ok({ url, isOwnMachine: false });
  return err({ kind: rule.refused?.includes(folded) === true ? 'refused-host' : 'unknown-host', host: folded });
}

/**
 * Hosts outside the deployment's list, and the user's decisions:
 *
 *   (unknown) --an upload needs it--> asked --allow--> allowed --reset--> (unknown)
 *                                        \---refuse--> refused --reset--> (unknown)
 *
 * A decision is stored in the workspace, so it applies to this account only. An allowed host gets what every storage
 * gets: the bytes of the file, never a credential; and its name is resolved and checked like any other.
 */
export type UploadHosts = ReturnType<typeof createUploadHosts>;

const KEY = 'upload-hosts';
const Kept = z.array(UploadHost.omit({ shown: true }));
type Kept = z.infer<typeof Kept>;
/** A hostile service names a new host every time; further ones are refused without a question. */
const HOSTS_MAX = 20;
const FILES_NAMED = 20;

export function createUploadHosts(workspace: Pick<Workspace, 'getMeta' | 'setMeta'>, nowMs: () => number) {
  const inTurn = turnsOf(workspace);
  const read = async (): Promise<Kept> => {
    const kept = Kept.safeParse(jsonOrNull((await workspace.getMeta(KEY)) ?? '[]'));
    return kept.success ? kept.data : [];
  };
  /** Changes run one at a time: two videos may ask at once. */
  const change = (work: (hosts: Kept) => Kept | null): Promise<readonly UploadHost[] | null> =>
    inTurn(async () => {
      const changed = work(await read());
      if (changed === null) return null;
      await workspace.setMeta(KEY, JSON.stringify(changed));
      return changed.map(view);
    });
  return {
    list: async () => (await read()).map(view),
    /** Records that a file needs a host without a decision. A further file is added to the same entry. */
    ask: async (host: string, file: { readonly name: string; readonly bytes: number }) => {
      await change((hosts) => {
        const known = hosts.find((one) => one.host === host);
        if (known === undefined) {
          if (hosts.length >= HOSTS_MAX) return null;
          return [...hosts, { host, state: 'asked', askedAt: nowMs(), answeredAt: null, files: [file] }];
        }
        const isThere = known.files.some(({ name }) => name === file.name);
        if (known.state !== 'asked' || isThere || known.files.length >= FILES_NAMED) return null;
        return hosts.map((one) => (one === known ? { ...one, files: [...one.files, file] } : one));
      });
    },
    /** @returns null for a host that no file needs */
    answer: (host: string, allow: boolean): Promise<readonly UploadHost[] | null> =>
      change((hosts) => {
        if (!hosts.some((one) => one.host === host)) return null;
        const state = allow ? ('allowed' as const) : ('refused' as const);
        return hosts.map((one) => (one.host === host ? { ...one, state, answeredAt: nowMs() } : one));
      }),
    forget: (host: string): Promise<readonly UploadHost[] | null> =>
      change((hosts) => {
        const left = hosts.filter((one) => one.host !== host);
        return left.length === hosts.length ? null : left;
      }),
  };
}

/** One queue per workspace for all callers: a run and a window may change the list at the same time. */
const turnsOf = createSerialQueues();

/** An international name is shown in both forms, so that look-alikes are visible. */
const view = (kept: Kept[number]): UploadHost => ({ ...kept, shown: domainToUnicode(kept.host) || kept.host });

/** Whether an IP address is one of the public internet: not private, loopback, link-local, shared, reserved or translated. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !CLOSED_4.check(address, 'ipv4');
  return family === 6 && !CLOSED_6.check(address, 'ipv6');
}

export function uploadUrlErrorText(problem: AddressProblem): string {
  const next =
    'Nothing was sent. Ask your contact at the retailer which hosts receive uploads, then add them in Deployment settings.';
  switch (problem.kind) {
    case 'not-an-address':
      return `The upload link from the service is not a web address. ${next}`;
    case 'has-credentials':
      return `The upload link on ${problem.host} contains a user name, which is not allowed. ${next}`;
    case 'not-https':
      return `The upload link on ${problem.host} does not use https. ${next}`;
    case 'port':
      return `The upload link on ${problem.host} uses port ${problem.port}, but only 443 is allowed. ${next}`;
    case 'unknown-host':
      return `The service requested an upload to ${problem.host}, which is not in the list of upload hosts. ${next}`;
    case 'refused-host':
      return `The service requested an upload to ${problem.host}, which you blocked. Nothing was sent. To decide again, reset the host in the Sync tab.`;
    case 'private-address':
      return `The upload link on ${problem.host} leads to ${problem.address} in a private network. ${next}`;
    case 'certificate':
      return `The certificate of ${problem.host} is not valid (${problem.code}). Nothing was sent. Contact the retailer or your network administrator.`;
  }
}

const literalAddress = (host: string): string | null => {
  const bare = host.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : bare;
};

const foldHost = (host: string): string => host.toLowerCase().replace(/\.$/, '');
/** Same host or below it, at the border of a label: `evil-storage.example` is not within `storage.example`. */
const isWithin = (host: string, known: string): boolean =>
  known !== '' && (host === known || host.endsWith(`.${known}`));

function blockList(family: 'ipv4' | 'ipv6', networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
}

// Two lists: a list that closes ::ffff:0:0/96 would close every IPv4 address with it.
const CLOSED_4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);

const CLOSED_6 = blockList('ipv6', [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]);

/**
 * Opens a request to a checked URL: on a new connection, without following redirects, and never into a private network
 * that the name may resolve to by now.
 */
export function guardedRequest(
  { url, isOwnMachine }: CheckedAddress,
  options: RequestOptions,
  resolve?: Resolve,
): ClientRequest {
  const all = { agent: false, ...options, ...(isOwnMachine ? {} : { lookup: guardedLookup(resolve) }) } as const;
  return url.protocol === 'https:' ? httpsRequest(url, all) : httpRequest(url, all);
}
