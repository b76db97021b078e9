import type { ReportWish } from '../../shared/contract/reports.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isJsonList, isJsonObject, JsonNumber, type JsonValue, printJson } from '../api/json.ts';
import type { ReadFailure } from '../api/outcome.ts';
import type { PartnerApi } from '../api/partner-api.ts';
import { membersOf, textOf } from '../api/reading.ts';
import type { Clock } from '../clock.ts';
import { addressRule } from '../media/upload/address-guard.ts';
import { type DownloadProblem, downloadReport } from './download-report.ts';

/**
 * A performance report of the service as rows of text with a first row of column names (document, "POST
 * /api/v1/snapshot/report"). The service may answer in three ways, all understood (wire shapes, section 4):
 *
 *   rows inline ───────────────────────────────> rows
 *   an address in url | downloadUrl | details ──> file ──> rows
 *   a snapshotId ──poll──> done: an address ────> file ──> rows
 */
export type ReportProblem =
  | { readonly kind: 'read'; readonly failure: ReadFailure }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'not-ready'; readonly snapshotId: string }
  | { readonly kind: 'download'; readonly problem: DownloadProblem };

export type ReportRows = readonly (readonly string[])[];

const POLL_MS = 2000;
const POLLS = 30;

export async function fetchReport(
  api: PartnerApi,
  clock: Clock,
  wish: ReportWish,
  hosts: readonly string[],
): Promise<Result<ReportRows, ReportProblem>> {
  const rest = JSON.stringify({
    reportType: wish.reportType,
    startDate: wish.startDate,
    endDate: wish.endDate,
    ...(wish.byDate ? { extraFields: ['date'] } : {}),
  });
  // The advertiser id is written by hand because it may be longer than a JavaScript number is exact.
  const body = `{"advertiserId":${api.connection.advertiserId},${rest.slice(1)}`;
  const answer = await api.post('/api/v1/snapshot/report', body);
  if (!answer.ok) return err({ kind: 'read', failure: answer.error });
  return understand(answer.value);

  async function understand(value: JsonValue): Promise<Result<ReportRows, ReportProblem>> {
    const inline = inlineRows(value);
    if (inline !== null) return ok(inline);
    const members = membersOf(value);
    if (textOf(members?.get('code'))?.toLowerCase() === 'failure') {
      return err({ kind: 'refused', message: textOf(members?.get('details', 'message')) ?? 'no reason given' });
    }
    const address = [members?.get('url'), members?.get('downloadUrl'), members?.get('details')]
      .map(textOf)
      .find((text) => text !== null && /^https?:\/\//i.test(text));
    if (typeof address === 'string') return download(address);
    const snapshotId = textOf(members?.get('snapshotId'));
    if (snapshotId === null) return err({ kind: 'refused', message: 'the answer holds no report' });
    return poll(snapshotId);
  }

  async function poll(snapshotId: string): Promise<Result<ReportRows, ReportProblem>> {
    for (let polls = 0; polls < POLLS; polls += 1) {
      const state = await api.get('/api/v1/snapshot', { snapshotId, advertiserId: api.connection.advertiserId });
      if (!state.ok) return err({ kind: 'read', failure: state.error });
      const members = membersOf(state.value);
      const status = textOf(members?.get('jobStatus'))?.toLowerCase() ?? '';
      const address = textOf(members?.get('details'));
      if (status === 'done' && address !== null) return download(address);
      if (status === 'failed' || status === 'expired') {
        return err({ kind: 'refused', message: `the report ${status}${address === null ? '' : `: ${address}`}` });
      }
      await clock.sleep(POLL_MS);
    }
    return err({ kind: 'not-ready', snapshotId });
  }

  async function download(address: string): Promise<Result<ReportRows, ReportProblem>> {
    const file = await downloadReport(address, addressRule(api.connection.baseUrl, hosts));
    return file.ok ? file : err({ kind: 'download', problem: file.error });
  }
}

function inlineRows(value: JsonValue): ReportRows | null {
  const list = isJsonList(value) ? value : membersOf(value)?.get('rows', 'data', 'items', 'results');
  if (!isJsonList(list)) return null;
  const records = list.filter(isJsonObject);
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  return [columns, ...records.map((record) => columns.map((column) => cellText(record[column])))];
}

function cellText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return value instanceof JsonNumber ? value.text : printJson(value);
}
