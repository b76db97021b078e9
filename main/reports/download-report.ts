import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';
import Papa from 'papaparse';
import { err, ok, type Result } from '../../shared/result.ts';
import { type AddressProblem, type AddressRule, checkUploadAddress } from '../media/upload/address-guard.ts';
import { checkedLookup } from '../media/upload/checked-lookup.ts';

/** Fetches a report file from an address the service named: guarded, capped, and without any credential. */
export type DownloadProblem =
  | { readonly kind: 'address'; readonly problem: AddressProblem }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'connection'; readonly cause: string }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'not-readable'; readonly found: string };

const PACKED_MAX_BYTES = 64 * 1024 * 1024;
const UNPACKED_MAX_BYTES = 256 * 1024 * 1024;
const IDLE_MS = 30_000;

export async function downloadReport(
  address: string,
  rule: AddressRule,
): Promise<Result<readonly (readonly string[])[], DownloadProblem>> {
  const checked = checkUploadAddress(address, rule);
  if (!checked.ok) return err({ kind: 'address', problem: checked.error });
  const bytes = await get(checked.value.url, checked.value.isOwnMachine);
  return bytes.ok ? readRows(bytes.value) : bytes;
}

function get(url: URL, isOwnMachine: boolean): Promise<Result<Buffer, DownloadProblem>> {
  return new Promise((resolve) => {
    const fail = (cause: string) => resolve(err({ kind: 'connection', cause }));
    const take = (response: IncomingMessage) => {
      const status = response.statusCode ?? 0;
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size <= PACKED_MAX_BYTES) return;
        resolve(err({ kind: 'too-large', limit: PACKED_MAX_BYTES }));
        response.destroy();
      });
      response.once('end', () => resolve(status === 200 ? ok(Buffer.concat(chunks)) : err({ kind: 'status', status })));
      response.once('error', (error) => fail(error.message));
    };
    // Redirects are not followed: the address was checked, where it points to was not.
    const options = { agent: false, ...(isOwnMachine ? {} : { lookup: checkedLookup() }) } as const;
    const request = url.protocol === 'https:' ? httpsRequest(url, options, take) : httpRequest(url, options, take);
    request.setTimeout(IDLE_MS, () => request.destroy(new Error('no answer in time')));
    request.once('error', (error) => fail(error.message));
    request.end();
  });
}

/** Told by content: gzip or plain text. Packed text may not unpack to more than the cap. */
function readRows(bytes: Buffer): Result<readonly (readonly string[])[], DownloadProblem> {
  if (bytes.toString('latin1', 0, 2) === 'PK') return err({ kind: 'not-readable', found: 'a ZIP archive' });
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = isGzip ? unpack(bytes) : ok(bytes.toString('utf8'));
  if (!text.ok) return text;
  const { data } = Papa.parse<string[]>(text.value.replace(/^\uFEFF/, ''), { skipEmptyLines: true });
  return ok(data);
}

function unpack(bytes: Buffer): Result<string, DownloadProblem> {
  try {
    return ok(gunzipSync(bytes, { maxOutputLength: UNPACKED_MAX_BYTES }).toString('utf8'));
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    return err(
      isTooLarge
        ? { kind: 'too-large', limit: UNPACKED_MAX_BYTES }
        : { kind: 'not-readable', found: 'a damaged archive' },
    );
  }
}
