import type { IncomingMessage } from 'node:http';
import type { ReportJob, ReportRequest, ReportSnapshot } from '../../shared/api/reports.ts';
import { err, ok, type Result, unreachable } from '../../shared/result.ts';
import { unreadable } from '../api/classify-response.ts';
import { type JsonValue, parseJson } from '../api/lossless-json.ts';
import { recordFieldsOf, textOf } from '../api/parse-record.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import type { ReadFailure } from '../api/request-outcome.ts';
import {
  type AddressProblem,
  addressRule,
  type CheckedAddress,
  checkUploadUrl,
  guardedRequest,
  type UploadUrlRule,
  uploadUrlErrorText,
} from '../files/upload/upload-url-check.ts';
import {
  describeReportFile,
  jsonRows,
  type ReceivedReport,
  readReportFile,
  type UnreadableReport,
} from './read-report-file.ts';

/**
 * A performance report of the service (document, "POST /api/v1/snapshot/report"). The service may answer in three ways,
 * all supported (wire shapes, section 4):
 *
 *   rows, as JSON or CSV ──────────────────────────> report
 *   an address in url | downloadUrl | details ──file──> report
 *   a snapshotId ──polled──> an address ──file──> report
 */
export type ReportProblem =
  | { readonly kind: 'read'; readonly failure: ReadFailure }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'download'; readonly problem: DownloadProblem };

export type ReportAnswer =
  | { readonly is: 'report'; readonly report: ReceivedReport }
  /** `status` is the service's own word, empty without one. */
  | { readonly is: 'job'; readonly snapshotId: string; readonly status: string };

export type JobAnswer =
  | { readonly is: 'report'; readonly report: ReceivedReport; readonly status: string }
  | { readonly is: 'working'; readonly status: string }
  | { readonly is: 'over'; readonly state: 'failed' | 'expired'; readonly status: string; readonly detail: string };

/** Access to the service, and to files on hosts that it may name. */
export interface ReportSource {
  readonly api: Pick<PartnerApi, 'connection' | 'get' | 'postForText'>;
  readonly hosts: readonly string[];
  /** Cancels a download. */
  readonly signal?: AbortSignal | undefined;
}

const SAID_MAX = 500;
const STATUS_MAX = 100;
const ID_MAX = 200;

/** The request, and whether the report is for the user or only for metrics. */
export type ReportOptions = ReportRequest & Pick<ReportSnapshot, 'background'>;

/** A report that is only for metrics is not unpacked here: it may have a million rows. */
const readerFor = ({ background }: Pick<ReportOptions, 'background'>) =>
  background === true ? describeReportFile : readReportFile;

/** Requests a report, once. */
export async function askForReport(
  source: ReportSource,
  options: ReportOptions,
): Promise<Result<ReportAnswer, ReportProblem>> {
  const { api } = source;
  const { attributionWindow = null, format = null } = options;
  const rest = JSON.stringify({
    reportType: options.reportType,
    startDate: options.startDate,
    endDate: options.endDate,
    ...(attributionWindow === null ? {} : { attributionWindow }),
    ...(options.byDate ? { extraFields: ['date'] } : {}),
    ...(format === null ? {} : { format }),
  });
  // The advertiser ID is inserted as text, because it may exceed the exact range of a JavaScript number.
  const body = `{"advertiserId":${api.connection.advertiserId},${rest.slice(1)}`;
  const answer = await api.postForText('/api/v1/snapshot/report', body);
  if (!answer.ok) return err({ kind: 'read', failure: answer.error });
  const bytes = Buffer.from(answer.value);
  const value = parseJson(answer.value);
  if (!value.ok) return asTable(bytes, unreadable(value.error));
  const rows = jsonRows(value.value);
  if (rows !== null) {
    return ok({ is: 'report', report: { bytes, content: { mediaType: 'application/json', rows, parts: [] } } });
  }
  const members = recordFieldsOf(value.value);
  const refusal = refusalIn(value.value);
  if (refusal !== null) return err({ kind: 'refused', message: refusal });
  const address = addressIn(value.value);
  if (address !== null) {
    const report = await download(source, address, readerFor(options));
    return report.ok ? ok({ is: 'report', report: report.value }) : report;
  }
  const snapshotId = textOf(members?.get('snapshotId'));
  if (snapshotId === null || snapshotId === '' || snapshotId.length > ID_MAX) {
    return err({ kind: 'refused', message: 'the answer holds no report' });
  }
  return ok({ is: 'job', snapshotId, status: statusIn(value.value) });
}

/** Accepts rows as CSV instead of JSON; anything else is an unexpected answer. */
async function asTable(bytes: Buffer, otherwise: string): Promise<Result<ReportAnswer, ReportProblem>> {
  const content = await readReportFile(bytes);
  if (content.ok && (content.value.rows[0]?.length ?? 0) > 1) {
    return ok({ is: 'report', report: { bytes, content: content.value } });
  }
  const failure = { kind: 'service', status: 200, message: otherwise, call: 'POST /api/v1/snapshot/report' } as const;
  return err({ kind: 'read', failure });
}

/**
 * Polls a job and fetches its file when it is ready. Only known final statuses end a job: with any other, the service
 * is still working, unless an address is returned.
 */
export async function askAboutJob(
  source: ReportSource,
  { snapshotId, background }: Pick<ReportJob, 'snapshotId' | 'background'>,
): Promise<Result<JobAnswer, ReportProblem>> {
  const { api } = source;
  const answer = await api.get('/api/v1/snapshot', { snapshotId, advertiserId: api.connection.advertiserId });
  if (!answer.ok) return err({ kind: 'read', failure: answer.error });
  const status = statusIn(answer.value);
  const word = status.toLowerCase();
  if (word === 'failed' || word === 'expired') {
    return ok({ is: 'over', state: word, status, detail: saidIn(answer.value) });
  }
  const address = addressIn(answer.value);
  if (address === null) {
    const refusal = refusalIn(answer.value);
    return ok(refusal === null ? { is: 'working', status } : { is: 'over', state: 'failed', status, detail: refusal });
  }
  const report = await download(source, address, readerFor({ background }));
  return report.ok ? ok({ is: 'report', report: report.value, status }) : report;
}

async function download(
  { api, hosts, signal }: ReportSource,
  address: string,
  read: ReadFile,
): Promise<Result<ReceivedReport, ReportProblem>> {
  const file = await downloadReport(address, addressRule(api.connection.baseUrl, hosts), read, signal);
  return file.ok ? file : err({ kind: 'download', problem: file.error });
}

function addressIn(value: JsonValue): string | null {
  const members = recordFieldsOf(value);
  const texts = [members?.get('url'), members?.get('downloadUrl'), members?.get('details')].map(textOf);
  return texts.find((text) => text !== null && /^https?:\/\//i.test(text)) ?? null;
}

function refusalIn(value: JsonValue): string | null {
  if (textOf(recordFieldsOf(value)?.get('code'))?.toLowerCase() !== 'failure') return null;
  const said = saidIn(value);
  return said === '' ? 'no reason given' : said;
}

const saidIn = (value: JsonValue): string =>
  (textOf(recordFieldsOf(value)?.get('details', 'message')) ?? '').slice(0, SAID_MAX);

const statusIn = (value: JsonValue): string =>
  (textOf(recordFieldsOf(value)?.get('jobStatus', 'status')) ?? '').slice(0, STATUS_MAX);

/**
 * Downloads a report file from an address that the service returned: guarded, limited in size, and without credentials.
 */
export type DownloadProblem =
  | { readonly kind: 'address'; readonly problem: AddressProblem }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'connection'; readonly cause: string }
  | { readonly kind: 'too-large'; readonly limit: number }
  | UnreadableReport;

type ReadFile = ReturnType<typeof readerFor>;
const PACKED_MAX_BYTES = 64 * 1024 * 1024;
const IDLE_MS = 30_000;

async function downloadReport(
  address: string,
  rule: UploadUrlRule,
  read: ReadFile,
  signal?: AbortSignal,
): Promise<Result<ReceivedReport, DownloadProblem>> {
  const checked = checkUploadUrl(address, rule);
  if (!checked.ok) return err({ kind: 'address', problem: checked.error });
  const got = await get(checked.value, signal);
  if (!got.ok) return got;
  const content = await read(got.value);
  return content.ok ? ok({ bytes: got.value, content: content.value }) : content;
}

function get(target: CheckedAddress, signal: AbortSignal | undefined): Promise<Result<Buffer, DownloadProblem>> {
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
    // Redirects are not followed: only the address itself was checked.
    const request = guardedRequest(target, { signal }).once('response', take);
    request.setTimeout(IDLE_MS, () => request.destroy(new Error('no response in time')));
    request.once('error', (error) => fail(error.message));
    request.end();
  });
}

/** Why a job gave no report, as a part of a sentence. It is shown in the list long after the call. */
export function problemWords(problem: ReportProblem): string {
  switch (problem.kind) {
    case 'read': {
      const { failure } = problem;
      return failure.kind === 'unreachable' ? failure.cause : failure.message;
    }
    case 'refused':
      return problem.message;
    case 'download':
      return downloadWords(problem.problem);
    default:
      return unreachable(problem);
  }
}

/** Why a download failed, as a part of a sentence. */
export function downloadWords(problem: DownloadProblem): string {
  switch (problem.kind) {
    case 'address':
      return uploadUrlErrorText(problem.problem);
    case 'status':
      return `status ${problem.status}`;
    case 'connection':
      return problem.cause;
    case 'too-large':
      return `it has more than ${problem.limit / 1024 / 1024} MB; choose fewer days`;
    case 'not-readable':
      return `it is ${problem.found}`;
    default:
      return unreachable(problem);
  }
}
