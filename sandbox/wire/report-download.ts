import type { IncomingMessage, ServerResponse } from 'node:http';
import { ownMessages } from '../messages.ts';
import type { FileFormat } from '../quirks.ts';
import { reportFile } from '../resources/report-file.ts';
import { reportRows } from '../resources/report-rows.ts';
import { findSnapshot, type SnapshotRequest } from '../resources/reports.ts';
import type { Service } from '../service.ts';
import { respond } from './respond.ts';

/** The file of a finished report; the signature in the address is the permission, for 24 hours. */
const contentTypes: Readonly<Record<FileFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  gzip: 'application/gzip',
  zip: 'application/zip',
  'zip-parts': 'application/zip',
  'zip-mixed': 'application/zip',
};

export function answerReport(
  service: Service,
  snapshotId: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [, query = ''] = (request.url ?? '').split('?', 2);
  const snapshot = findSnapshot(service, snapshotId);
  const isGenuine = snapshot !== undefined && new URLSearchParams(query).get('sig') === snapshot.secret;
  if (!isGenuine || snapshot.job_status !== 'done') {
    respond(response, { status: 403, body: { error: ownMessages.uploadExpired } });
    return;
  }
  // Written by `storeSnapshot`, so its shape is known.
  const wanted = JSON.parse(snapshot.request) as SnapshotRequest;
  const bytes = reportFile(reportRows(service, wanted), wanted.format);
  response.writeHead(200, {
    'content-type': contentTypes[wanted.format],
    'content-length': bytes.length,
    'x-content-type-options': 'nosniff',
  });
  response.end(bytes);
}
