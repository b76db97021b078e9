import { randomBytes, randomUUID } from 'node:crypto';
import { requireRead } from '../access.ts';
import { addDays, dateAt, HOUR_MS, MINUTE_MS } from '../clock.ts';
import { schedule } from '../due.ts';
import {
  type Fields,
  fieldOf,
  parseId,
  readDate,
  readId,
  readObject,
  readText,
  readWord,
  required,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { messages, ownMessages, Refusal } from '../messages.ts';
import type { FileFormat } from '../quirks.ts';
import type { Service } from '../service.ts';
import type { RowOf } from '../tables.ts';
import { asExtension, ask, type Call, type Route, read } from '../wire/route.ts';
import { attributionWindows, type ReportRequest, reportRows, reportTypes } from './report-rows.ts';

/**
 * POST /api/v1/snapshot/report: "returns a download URL or data". Without a format the rows are in the response. With
 * one they are in a file: at once at an address, or, with the extensions on, as a job to poll (GET /api/v1/snapshot).
 */
export const reportRoutes: readonly Route[] = [
  ask('/api/v1/snapshot/report', requestReport),
  asExtension(read('/api/v1/snapshot', showSnapshot)),
];

/** The stored request of a snapshot; the file is calculated when it is fetched. */
export interface SnapshotRequest extends ReportRequest {
  readonly format: FileFormat;
}

function requestReport(service: Service, call: Call): unknown {
  const fields = readObject(call.body);
  const advertiserId = required(readId(fields, 'advertiserId'), 'advertiserId');
  const typeText = required(readText(fields, 'reportType'), 'reportType');
  const request = { ...readDays(service, fields), ...readColumns(fields), advertiserId };
  const asked = readWord(fields, 'format', ['json', 'csv', 'gzip', 'zip']) ?? 'json';
  const { quirks, extensions } = service.settings;
  const format = quirks.reportFile === 'as-asked' ? asked : quirks.reportFile;
  requireRead(call.principal, advertiserId, 'other');
  const reportType = typeText === quirks.reportType ? typeText : reportTypes.find((type) => type === typeText);
  if (reportType === undefined) return { code: 'failure', details: ownMessages.reportTypeUnknown };
  const usual = format === 'json' ? 'rows' : extensions ? 'job' : 'address';
  const form = quirks.reportAnswer === 'as-asked' ? usual : quirks.reportAnswer;
  if (form === 'rows') return reportRows(service, { ...request, reportType });
  const isJob = form === 'job';
  const snapshotId = storeSnapshot(service, { ...request, reportType, format }, isJob ? 'pending' : 'done');
  if (isJob) return { code: 'success', snapshotId, jobStatus: wordFor(service, 'pending'), details: '' };
  return { code: 'success', details: '', downloadUrl: addressOf(service, service.store.find('snapshot', snapshotId)) };
}

function readDays(service: Service, fields: Fields) {
  const yesterday = addDays(dateAt(service.clock.now()), -1);
  const startDate = readDate(fields, 'startDate') ?? addDays(yesterday, -29);
  const endDate = readDate(fields, 'endDate') ?? yesterday;
  if (endDate < startDate || endDate > addDays(startDate, limits.reportDaysMax))
    throw new Refusal(400, messages.invalidParameters);
  return { startDate, endDate };
}

function readColumns(fields: Fields) {
  const wanted = readText(fields, 'attributionWindow');
  const windows = attributionWindows.filter(
    (window) => wanted === null || wanted === `days${window.replace('days', '')}` || wanted === window,
  );
  if (windows.length === 0) throw new Refusal(400, messages.invalidParameters);
  const extra = fieldOf(fields, 'extraFields');
  if (extra !== undefined && extra !== null && !Array.isArray(extra))
    throw new Refusal(400, messages.invalidParameters);
  return { windows, byDate: Array.isArray(extra) && extra.includes('date') };
}

function storeSnapshot(service: Service, request: SnapshotRequest, jobStatus: 'pending' | 'done'): string {
  const snapshotId = randomUUID();
  const now = service.clock.now();
  service.store.insert('snapshot', {
    snapshot_id: snapshotId,
    advertiser_id: request.advertiserId,
    request: JSON.stringify(request),
    job_status: jobStatus,
    secret: randomBytes(18).toString('base64url'),
    created_ms: now,
  });
  if (jobStatus === 'pending') schedule(service, 'snapshot.process', snapshotId, now);
  else schedule(service, 'snapshot.finish', snapshotId, now + limits.snapshotHours * HOUR_MS);
  return snapshotId;
}

function showSnapshot(service: Service, call: Call): unknown {
  const snapshotId = required(call.query.get('snapshotId'), 'snapshotId');
  const advertiserId = parseId(call.query.get('advertiserId')) ?? call.principal.advertiserId;
  const snapshot = service.store.find('snapshot', snapshotId);
  if (snapshot === undefined || snapshot.advertiser_id !== advertiserId) {
    throw new Refusal(404, ownMessages.snapshotNotFound);
  }
  requireRead(call.principal, advertiserId, 'other');
  const details = snapshot.job_status === 'done' ? addressOf(service, snapshot) : '';
  return { code: 'success', snapshotId, jobStatus: wordFor(service, snapshot.job_status), details };
}

/** The quirk `report-word`: the status of an unfinished job. */
function wordFor(service: Service, status: string): string {
  const { reportWord } = service.settings.quirks;
  return reportWord !== '' && (status === 'pending' || status === 'processing') ? reportWord : status;
}

/** The quirk `report-answer=job`: a deployment that answers with jobs must also serve their status. */
export const isJobOfReport = (service: Service, route: Route): boolean =>
  service.settings.quirks.reportAnswer === 'job' && route.path === '/api/v1/snapshot';

function addressOf(service: Service, snapshot: RowOf<'snapshot'> | undefined): string {
  return `${service.baseUrl()}/files/reports/${snapshot?.snapshot_id}?sig=${snapshot?.secret}`;
}

/** A report file is made in two minutes and kept for 24 hours (the moves are in `states.ts`). */
export function processSnapshot(service: Service, subject: string): void {
  service.store.run(
    "UPDATE snapshot SET job_status = 'processing' WHERE snapshot_id = ? AND job_status = 'pending'",
    subject,
  );
  schedule(
    service,
    'snapshot.finish',
    subject,
    service.clock.now() + service.settings.quirks.reportMinutes * MINUTE_MS,
  );
}

/** Called twice: when the file is ready, and when it expires. */
export function finishSnapshot(service: Service, subject: string): void {
  const job = service.store.one<{ job_status: string }>(
    'SELECT job_status FROM snapshot WHERE snapshot_id = ?',
    subject,
  );
  if (job === undefined) return;
  const isDone = job.job_status === 'done';
  service.store.update('snapshot', subject, { job_status: isDone ? 'expired' : 'done' });
  if (!isDone) {
    schedule(service, 'snapshot.finish', subject, service.clock.now() + limits.snapshotHours * HOUR_MS);
  }
}
