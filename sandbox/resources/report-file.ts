import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import type { FileFormat } from '../quirks.ts';
import type { ReportRow } from './report-rows.ts';

/** A report as a file: JSON, CSV, compressed, or an archive of several files. */
export function reportFile(rows: readonly ReportRow[], format: FileFormat): Buffer {
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

/** A ZIP archive of deflated files: a local header and the data of each, the central directory, the end record. */
function zipOf(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of parts) {
    const data = deflateRawSync(content);
    const nameBytes = Buffer.from(name);
    // Fields common to both headers: version, flags, method, time, date, CRC, sizes, lengths of name and extra field.
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt16LE(0x21, 8);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(nameBytes.length, 22);
    // Comment length, disk, attributes: all zero. Then the position of the local header.
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, place, nameBytes);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, nameBytes, data]);
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
