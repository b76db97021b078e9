import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { ZipFile } from 'yazl';
import type { FileFormat } from '../quirks.ts';
import type { ReportRow } from './report-rows.ts';

/** A report as a file: JSON, CSV, compressed, or an archive of several files. */
export async function reportFile(rows: readonly ReportRow[], format: FileFormat): Promise<Buffer> {
  const text = Buffer.from(csvOf(rows));
  if (format === 'json') return Buffer.from(JSON.stringify(rows));
  if (format === 'csv') return text;
  if (format === 'gzip') return gzipSync(text);
  return zipOf(format === 'zip' ? [{ name: 'report.csv', content: text }] : splitRows(rows, format === 'zip-mixed'));
}

/** The rows in two files; mixed archives also have a short table with other columns, and a text. */
function splitRows(rows: readonly ReportRow[], isMixed: boolean): readonly ZipPart[] {
  const half = Math.ceil(rows.length / 2);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const parts = [rows.slice(0, half), rows.slice(half)].map((part, at) => ({
    name: `report-${at + 1}.csv`,
    content: Buffer.from(csvOf(part, columns)),
  }));
  if (!isMixed) return parts;
  const totals = Buffer.from(`total,rows\r\nall,${rows.length}\r\n`);
  return [
    { name: 'totals.csv', content: totals },
    ...parts,
    { name: 'readme.txt', content: Buffer.from('Figures.\r\n') },
  ];
}

function csvOf(rows: readonly ReportRow[], columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]): string {
  const lines = rows.map((row) => columns.map((column) => cellOf(row[column])).join(','));
  return `${[columns.map((column) => cellOf(column)).join(','), ...lines].join('\r\n')}\r\n`;
}

function cellOf(value: string | number | undefined): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

interface ZipPart {
  readonly name: string;
  readonly content: Buffer;
}

function zipOf(parts: readonly ZipPart[]): Promise<Buffer> {
  const archive = new ZipFile();
  for (const { name, content } of parts) archive.addBuffer(content, name, { mtime: SAVED_AT });
  archive.end();
  return buffer(archive.outputStream);
}

/** The same request gives the same file. */
const SAVED_AT = new Date(2026, 0, 1);
