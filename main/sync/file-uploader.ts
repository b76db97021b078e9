import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Row } from '../../shared/model/row.ts';
import { err, ok } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/row-label.ts';
import { contentTypeOf } from '../media/content-type.ts';
import { type AddressRule, checkUploadAddress } from '../media/upload/address-guard.ts';
import { putFile, type UploadNetwork } from '../media/upload/put-file.ts';
import type { Uploader } from './core/uploader.ts';
import type { UploadHosts } from './upload-hosts.ts';

/** Progress is told when this much more has left, or at the end. */
const PROGRESS_STEP = 50;

/** When an upload in progress is broken off. */
export interface UploadEnds {
  readonly cut: AbortSignal;
  /** Asked with every chunk: whether nothing may be sent any more. */
  readonly isLate: () => boolean;
}

/** Uploads from the files of the media library. */
export function createFileUploader(
  rule: AddressRule,
  hosts: UploadHosts,
  mediaFile: (row: Row<'media'>) => string,
  ends: UploadEnds,
  network: UploadNetwork = {},
): Uploader {
  return {
    bytes: async (row) => {
      try {
        const bytes = new Uint8Array(await readFile(mediaFile(row)));
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
      const target = checkUploadAddress(address, { ...rule, allowed: inState('allowed'), refused: inState('refused') });
      if (!target.ok) {
        const { kind, host } = { host: '', ...target.error };
        if (kind === 'unknown-host') await hosts.ask(host, { name: rowLabel(row), bytes });
        return err({ kind: 'address', problem: target.error });
      }
      const file = {
        path: mediaFile(row),
        contentType: contentTypeOf(row),
        bytes,
        sha256: row.values.sha256 ?? '',
      };
      const late = new AbortController();
      const step = inSteps(bytes, onSent);
      const noteSent = (sent: number): void => (ends.isLate() ? late.abort() : step(sent));
      const put = await putFile(target.value, file, noteSent, AbortSignal.any([ends.cut, late.signal]), network);
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
