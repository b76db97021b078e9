import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { err, ok, type Result } from '../../shared/result.ts';
import { type AddressProblem, type AddressRule, checkUploadAddress } from '../media/upload/address-guard.ts';
import { checkedLookup } from '../media/upload/checked-lookup.ts';
import { type ReceivedReport, readReportFile } from './read-report-file.ts';
import type { UnreadableReport } from './unzip-report.ts';

/** Fetches a report file from an address the service named: guarded, capped, and without any credential. */
export type DownloadProblem =
  | { readonly kind: 'address'; readonly problem: AddressProblem }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'connection'; readonly cause: string }
  | { readonly kind: 'too-large'; readonly limit: number }
  | UnreadableReport;

const PACKED_MAX_BYTES = 64 * 1024 * 1024;
const IDLE_MS = 30_000;

export async function downloadReport(
  address: string,
  rule: AddressRule,
  signal?: AbortSignal,
): Promise<Result<ReceivedReport, DownloadProblem>> {
  const checked = checkUploadAddress(address, rule);
  if (!checked.ok) return err({ kind: 'address', problem: checked.error });
  const got = await get(checked.value.url, checked.value.isOwnMachine, signal);
  if (!got.ok) return got;
  const content = await readReportFile(got.value);
  return content.ok ? ok({ bytes: got.value, content: content.value }) : content;
}

function get(
  url: URL,
  isOwnMachine: boolean,
  signal: AbortSignal | undefined,
): Promise<Result<Buffer, DownloadProblem>> {
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
    const options = { agent: false, signal, ...(isOwnMachine ? {} : { lookup: checkedLookup() }) } as const;
    const request = url.protocol === 'https:' ? httpsRequest(url, options, take) : httpRequest(url, options, take);
    request.setTimeout(IDLE_MS, () => request.destroy(new Error('no answer in time')));
    request.once('error', (error) => fail(error.message));
    request.end();
  });
}
