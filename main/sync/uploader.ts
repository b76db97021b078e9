import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { domainToUnicode } from 'node:url';
import { z } from 'zod';
import { UploadHost } from '../../shared/api/accounts.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import type { Row } from '../../shared/model/row.ts';
import { err, ok } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import { createSerialQueue, type SerialQueue } from '../../shared/serial-queue.ts';
import { contentTypeOf } from '../files/media/library.ts';
import { type UploadNetwork, uploadFile } from '../files/upload/upload-file.ts';
import { checkUploadUrl, type UploadUrlRule } from '../files/upload/upload-url-check.ts';
import type { Workspace } from '../store/store.ts';
import type { Uploader } from './ports.ts';

/** Progress is told when this much more has left, or at the end. */
const PROGRESS_STEP = 50;

/** When an upload in progress is broken off. */
interface UploadEnds {
  readonly cut: AbortSignal;
  /** Asked with every chunk: whether nothing may be sent any more. */
  readonly isLate: () => boolean;
}

/** Uploads from the files of the media library. */
export function createFileUploader(
  rule: UploadUrlRule,
  hosts: UploadHosts,
  mediaFile: (row: Row<'media'>) => string | Promise<string>,
  ends: UploadEnds,
  network: UploadNetwork = {},
): Uploader {
  return {
    bytes: async (row) => {
      try {
        const bytes = new Uint8Array(await readFile(await mediaFile(row)));
        const isSame = createHash('sha256').update(bytes).digest('hex') === row.values.sha256?.toLowerCase();
        return isSame ? ok(bytes) : err('changed since it was added');
      } catch (thrown) {
        return err(thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unreadable');
      }
    },
    put: async (address, row, onSent) => {
      const bytes = row.values.bytes ?? 0;
      const known = await hosts.list();
      const inState = (state: string) => known.filter((one) => one.state === state).map(({ host }) => host);
      const target = checkUploadUrl(address, { ...rule, allowed: inState('allowed'), refused: inState('refused') });
      if (!target.ok) {
        const { kind, host } = { host: '', ...target.error };
        if (kind === 'unknown-host') await hosts.ask(host, { name: rowLabel(row), bytes });
        return err({ kind: 'address', problem: target.error });
      }
      const file = {
        path: await mediaFile(row),
        contentType: contentTypeOf(row),
        bytes,
        sha256: row.values.sha256 ?? '',
      };
      const late = new AbortController();
      const step = inSteps(bytes, onSent);
      const noteSent = (sent: number): void => (ends.isLate() ? late.abort() : step(sent));
      const put = await uploadFile(target.value, file, noteSent, AbortSignal.any([ends.cut, late.signal]), network);
      if (put.ok) return ok(null);
      const { error } = put;
      // Another pair of addresses would lead to the same host, so it is the address that is wrong.
      const host = target.value.url.hostname;
      if (error.kind !== 'certificate') return err({ kind: 'put', problem: error, host });
      return err({ kind: 'address', problem: { ...error, host } });
    },
  };
}

/** Tells progress some fifty times a file instead of once a chunk. */
function inSteps(total: number, onSent: (bytes: number) => void): (bytes: number) => void {
  let told = 0;
  return (bytes) => {
    if (bytes - told < total / PROGRESS_STEP && bytes !== total) return;
    told = bytes;
    onSent(bytes);
  };
}

/**
 * Hosts that the deployment's list does not have, and what the user said of them:
 *
 *   (unknown) --an upload wants to go there--> asked --allow--> allowed --take back--> (unknown)
 *                                                \---refuse--> refused --take back--> (unknown)
 *
 * An answer is kept in the workspace, so it is this account's alone. What an allowed host gets is what every storage gets:
 * the bytes of the file, never a credential; and its address is resolved and checked like any other.
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
  /** One change after the other: two videos may ask at once. */
  const change = (work: (hosts: Kept) => Kept | null): Promise<readonly UploadHost[] | null> =>
    inTurn(async () => {
      const changed = work(await read());
      if (changed === null) return null;
      await workspace.setMeta(KEY, JSON.stringify(changed));
      return changed.map(view);
    });
  return {
    list: async () => (await read()).map(view),
    /** Notes that a file wants to go to a host nobody has been asked about. Asking again adds the file. */
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
    /** @returns null when nobody asked for that host */
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

/** One line for a workspace, for all callers: a run and a window may change the list at the same moment. */
const turns = new WeakMap<object, SerialQueue>();
function turnsOf(workspace: object): SerialQueue {
  const known = turns.get(workspace) ?? createSerialQueue();
  turns.set(workspace, known);
  return known;
}

/** An international name is shown in both forms, so that a look-alike gives itself away. */
const view = (kept: Kept[number]): UploadHost => ({ ...kept, shown: domainToUnicode(kept.host) || kept.host });
